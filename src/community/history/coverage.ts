/** Periods that history knows, and the gaps between them. */
import { DAY, MINUTE, SECOND } from '../../base/duration.ts';
import { forEachInSlices } from '../../base/for-each-yielding.ts';
import { numberIn, type Steps, sql } from '../../base/sql.ts';
import { LiveServer } from '../../service/models/live-status.ts';
import type { HistoryStore } from '../../store/history-store.ts';
import type { CountedPlace, Coverage, Stretch } from './history.ts';
import { storedState } from './recorder-state.ts';
import { joinRuns } from './runs.ts';

type Readable = Pick<HistoryStore, 'read'>;

/** Adds times in which places were read, in unix seconds. */
export function* extendCoverage(added: readonly (Stretch & { readonly place: string })[]): Steps<void> {
  for (const [place, same] of Map.groupBy(added, (each) => each.place))
    for (const { from, to } of joinRuns(same)) {
      const longer = yield sql`UPDATE coverage SET ended = ${to}
        WHERE place = ${place} AND began < ${from} AND ended = ${from} RETURNING began`;
      if (longer.length === 0)
        yield sql`INSERT INTO coverage (place, began, ended) VALUES (${place}, ${from}, ${to})
          ON CONFLICT (place, began) DO UPDATE SET ended = excluded.ended WHERE coverage.ended < excluded.ended`;
    }
}

/** When a place was read, in order and apart. */
export async function readStretches(
  place: CountedPlace,
  { from, to }: Stretch,
  store: Readable,
): Promise<readonly Stretch[]> {
  const rows = await store.read(sql`SELECT began, ended FROM coverage
    WHERE place = ${place} AND ended > ${Math.floor(from / SECOND)} AND began < ${Math.ceil(to / SECOND)}
    ORDER BY began`);
  const stretches = rows.map((row) => ({
    from: Math.max(from, numberIn(row, 'began') * SECOND),
    to: Math.min(to, numberIn(row, 'ended') * SECOND),
  }));
  return joinRuns(stretches);
}

/** The place's first reading, or the span's beginning if that is later. */
async function knownSince(place: CountedPlace, { from }: Stretch, store: Readable) {
  const [first] = await store.read(
    sql`SELECT began FROM coverage WHERE place = ${place} ORDER BY began LIMIT 1`,
  );
  return first === undefined ? null : Math.max(from, numberIn(first, 'began') * SECOND);
}

/** `since`: see {@link knownSince}. */
function measureCoverage(stretches: readonly Stretch[], since: number | null): Coverage {
  const last = stretches.at(-1);
  if (since === null || last === undefined) return { since: null, until: null, holes: [] };
  return { since, until: last.to, holes: gapsIn([{ from: since, to: since }, ...stretches]) };
}

function gapsIn(stretches: readonly Stretch[]): readonly Stretch[] {
  return stretches.flatMap(({ from }, index) => {
    const before = stretches[index - 1];
    return before === undefined || before.to >= from ? [] : [{ from: before.to, to: from }];
  });
}

/** How much is known of who is at a place. */
export async function placeKnown(place: CountedPlace, span: Stretch, store: Readable): Promise<Coverage> {
  const stretches = await readStretches(place, span, store);
  const known = place === 'all' ? await withoutGapsOfServers(stretches, span, store) : stretches;
  return measureCoverage(known, await knownSince(place, span, store));
}

/** As points of all servers have it: of a day on which a server was read at all, the time in which it was not is unknown. */
async function withoutGapsOfServers(
  stretches: readonly Stretch[],
  span: Stretch,
  store: Readable,
): Promise<readonly Stretch[]> {
  const gaps: Stretch[] = [];
  for (const server of LiveServer.options) {
    const days = Map.groupBy(await readStretches(server, span, store).then(byDay), ({ from }) => dayOf(from));
    for (const [day, known] of days) {
      const ends = [{ from: day, to: day }, ...known, { from: day + DAY, to: day + DAY }];
      gaps.push(...gapsIn(ends));
    }
  }
  return without(stretches, joinRuns(gaps));
}

const dayOf = (at: number): number => Math.floor(at / DAY) * DAY;

/** Stretches cut at the edges of UTC days. */
function byDay(stretches: readonly Stretch[]): readonly Stretch[] {
  return stretches.flatMap(({ from, to }) =>
    Array.from({ length: Math.ceil((to - dayOf(from)) / DAY) }, (_, index) => {
      const day = dayOf(from) + index * DAY;
      return { from: Math.max(from, day), to: Math.min(to, day + DAY) };
    }),
  );
}

/** Returns the rest of stretches without gaps; both in order and apart. */
function without(stretches: readonly Stretch[], gaps: readonly Stretch[]): readonly Stretch[] {
  const left: Stretch[] = [];
  let next = 0;
  for (const { from, to } of stretches) {
    let start = from;
    while ((gaps[next]?.to ?? Number.POSITIVE_INFINITY) <= start) next += 1;
    for (let at = next; (gaps[at]?.from ?? Number.POSITIVE_INFINITY) < to; at += 1) {
      const gap = gaps[at] ?? { from: to, to };
      if (gap.from > start) left.push({ from: start, to: gap.from });
      start = Math.max(start, gap.to);
    }
    if (start < to) left.push({ from: start, to });
  }
  return left;
}

/** A server that is missing for longer was switched off: nobody drove there unseen. In ms. */
const SWITCHED_OFF_AFTER_MS = 7 * DAY;

/** How much is known of who drove: whoever is not seen may be on a server that is missing. */
export async function driversKnown(span: Stretch, store: Readable): Promise<Coverage> {
  const all = await readStretches('all', span, store);
  const { since, until: end, holes } = measureCoverage(all, await knownSince('all', span, store));
  const coveredUntil = (await lastRead(span, store)) ?? end;
  if (since === null || coveredUntil === null) return { since, until: coveredUntil, holes };
  // A file that is still missing is missing up to the newest reading of another file.
  const newest = { from: coveredUntil, to: coveredUntil };
  const widerSpan = { ...span, from: span.from - SWITCHED_OFF_AFTER_MS };
  const missingSpans: Stretch[] = [];
  await forEachInSlices(LiveServer.options, async (server) => {
    const known = await readStretches(server, widerSpan, store);
    if (known.length === 0) return;
    for (const { from, to } of gapsIn([...known, newest]))
      if (to > since && to - from >= MINUTE && to - from <= SWITCHED_OFF_AFTER_MS)
        missingSpans.push({ from: Math.max(from, since), to });
  });
  return { since, until: coveredUntil, holes: joinRuns([...holes, ...missingSpans]) };
}

/** The minute under way is not written yet. */
async function lastRead({ to }: Stretch, store: Readable): Promise<number | null> {
  const times = [...((await storedState(store))?.servers.values() ?? [])].map(({ at }) => at);
  return times.length === 0 ? null : Math.min(to, Math.max(...times));
}
