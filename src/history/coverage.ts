/** Periods that history knows, and the gaps between them. */
import { DAY, HOUR, MINUTE } from '../base/duration.ts';
import { forEachInSlices } from '../base/for-each-yielding.ts';
import type { CountedPlace, CountPoint, Coverage, Stretch } from '../service/models/history.ts';
import { LiveServer } from '../service/models/live-status.ts';
import type { Chunk, HistoryChunks } from '../store/history-chunks.ts';
import { knownIn, pointsIn } from './counts.ts';
import { blockStart, kinds, type Step, steps } from './kinds.ts';
import { storedState } from './recorder-state.ts';
import { joinRuns } from './runs.ts';

/** The finest step that reaches back that far. */
export function stepFor(from: number, now: number): Step {
  const [minute, ten, hour] = steps;
  return [minute, ten].find(({ kind }) => from >= now - kinds[kind].keep) ?? hour;
}

/** Every step of one place with a reading, in order of time. */
export async function readPoints(
  place: CountedPlace,
  step: Step,
  span: Stretch,
  chunks: HistoryChunks,
): Promise<readonly CountPoint[]> {
  if (place !== 'all') return storedSteps(place, step, span, chunks, pointsIn);
  const [atOnce, ...servers] = await Promise.all(
    (['all', ...LiveServer.options] as const).map((key) => storedSteps(key, step, span, chunks, pointsIn)),
  );
  return together(servers, new Map(atOnce?.map((point) => [point.at, point.most])));
}

/** `read`: `knownIn` takes half the time of `pointsIn`. */
async function storedSteps<Point extends Pick<CountPoint, 'at'>>(
  key: CountedPlace,
  { kind, step: ms }: Step,
  span: Stretch,
  chunks: HistoryChunks,
  read: (chunk: Chunk, step: number) => readonly Point[],
): Promise<readonly Point[]> {
  const points: Point[] = [];
  await forEachInSlices(await chunks.read({ kind, key }, blockStart(kind, span.from), span.to), (chunk) => {
    for (const point of read(chunk, ms))
      if (point.at + ms > span.from && point.at < span.to) points.push(point);
  });
  return points;
}

/** The steps at which every server has a point that has any on that UTC day. `peaks`: as counted at one time. */
async function together(
  servers: readonly (readonly CountPoint[])[],
  peaks: ReadonlyMap<number, number>,
): Promise<readonly CountPoint[]> {
  const sums: CountPoint[] = [];
  const byDay = servers.map((points) => Map.groupBy(points, ({ at }) => Math.floor(at / DAY)));
  const days = new Set(byDay.flatMap((points) => [...points.keys()]));
  await forEachInSlices(
    [...days].toSorted((a, b) => a - b),
    (day) => {
      const dayPoints = byDay.flatMap((points) => [points.get(day) ?? []]).filter(({ length }) => length > 0);
      // In order of time, as the first of the servers has them.
      for (const [at, points] of Map.groupBy(dayPoints.flat(), (point) => point.at))
        if (points.length === dayPoints.length) sums.push(sum(at, points, peaks.get(at)));
    },
  );
  return sums;
}

function sum(at: number, points: readonly CountPoint[], peak: number | undefined): CountPoint {
  let [knownMs, drivers, highest, police, withoutPolice] = [Number.POSITIVE_INFINITY, 0, 0, 0, 0];
  for (const point of points) {
    knownMs = Math.min(knownMs, point.known);
    drivers += point.drivers;
    highest = Math.max(highest, point.most);
    if (point.police === null) withoutPolice += 1;
    else police += point.police;
  }
  return {
    at,
    known: knownMs,
    drivers,
    // The servers' own peaks may have been at different times; as many as the average there were.
    most: peak ?? Math.max(Math.floor(drivers), highest),
    police: withoutPolice === points.length ? null : police,
    ...(withoutPolice > 0 ? { isPolicePartly: true } : {}),
  };
}

/** A step of time, and how much of it is known, in ms. */
interface KnownStep extends Stretch {
  readonly known: number;
}

