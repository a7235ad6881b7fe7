/** What is usual in an hour of the week or of the day. */
import { DAY, HOUR } from '../base/duration.ts';
import type { HistoryChunks } from '../store/history-chunks.ts';
import { coverage, liveTimes, pointsOf } from './coverage.ts';
import type { CountedPlace, CountPoint, HourOfWeek, Stretch, UsualHours, WeekAverages } from './history.ts';
import { steps } from './kinds.ts';
import { zoned } from './zoned.ts';

/** What was usual earlier says little of tonight. */
const USUAL = 56 * DAY;
const [, , hourly] = steps;

export async function weekAverages(
  place: CountedPlace,
  zone: string,
  now: number,
  chunks: HistoryChunks,
): Promise<WeekAverages> {
  const points = await pointsOf(place, hourly, { from: now - USUAL, to: now }, chunks);
  const times = points.map(({ at }) => at);
  const local = zoned(zone);
  const byHour = Map.groupBy(points, ({ at }) => {
    const { weekday, hour } = local(at);
    return weekday * 24 + hour;
  });
  const days = Array.from({ length: 7 }, (_day, weekday) =>
    Array.from({ length: 24 }, (_hour, hour) => average(byHour.get(weekday * 24 + hour) ?? [])),
  );
  return { ...coverage(times, hourly.step), days };
}

function average(points: readonly CountPoint[]): HourOfWeek | null {
  if (points.length === 0) return null;
  const sum = points.reduce((all, { drivers }) => all + drivers, 0);
  return { drivers: sum / points.length, weeks: points.length };
}

/** `sessions`: those of one driver. */
export async function usualHours(
  sessions: readonly Stretch[],
  zone: string,
  now: number,
  chunks: HistoryChunks,
): Promise<UsualHours> {
  const span = { from: now - USUAL, to: now };
  const times = await liveTimes(hourly, span, chunks);
  const local = zoned(zone);
  const seen = Array.from({ length: 24 }, () => new Set<number>());
  for (const { from, to } of sessions) {
    for (let at = Math.max(from, span.from); at <= Math.min(to, now); at = Math.floor(at / HOUR + 1) * HOUR) {
      const { hour, day } = local(at);
      seen[hour]?.add(day);
    }
  }
  return {
    ...coverage(times, hourly.step),
    hours: seen.map((days) => days.size),
    days: new Set(times.map((at) => local(at).day)).size,
  };
}
