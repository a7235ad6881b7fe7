/**
 * Time zones of the IANA database. A wall time is the unix time (ms) at which clocks in UTC show what clocks in the zone
 * show; it can be calculated with like any number, and is right again on the days when clocks change.
 */
import { z } from 'zod';
import { DAY, HOUR, MINUTE } from './duration.ts';
import { memoiseByKey } from './memoise.ts';

/** Longest name that is looked up, beyond any real one: a longer input must not keep `Intl` busy. */
const MAX_NAME_LENGTH = 64;

/** Today's names of renamed zones, by the old names that `Intl` keeps. */
const currentNames: Readonly<Record<string, string>> = {
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Europe/Kiev': 'Europe/Kyiv',
};

/** Returns all names that can be chosen. */
export function zoneNames(): readonly string[] {
  return ['UTC', ...Intl.supportedValuesOf('timeZone').map((name) => currentNames[name] ?? name)];
}

/** Limit of the cache: people may type any name, but most look-ups repeat. */
const MAX_CACHED_ZONES = 1000;

/** Returns the zone's name as it is spelled today, whatever its case; null for an unknown zone. */
export const findZone = memoiseByKey((name: string): string | null => {
  // The default of settings: it needs no look into Intl, which takes 10 ms of a start.
  if (name === 'UTC') return name;
  // "+02:00" is accepted by Intl too, but knows no summer time.
  if (name.length > MAX_NAME_LENGTH || !/^[a-z]/i.test(name)) return null;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    return currentNames[timeZone] ?? timeZone;
  } catch {
    return null;
  }
}, MAX_CACHED_ZONES);

/** Time zone that this machine knows, such as `Europe/Berlin`: calculating with an unknown one throws. */
export const TimeZone = z.string().refine((name) => findZone(name) !== null);

const formatOf = memoiseByKey(
  (zone: string) =>
    new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    }),
);

/** Throws a RangeError for an unknown zone. */
export function wallTime(zone: string, at: number): number {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  const day = [part('year'), part('month') - 1, part('day')] as const;
  return Date.UTC(...day, part('hour'), part('minute'), part('second'));
}

/** Returns {@link wallTime} for many moments: a day without a clock change takes two look-ups. */
export function wallTimes(zone: string): (at: number) => number {
  const offsets = memoiseByKey((day: number): number | null => {
    const [begin, end] = [day * DAY, (day + 1) * DAY].map((at) => wallTime(zone, at) - at);
    return begin === end ? (begin ?? null) : null;
  });
  return (at) => {
    const offset = offsets(Math.floor(at / DAY));
    return offset === null ? wallTime(zone, at) : at + offset;
  };
}

/**
 * Returns the moment at which clocks in the zone show that wall time: the first of two if clocks are put back over it; if
 * they skip it, as much later as they are put forward.
 */
export function momentOf(zone: string, wall: number): number {
  const offset = (at: number): number => wallTime(zone, at) - Math.floor(at / 1000) * 1000;
  // The offsets a day before and after differ only where clocks change in between.
  const [offsetBefore, offsetAfter] = [offset(wall - DAY), offset(wall + DAY)];
  const earlierMoment = wall - offsetBefore;
  return offset(earlierMoment) === offsetBefore
    ? earlierMoment
    : offset(wall - offsetAfter) === offsetAfter
      ? wall - offsetAfter
      : earlierMoment;
}

/** How much later clocks can show the same time again, in ms; half an hour on Lord Howe Island. */
const SHIFTS = [0, 30 * MINUTE, HOUR];

/** Returns the moments at which clocks in the zone show that wall time: none if they skip it, two if they are put back over it. */
export function momentsOf(zone: string, wall: number): readonly number[] {
  const first = momentOf(zone, wall);
  return SHIFTS.map((shift) => first + shift).filter((at) => wallTime(zone, at) === wall);
}

/** Returns the number of the day: the same for all wall times of one day. */
export function dayOf(wall: number): number {
  return Math.floor(wall / DAY);
}

/** 5 January 1970, the first Monday. */
export const FIRST_MONDAY = 4 * DAY;

/** Returns 0 for Monday to 6 for Sunday. */
export function weekdayOf(wall: number): number {
  // The first of January 1970 was a Thursday.
  return (dayOf(wall) + 3) % 7;
}

/** Returns 0 to 23. */
export function hourOf(wall: number): number {
  return Math.floor((wall % DAY) / HOUR);
}

/**
 * Returns the moments from `from` up to `to` at which a period of `hours` begins, counted from midnight: 24 for days, 168
 * for weeks that begin on Monday.
 */
export function startsOf(
  zone: string,
  { from, to }: { readonly from: number; readonly to: number },
  hours: number,
): readonly number[] {
  const step = hours * HOUR;
  const starts: number[] = [];
  const firstStep = Math.floor((wallTime(zone, from) - FIRST_MONDAY) / step);
  for (let wall = FIRST_MONDAY + firstStep * step; ; wall += step) {
    const at = momentOf(zone, wall);
    if (at >= to) return starts;
    if (at >= from) starts.push(at);
  }
}
