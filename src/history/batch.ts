/** Events since the last write, and the chunks that they change. */

import { SECOND } from '../base/duration.ts';
import type { CountedPlace, Session } from '../service/models/history.ts';
import { sameSpelling } from '../service/models/identifiers.ts';
import type { ChunkChange, HistoryChunks } from '../store/history-chunks.ts';
import { addedTo } from './added-to.ts';
import { addMinutes, hasStep, type MinuteCount } from './counts.ts';
import { createByDriver, driverRows } from './driver-rows.ts';
import { blockStart, playedKinds, steps } from './kinds.ts';
import type { NamedRun } from './run-log.ts';
import { addRuns, partsOf } from './runs.ts';
import { addSessions } from './sessions.ts';

export interface Batch {
  readonly runs: readonly NamedRun[];
  readonly minutes: readonly { readonly place: CountedPlace; readonly minute: MinuteCount }[];
  readonly sessions: readonly { readonly driver: string; readonly session: Session }[];
  readonly played: readonly { readonly driver: string; readonly at: number; readonly ms: number }[];
}

type Readable = Pick<HistoryChunks, 'read'>;

export const emptyBatch: Batch = { runs: [], minutes: [], sessions: [], played: [] };

export function joinedBatch(first: Batch, second: Batch): Batch {
  return {
    runs: [...first.runs, ...second.runs],
    minutes: [...first.minutes, ...second.minutes],
    sessions: [...first.sessions, ...second.sessions],
    played: byHour([...first.played, ...second.played]),
  };
}

/** Merges times by hour, as they are kept: while nothing can be written, each reading would add a row per driver. */
function byHour(played: Batch['played']): Batch['played'] {
  const same = Map.groupBy(played, ({ driver, at }) => `${blockStart('played-hour', at)} ${driver}`);
  return [...same.values()].map((rows) =>
    rows.reduce((sum, { driver, at, ms }) => ({ driver, at, ms: sum.ms + ms })),
  );
}

/** Minutes that are stored already, from before a restart or a step of the clock, stay as they are. */
export async function mergeWithStored(
  { runs, minutes, sessions, played }: Batch,
  chunks: Readable,
): Promise<readonly ChunkChange[]> {
  const changes = await Promise.all([
    ...[...Map.groupBy(runs, ({ name }) => name)].map(([key, same]) => runChanges(key, same, chunks)),
    ...[...Map.groupBy(minutes, ({ place }) => place)].map(([place, same]) =>
      countChanges(
        place,
        same.map(({ minute }) => minute),
        chunks,
      ),
    ),
    ...[...Map.groupBy(sessions, ({ driver }) => sameSpelling(driver))].map(([key, driverSessions]) =>
      sessionChanges(key, driverSessions, chunks),
    ),
    ...playedKinds.map((kind) => playedChanges(kind, played, chunks)),
  ]);
  return changes.flat();
}

function runChanges(key: string, runs: Batch['runs'], chunks: Readable): Promise<readonly ChunkChange[]> {
  return addedTo(
    { kind: 'uptime', key },
    runs.flatMap(partsOf),
    ({ from }) => from,
    ({ text, start }, parts) => addRuns(text, start, parts),
    chunks,
  );
}

async function countChanges(
  place: CountedPlace,
  minutes: readonly MinuteCount[],
  chunks: Readable,
): Promise<readonly ChunkChange[]> {
  const [{ kind: finest }] = steps;
  const fresh = new Map<number, MinuteCount>();
  for (const [start, same] of Map.groupBy(minutes, ({ at }) => blockStart(finest, at))) {
    const [existingChunk] = await chunks.read({ kind: finest, key: place }, start, start);
    for (const minute of same)
      if (!hasStep(existingChunk?.text, steps[0], minute.at) && !fresh.has(minute.at))
        fresh.set(minute.at, minute);
  }
  const changes = steps.map((step) =>
    addedTo(
      { kind: step.kind, key: place },
      [...fresh.values()],
      ({ at }) => at,
      ({ text }, added) => addMinutes(text, step, added),
      chunks,
    ),
  );
  return (await Promise.all(changes)).flat();
}

function sessionChanges(
  key: string,
  sessions: Batch['sessions'],
  chunks: Readable,
): Promise<readonly ChunkChange[]> {
  return addedTo(
    { kind: 'sessions', key },
    sessions,
    ({ session }) => session.from,
    ({ text, start }, added) => addSessions(text, start, added),
    chunks,
  );
}

function playedChanges(
  kind: (typeof playedKinds)[number],
  played: Batch['played'],
  chunks: Readable,
): Promise<readonly ChunkChange[]> {
  return addedTo(
    { kind, key: '' },
    played,
    ({ at }) => at,
    ({ text }, added) => {
      const totals = createByDriver(() => 0);
      for (const [driver, seconds] of driverRows(text)) totals.of(driver).value += seconds ?? 0;
      for (const { driver, ms } of added) totals.of(driver).value += ms / SECOND;
      return JSON.stringify(totals.all().map(({ driver, value }) => [driver, Math.round(value)]));
    },
    chunks,
  );
}
