/** Usual counts in an hour of the week or of the day. */
import { HOUR } from '../../base/duration.ts';
import { sumBy } from '../../base/sum-by.ts';
import { dayOf, hourOf, wallTime, wallTimes, weekdayOf } from '../../base/zone.ts';
import type { HistoryStore } from '../../store/history-store.ts';
import { readPoints, steps } from './counts.ts';
import { placeKnown, readStretches } from './coverage.ts';
import type { CountedPlace, CountPoint, HourOfWeek, Stretch, UsualHours, WeekAverages } from './history.ts';
import { USUAL_SPAN_MS } from './kept.ts';

/** Shortest known part of an hour whose average stands for the whole hour, in ms. */
const MIN_KNOWN_MS = HOUR / 2;
const [, tenMinutes, hourly] = steps;

export async function weekAverages(
  place: CountedPlace,
  zone: string,
  now: number,
  store: Pick<HistoryStore, 'read'>,
): Promise<WeekAverages> {
  const span = { from: now - USUAL_SPAN_MS, to: now };
  const step = hasWholeHours(zone, span) ? hourly : tenMinutes;
  const points = await readPoints(place, step, span, store);
  const wallAt = wallTimes(zone);
  const zoned = points.map(({ at, known: ms, drivers }) => ({ known: ms, drivers, wall: wallAt(at) }));
  const byHour = Map.groupBy(zoned, ({ wall }) => weekdayOf(wall) * 24 + hourOf(wall));
  const days = Array.from({ length: 7 }, (_day, weekday) =>
    Array.from({ length: 24 }, (_hour, hour) => average(byHour.get(weekday * 24 + hour) ?? [])),
  );
  return { ...(await placeKnown(place, span, store)), days };
}

/** Hours begin there when they do in UTC, by which counts are averaged. Elsewhere each would be of two halves. */
function hasWholeHours(zone: string, { from, to }: Stretch): boolean {
  return [from, to].every((at) => wallTime(zone, Math.floor(at / HOUR) * HOUR) % HOUR === 0);
}

function average(
  points: readonly (Pick<CountPoint, 'known' | 'drivers'> & { readonly wall: number })[],
): HourOfWeek | null {
  const knownMs = sumBy(points, (point) => point.known);
  if (knownMs < MIN_KNOWN_MS) return null;
  const sum = sumBy(points, (point) => point.drivers * point.known);
  const weeks = new Set(points.map(({ wall }) => dayOf(wall))).size;
  return { drivers: sum / knownMs, weeks };
}

/** `sessions`: those of one driver. */
export async function usualHours(
  sessions: readonly Stretch[],
  zone: string,
  now: number,
  store: Pick<HistoryStore, 'read'>,
): Promise<UsualHours> {
  const span = { from: now - USUAL_SPAN_MS, to: now };
  const known = await readStretches('all', span, store);
  const wallAt = wallTimes(zone);
  const daysByHour = Array.from({ length: 24 }, () => new Set<number>());
  // A part of a day, and the fifty-seventh.
  const first = dayOf(wallAt(span.from));
  const hoursOf = function* ({ from, to }: Stretch) {
    let at = Math.max(from, span.from);
    while (at < Math.min(to, now)) {
      const wall = wallAt(at);
      if (dayOf(wall) !== first) yield wall;
      at += HOUR - (wall % HOUR);
    }
  };
  for (const session of sessions)
    for (const wall of hoursOf(session)) daysByHour[hourOf(wall)]?.add(dayOf(wall));
  const knownDays = new Set(known.flatMap((stretch) => [...hoursOf(stretch)].map(dayOf)));
  return { hours: daysByHour.map((days) => days.size), days: knownDays.size };
}
