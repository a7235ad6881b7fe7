/** The periods of a recap, as numbers that fit into a button's id: by the calendar and the clocks of a time zone. */
import { z } from 'zod';
import { HOUR } from '../../../src/base/duration.ts';
import { momentOf, startsOf, wallTime } from '../../../src/base/zone.ts';
import type { Stretch } from '../../../src/community/history/history.ts';

const FIRST_YEAR = 2000;
/** December 2099. */
const MAX_MONTH = 1200;

/** 0: all that is known. From 1: the months since January 2000. From 2000: a year. */
export const Period = z.union([z.int().min(0).max(MAX_MONTH), z.int().min(FIRST_YEAR).max(2099)]);
export type Period = z.output<typeof Period>;

export const ALL: Period = 0;

export const isMonth = (period: Period): boolean => period > ALL && period < FIRST_YEAR;

export function monthAt(zone: string, at: number): Period {
  const wall = new Date(wallTime(zone, at));
  return (wall.getUTCFullYear() - FIRST_YEAR) * 12 + wall.getUTCMonth() + 1;
}

export function yearAt(zone: string, at: number): Period {
  return new Date(wallTime(zone, at)).getUTCFullYear();
}

/** When a month or a year begins there, or when its first day has that hour, in unix milliseconds. */
export function startOf(period: Period, zone: string, hour = 0): number {
  const wall = isMonth(period) ? Date.UTC(FIRST_YEAR, period - 1) : Date.UTC(period, 0);
  return momentOf(zone, wall + hour * HOUR);
}

/** When anything is known at all, and now, in unix milliseconds. */
export interface KnownTime {
  readonly since: number;
  readonly now: number;
}

/** A month is whole; other periods end at this moment. */
export function spanOf(period: Period, zone: string, { since, now }: KnownTime): Stretch {
  if (period === ALL) return { from: Math.min(since, now), to: now };
  const [from, to] = [startOf(period, zone), startOf(period + 1, zone)];
  return { from, to: isMonth(period) ? to : Math.max(from, Math.min(to, now)) };
}

/** The days of a month; the months of a longer period. */
export function dividePeriod(period: Period, zone: string, span: Stretch): readonly Stretch[] {
  const starts = isMonth(period) ? startsOf(zone, span, 24) : monthStarts(zone, span);
  return starts.map((from, part) => ({ from, to: starts[part + 1] ?? span.to }));
}

/** The first month of all that is known has begun before. */
function monthStarts(zone: string, { from, to }: Stretch): readonly number[] {
  const starts: number[] = [];
  for (let month = monthAt(zone, from); startOf(month, zone) < to; month += 1)
    starts.push(Math.max(from, startOf(month, zone)));
  return starts;
}

/** Days of a month in which the month before is what people ask for. */
const FIRST_DAYS = 7;

/** Last month in the first week of a month, if anything is known of it; else this month. */
export function usualPeriod(zone: string, { since, now }: KnownTime): Period {
  const month = monthAt(zone, now);
  const isEarly = new Date(wallTime(zone, now)).getUTCDate() <= FIRST_DAYS;
  return isEarly && since < startOf(month, zone) ? month - 1 : month;
}

/** Tells whether the last moment of a period has passed. */
export function isOver(period: Period, zone: string, now: number): boolean {
  return period !== ALL && startOf(period + 1, zone) <= now;
}

/** The periods of the same length before and after it of which something is known; null: none. */
export function neighboursOf(
  period: Period,
  zone: string,
  { since, now }: KnownTime,
): { readonly previous: Period | null; readonly next: Period | null } {
  if (period === ALL) return { previous: null, next: null };
  return {
    previous: since < startOf(period, zone) ? period - 1 : null,
    next: isOver(period, zone, now) ? period + 1 : null,
  };
}
