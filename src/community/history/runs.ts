/** Runs of what was up or down: how they are written and read, and the outages in them. */
import { HOUR, SECOND } from '../../base/duration.ts';
import { insertRows, numberIn, type Steps, sql } from '../../base/sql.ts';
import type { HistoryStore } from '../../store/history-store.ts';
import type { RowsAtOnce } from './drivers.ts';
import type { Outage, Run, Stretch } from './history.ts';

/** A run of a server, by its name in lower case, or of the data service. */
export interface NamedRun extends Run {
  readonly name: string;
}

/** Runs kept of one name, the newest: one that is up and down all the time fills no disk. */
const MAX_RUNS = 3000;
/** An outage goes on over a time of which nothing is known, for so long, in ms. */
export const MAX_BRIDGE_MS = HOUR;

export function* addRuns(runs: readonly NamedRun[], at: RowsAtOnce): Steps<void> {
  const rows = runs.map(({ name, from, to, isUp }): [string, [string, number, number, number]] => {
    const began = Math.round(from / SECOND);
    return [`${began} ${name}`, [name, began, Math.round(to / SECOND), isUp ? 1 : 0]];
  });
  yield* insertRows(
    at,
    [...new Map(rows).values()],
    (values) => sql`INSERT INTO runs (name, began, ended, is_up) VALUES ${values}
      ON CONFLICT (name, began) DO UPDATE SET ended = excluded.ended, is_up = excluded.is_up`,
  );
  for (const name of new Set(runs.map((run) => run.name)))
    yield sql`DELETE FROM runs WHERE name = ${name} AND began <=
      (SELECT began FROM runs WHERE name = ${name} ORDER BY began DESC LIMIT 1 OFFSET ${MAX_RUNS})`;
}

/** Runs that overlap the span, in order and apart; `open`: the run under way. */
export async function runsIn(
  { from, to }: Stretch,
  { name, open }: { readonly name: string; readonly open: Run | undefined },
  store: Pick<HistoryStore, 'read'>,
): Promise<readonly Run[]> {
  const rows = await store.read(sql`SELECT began, ended, is_up FROM runs
    WHERE name = ${name} AND ended > ${Math.floor(from / SECOND)} AND began < ${Math.ceil(to / SECOND)} ORDER BY began`);
  const storedRuns = rows.map((row) => ({
    from: numberIn(row, 'began') * SECOND,
    to: numberIn(row, 'ended') * SECOND,
    isUp: row['is_up'] === 1,
  }));
  return joinRuns(open === undefined ? storedRuns : [...storedRuns, open]).filter(
    (run) => run.to > from && run.from < to,
  );
}

/** Sorts runs by time and joins those without a gap; nothing counts twice after a clock was set back. */
export function joinRuns<One extends Stretch & Partial<Run>>(runs: readonly One[]): readonly One[] {
  const all: One[] = [];
  for (const run of runs.toSorted((a, b) => a.from - b.from)) {
    const last = all.at(-1);
    const from = Math.max(run.from, last?.to ?? run.from);
    if (run.to < from) continue;
    if (last?.to === from && last.isUp === run.isUp) all.splice(-1, 1, { ...last, to: run.to });
    else all.push({ ...run, from });
  }
  return all;
}

/** Oldest first. */
export function outagesIn(runs: readonly Run[]): readonly Outage[] {
  const outages: Outage[] = [];
  for (const { from, to, isUp } of runs) {
    const last = outages.at(-1);
    const isOpen = last !== undefined && last.to === null;
    const goesOn = isOpen && !isUp && from - last.until <= MAX_BRIDGE_MS;
    if (isOpen) outages.splice(-1, 1, goesOn ? { ...last, until: to } : { ...last, to: from });
    if (!isUp && !goesOn) outages.push({ from, until: to, to: null });
  }
  return outages;
}
