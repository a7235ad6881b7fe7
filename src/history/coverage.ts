/** Which time is known, and which is not. */
import { DAY, HOUR } from '../base/duration.ts';
import { inSlices } from '../base/in-slices.ts';
import type { CountedPlace, CountPoint, Coverage, Stretch } from '../service/models/history.ts';
import type { HistoryChunks } from '../store/history-chunks.ts';
import { knownIn, pointsIn } from './counts.ts';
import { blockStart, kinds, liveServers, type Step, steps } from './kinds.ts';

/** The finest step that reaches back that far. */
export function stepFor(from: number, now: number): Step {
  const [minute, ten, hour] = steps;
  return [minute, ten].find(({ kind }) => from >= now - kinds[kind].keep) ?? hour;
}

/** Every step of one place with a reading, in order of time. */
export async function pointsOf(
  place: CountedPlace,
  step: Step,
  span: Stretch,
  chunks: HistoryChunks,
): Promise<readonly CountPoint[]> {
  if (place !== 'all') return storedPoints(place, step, span, chunks);
  const [atOnce, ...servers] = await Promise.all(
    (['all', ...liveServers] as const).map((key) => storedPoints(key, step, span, chunks)),
  );
  const most = new Map(atOnce?.map((point) => [point.at, point.most]));
  return together(servers).map((point) => ({ ...point, most: most.get(point.at) ?? point.most }));
}

async function storedPoints(
  key: CountedPlace,
  { kind, step: ms }: Step,
  span: Stretch,
  chunks: HistoryChunks,
): Promise<readonly CountPoint[]> {
  const found = await chunks.read({ kind, key }, blockStart(kind, span.from), span.to);
  const points: CountPoint[] = [];
  await inSlices(found, (chunk) => {
    for (const point of pointsIn(chunk, ms))
      if (point.at + ms > span.from && point.at < span.to) points.push(point);
  });
  return points;
}

/** The steps at which every server has a point that has any on that UTC day. */
function together(servers: readonly (readonly CountPoint[])[]): readonly CountPoint[] {
  const days = servers.map((points) => new Set(points.map(({ at }) => dayOf(at))));
  const byTime = Map.groupBy(servers.flat(), ({ at }) => at);
  return [...byTime]
    .filter(([at, points]) => points.length === days.filter((of) => of.has(dayOf(at))).length)
    .toSorted(([a], [b]) => a - b)
    .map(([at, points]) => sum(at, points));
}

const dayOf = (at: number): number => Math.floor(at / DAY);

function sum(at: number, points: readonly CountPoint[]): CountPoint {
  const total = (of: (point: CountPoint) => number): number =>
    points.reduce((all, point) => all + of(point), 0);
  const duty = (role: keyof NonNullable<CountPoint['duty']>): number =>
    total((point) => point.duty?.[role] ?? 0);
  const roles = { police: duty('police'), medics: duty('medics'), tow: duty('tow'), chases: duty('chases') };
  return {
    at,
    known: Math.min(...points.map(({ known }) => known)),
    drivers: total(({ drivers }) => drivers),
    // The servers' own peaks may have been at different times; as many as the average there were.
    most: Math.max(Math.floor(total(({ drivers }) => drivers)), ...points.map(({ most }) => most)),
    duty: points.every((point) => point.duty === null) ? null : roles,
    ...(points.some((point) => point.duty === null) ? { dutyPartly: true } : {}),
  };
}

/** A step of time, and how much of it is known, in ms. */
interface KnownStep extends Stretch {
  readonly known: number;
}

/**
 * Of steps in order of time. `begun`: since when there are readings at all, or the beginning of the span if that is
 * later; null: since the first of these steps.
 */
export function coverage(steps: readonly KnownStep[], begun: number | null): Coverage {
  const [first] = steps;
  const last = steps.at(-1);
  if (first === undefined || last === undefined) return { since: null, until: null, holes: [] };
  const since = begun ?? beginOf(first);
  const holes: Stretch[] = [];
  let end = since;
  for (const step of steps) {
    // What is missing of a step is missing beside what is missing already, or else at its end.
    const start = end >= step.from ? end : beginOf(step);
    if (start > end) holes.push({ from: end, to: start });
    end = Math.min(step.to, start + step.known);
  }
  return { since, until: last.to, holes };
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

/**
 * The steps of which anything is known, of whichever server: what is missing is missing because of the bot or the whole
 * service. Minutes for the last two days, hours before, whose known part is the longest of any server.
 */
export async function liveSteps({ from, to }: Stretch, chunks: HistoryChunks): Promise<readonly KnownStep[]> {
  const [minute, , hour] = steps;
  const fine = Math.ceil((to - kinds.minute.keep) / HOUR) * HOUR;
  return [
    ...(from < fine ? await ofAnyServer(hour, { from, to: fine }, chunks) : []),
    ...(await ofAnyServer(minute, { from: Math.max(from, fine), to }, chunks)),
  ];
}

async function ofAnyServer(
  { kind, step }: Step,
  span: Stretch,
  chunks: HistoryChunks,
): Promise<readonly KnownStep[]> {
  const read = (key: string) => chunks.read({ kind, key }, blockStart(kind, span.from), span.to);
  const found = (await Promise.all(liveServers.map(read))).flat();
  const known = new Map<number, number>();
  await inSlices(found, (chunk) => {
    for (const each of knownIn(chunk, step))
      known.set(each.at, Math.max(known.get(each.at) ?? 0, each.known));
  });
  const points = [...known].map(([at, ms]) => ({ at, known: ms })).sort((a, b) => a.at - b.at);
  return knownSteps(
    points.filter(({ at }) => at + step > span.from && at < span.to),
    step,
    span,
  );
}

/** When the first reading was that is kept of any of these places. */
export async function knownSince(
  keys: readonly CountedPlace[],
  now: number,
  chunks: HistoryChunks,
): Promise<number | null> {
  const begins = await Promise.all(keys.map((key) => begunAt(key, now, chunks)));
  const known = begins.filter((at) => at !== null);
  return known.length === 0 ? null : Math.min(...known);
}

/** By the finest steps that still reach back to the first hour. */
async function begunAt(key: CountedPlace, now: number, chunks: HistoryChunks): Promise<number | null> {
  const first = await Promise.all(
    steps.map(async ({ kind, step }) => {
      const chunk = await chunks.first({ kind, key });
      return knownSteps(chunk === null ? [] : knownIn(chunk, step).slice(0, 1), step, {
        from: 0,
        to: now,
      })[0];
    }),
  );
  const hour = first.at(-1);
  if (hour === undefined) return null;
  const finest = first.find((each) => each !== undefined && each.from < hour.to);
  return beginOf(finest ?? hour);
}