/** Coverage of steps in order of time. `knownFrom`: see {@link knownSince}; null: since the first of these steps. */
export function measureCoverage(steps: readonly KnownStep[], knownFrom: number | null): Coverage {
  const [first] = steps;
  const last = steps.at(-1);
  if (first === undefined || last === undefined) return { since: null, until: null, holes: [] };
  const coveredSince = knownFrom ?? beginOf(first);
  const holes: Stretch[] = [];
  let end = coveredSince;
  for (const step of steps) {
    // The missing part of a step lies next to an earlier gap, or else at the end of the step.
    const start = end >= step.from ? end : beginOf(step);
    if (start > end) holes.push({ from: end, to: start });
    end = Math.min(step.to, start + step.known);
  }
  return { since: coveredSince, until: last.to, holes };
}

function beginOf({ from, to, known }: KnownStep): number {
  return Math.max(from, to - known);
}

/** The last step of a span is known as far as it has come. */
export function knownSteps(
  points: readonly Pick<CountPoint, 'at' | 'known'>[],
  step: number,
  { to: end }: Stretch,
): readonly KnownStep[] {
  return points.map(({ at, known }) => ({ from: at, to: Math.max(at, Math.min(at + step, end)), known }));
}

/** A server that is missing for longer was switched off: nobody drove there unseen. In ms. */
const SWITCHED_OFF_AFTER_MS = 7 * DAY;

/** How much is known of who drove: whoever is not seen may be on a server that is missing. */
export async function driversKnown(span: Stretch, chunks: HistoryChunks): Promise<Coverage> {
  const steps = await liveSteps('all', span, chunks);
  const { since, until: end, holes } = measureCoverage(steps, await knownSince('all', span, chunks));
  const coveredUntil = (await lastRead(span, chunks)) ?? end;
  if (since === null || coveredUntil === null) return { since, until: coveredUntil, holes };
  // A file that is still missing is missing up to the newest reading of another file.
  const newest = { from: coveredUntil, to: coveredUntil, known: 0 };
  const widerSpan = { ...span, from: span.from - SWITCHED_OFF_AFTER_MS };
  const missingSpans: Stretch[] = [];
  await forEachInSlices(LiveServer.options, async (server) => {
    const serverSteps = await liveSteps(server, widerSpan, chunks);
    for (const { from, to } of measureCoverage([...serverSteps, newest], null).holes)
      if (to > since && to - from >= MINUTE && to - from <= SWITCHED_OFF_AFTER_MS)
        missingSpans.push({ from: Math.max(from, since), to });
  });
  return { since, until: coveredUntil, holes: joinRuns([...holes, ...missingSpans]) };
}

/** Steps of which anything is known: minutes for the last two days, hours before. */
export async function liveSteps(key: CountedPlace, { from, to }: Stretch, chunks: HistoryChunks) {
  const [minute, , hour] = steps;
  const fine = Math.ceil((to - kinds.minute.keep) / HOUR) * HOUR;
  const read = async (step: Step, span: Stretch) =>
    knownSteps(await storedSteps(key, step, span, chunks, knownIn), step.step, span);
  return [
    ...(from < fine ? await read(hour, { from, to: fine }) : []),
    ...(await read(minute, { from: Math.max(from, fine), to })),
  ];
}

/** Steps of an hour tell it less exactly. */
async function lastRead({ to }: Stretch, chunks: HistoryChunks): Promise<number | null> {
  const times = [...((await storedState(chunks))?.state?.servers.values() ?? [])].map(({ at }) => at);
  return times.length === 0 ? null : Math.min(to, Math.max(...times));
}

/** The place's first reading, by the finest steps that reach back to its hour, or the span's beginning if that is later. */
export async function knownSince(key: CountedPlace, { from, to }: Stretch, chunks: HistoryChunks) {
  const first = await Promise.all(
    steps.map(async ({ kind, step }) => {
      const chunk = await chunks.first({ kind, key });
      return knownSteps(chunk === null ? [] : knownIn(chunk, step).slice(0, 1), step, { from, to })[0];
    }),
  );
  const hour = first.at(-1);
  if (hour === undefined) return null;
  const finest = first.find((each) => each !== undefined && each.from < hour.to);
  return Math.max(from, beginOf(finest ?? hour));
}
