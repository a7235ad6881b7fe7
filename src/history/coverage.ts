/** Which time is known, and which is not. */
import { DAY } from '../base/duration.ts';
import type { HistoryChunks } from '../store/history-chunks.ts';
import { pointsIn, timesIn } from './counts.ts';
import type { CountedPlace, CountPoint, Coverage, Stretch } from './history.ts';
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
  if (place === 'all')
    return together(await Promise.all(liveServers.map((server) => pointsOf(server, step, span, chunks))));
  const { kind, step: ms } = step;
  const found = await chunks.read({ kind, key: place }, blockStart(kind, span.from), span.to);
  return found
    .flatMap((chunk) => pointsIn(chunk, ms))
    .filter(({ at }) => at + ms > span.from && at < span.to);
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
    drivers: total(({ drivers }) => drivers),
    most: total(({ most }) => most),
    duty: points.some((point) => point.duty === null) ? null : roles,
  };
}

/** `times`: the beginnings of all steps with a reading, in order. */
export function coverage(times: readonly number[], step: number): Coverage {
  const last = times.at(-1);
  const holes = times.flatMap((at, index): readonly Stretch[] => {
    const next = times[index + 1];
    return next === undefined || next <= at + step ? [] : [{ from: at + step, to: next }];
  });
  return { since: times[0] ?? null, until: last === undefined ? null : last + step, holes };
}

/**
 * The beginnings of all steps of which anything is known, of whichever server: what is missing is missing because of
 * the bot or the whole service.
 */
export async function liveTimes(
  { kind, step }: Step,
  { from, to }: Stretch,
  chunks: HistoryChunks,
): Promise<readonly number[]> {
  const read = (key: string) => chunks.read({ kind, key }, blockStart(kind, from), to);
  const found = (await Promise.all(liveServers.map(read))).flat();
  const times = new Set(found.flatMap((chunk) => timesIn(chunk, step)));
  return [...times].filter((at) => at + step > from && at < to).sort((a, b) => a - b);
}
