/**
 * Time zones of the IANA database. A wall time is the unix time (ms) at which clocks in UTC show what clocks in the zone
 * show; it can be calculated with like any number, and is right again on the days when clocks change.
 */
import { z } from 'zod';
import { DAY, HOUR } from './duration.ts';
import { memoiseByKey } from './memoise.ts';

/** Longer than any name of a zone; whoever sends more must not keep `Intl` busy. */
const LONGEST_NAME = 64;

/** Zones that have been renamed, by the names that `Intl` keeps for them. */
const renamed: Readonly<Record<string, string>> = {
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Europe/Kiev': 'Europe/Kyiv',
};

/** All names that can be chosen from. */
export function zoneNames(): readonly string[] {
  return ['UTC', ...Intl.supportedValuesOf('timeZone').map((name) => renamed[name] ?? name)];
}

/** Zones that are looked up again and again, of those that somebody may type. */
const REMEMBERED = 1000;

/** The zone's name as it is spelled today; null where this machine knows none of that name, in any case. */
export const zoneNamed = memoiseByKey((name: string): string | null => {
  // "+02:00" is accepted by Intl too, but knows no summer time.
  if (name.length > LONGEST_NAME || !/^[a-z]/i.test(name)) return null;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    return renamed[timeZone] ?? timeZone;
  } catch {
    return null;
  }
}, REMEMBERED);

/** Time zone that this machine knows, such as `Europe/Berlin`: calculating with an unknown one throws. */
export const TimeZone = z.string().refine((name) => zoneNamed(name) !== null);

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
 * When clocks there show that wall time: the first time where they are put back over it, and as much later as they
 * are put forward where they skip it.
 */
export function momentOf(zone: string, wall: number): number {
  const offset = (at: number): number => wallTime(zone, at) - Math.floor(at / 1000) * 1000;
  // The offsets a day before and after differ only where clocks change in between.
  const [before, after] = [offset(wall - DAY), offset(wall + DAY)];
  const early = wall - before;
  return offset(early) === before ? early : offset(wall - after) === after ? wall - after : early;
}

/** Returns the same number for all moments of a day in the zone. */
export function dayOf(wall: number): number {
  return Math.floor(wall / DAY);
}

/** 5 January 1970, the first Monday. */
export const FIRST_MONDAY = 4 * DAY;

/** 0 is Monday. */
export function weekdayOf(wall: number): number {
  // The first of January 1970 was a Thursday.
  return (dayOf(wall) + 3) % 7;
}

/** 0 to 23. */
export function hourOf(wall: number): number {
  return Math.floor((wall % DAY) / HOUR);
}

/**
 * The moments from `from` up to `to` at which a stretch of `hours` begins, counted from midnight; 24 are a day,
 * and 168 a week from Monday.
 */
export function startsOf(
  zone: string,
  { from, to }: { readonly from: number; readonly to: number },
  hours: number,
): readonly number[] {
  const step = hours * HOUR;
  const found: number[] = [];
  const begun = Math.floor((wallTime(zone, from) - FIRST_MONDAY) / step);
  for (let wall = FIRST_MONDAY + begun * step; ; wall += step) {
    const at = momentOf(zone, wall);
    if (at >= to) return found;
    if (at >= from) found.push(at);
  }
}
