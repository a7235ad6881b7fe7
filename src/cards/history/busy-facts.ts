import { MINUTE } from '../../base/duration.ts';
import { hourOf, weekdayOf } from '../../base/zone.ts';
import type { WeekAverages } from '../../service/models/history.ts';

/** An hour of the week: 0, Monday, to 6, and 0 to 23. */
export interface BusyHour {
  readonly day: number;
  readonly hour: number;
  /** On average. */
  readonly drivers: number;
}

/** Consecutive hours about as busy as the busiest of them. */
export interface BusyStretch {
  readonly first: BusyHour;
  readonly last: BusyHour;
  /** In the busiest hour, on average. */
  readonly drivers: number;
}

export interface BusyFacts {
  readonly busiest: BusyHour;
  readonly quietest: BusyHour;
  /** The weeks that the averages are of, at most; the hour under way, which can have one more, does not count. */
  readonly weeks: number;
  /** The best of this evening or of this night, as far as it is still ahead; null where nothing is known of it. */
  readonly tonight: BusyStretch | null;
  /** The best of each weekday of which something is known. */
  readonly days: readonly BusyStretch[];
}

/** An evening lasts from 17:00 to 4:00; before, there is more than one to choose from. */
const EVENING = 17;
const NIGHT_ENDS = 4;
/** Who reads of an hour with less left of it than this, in ms, is too late for it. */
const STILL_WORTH = 30 * MINUTE;
/** Hours with at least this share of the best one are as good. */
const NEARLY = 0.9;

/** Before there is something of as many hours as a day has, the busiest is only the busiest of those watched. */
export const ENOUGH_HOURS = 24;

/** Null where too little is known. `wall`: what clocks show now, where the averages' hours are. */
export function busyFacts({ days }: WeekAverages, wall: number): BusyFacts | null {
  const at = (day: number, hour: number): BusyHour | null => {
    const known = days[day]?.[hour] ?? null;
    return known && { day, hour, drivers: known.drivers };
  };
  const all = days.map((hours, day) => hours.map((_, hour) => at(day, hour)));
  const known = all.flat().filter((hour) => hour !== null);
  const [busiest, quietest] = [highest(known), known.toSorted((a, b) => a.drivers - b.drivers)[0]];
  if (busiest === undefined || quietest === undefined || known.length < ENOUGH_HOURS) return null;
  return {
    busiest,
    quietest,
    weeks: days.flatMap((hours) => hours.map((hour) => hour?.weeks ?? 0)).toSorted((a, b) => b - a)[1] ?? 0,
    tonight: best(hoursTonight(wall).map(({ day, hour }) => at(day, hour))),
    days: all.map(best).filter((stretch) => stretch !== null),
  };
}

function hoursTonight(wall: number): readonly { readonly day: number; readonly hour: number }[] {
  const start = wall + STILL_WORTH - 1;
  const [day, hour] = [weekdayOf(start), hourOf(start)];
  const [from, to] = hour < NIGHT_ENDS ? [hour, NIGHT_ENDS] : [Math.max(hour, EVENING), 24 + NIGHT_ENDS];
  return Array.from({ length: to - from }, (_, index) => ({
    day: (day + Math.floor((from + index) / 24)) % 7,
    hour: (from + index) % 24,
  }));
}

/** Around the busiest of these hours, which follow each other. */
function best(hours: readonly (BusyHour | null)[]): BusyStretch | null {
  const top = highest(hours.filter((hour) => hour !== null));
  if (top === undefined) return null;
  const isGood = (hour: BusyHour | null | undefined): hour is BusyHour =>
    hour !== null && hour !== undefined && hour.drivers >= NEARLY * top.drivers;
  let [first, last] = [top, top];
  for (let at = hours.indexOf(top) - 1; ; at -= 1) {
    const hour = at < 0 ? null : hours[at];
    if (!isGood(hour)) break;
    first = hour;
  }
  for (let at = hours.indexOf(top) + 1; ; at += 1) {
    const hour = hours[at];
    if (!isGood(hour)) break;
    last = hour;
  }
  return { first, last, drivers: top.drivers };
}

function highest(hours: readonly BusyHour[]): BusyHour | undefined {
  return hours.toSorted((a, b) => b.drivers - a.drivers)[0];
}

/** The hours of a stretch, over midnight and over the end of the week. */
export function hoursOf({
  first,
  last,
}: BusyStretch): readonly { readonly day: number; readonly hour: number }[] {
  const index = ({ day, hour }: BusyHour): number => day * 24 + hour;
  const length = ((index(last) - index(first) + 168) % 168) + 1;
  return Array.from({ length }, (_, after) => {
    const at = (index(first) + after) % 168;
    return { day: Math.floor(at / 24), hour: at % 24 };
  });
}
