/** The weeks and months of which the community's figures are posted, and the time of their posts. */
import { DAY, HOUR } from '../../../src/base/duration.ts';
import { FIRST_MONDAY, momentOf, wallTime } from '../../../src/base/zone.ts';
import { monthAt, startOf } from './period.ts';

export type PostKind = 'week' | 'month';
/** Both kinds, in the order in which people are asked for them. */
export const postKinds = ['week', 'month'] as const satisfies readonly PostKind[];

interface PostPeriods {
  /** Returns the number of the period in which the moment is. */
  numberAt(zone: string, at: number): number;
  /** Returns when that period begins by the zone's clocks, or when its first day has that hour, in unix milliseconds. */
  startOf(number: number, zone: string, hour?: number): number;
}

const WEEK = 7 * DAY;

/** Periods by number: weeks from Monday since January 1970, and the months of a recap. */
export const postPeriods: Readonly<Record<PostKind, PostPeriods>> = {
  week: {
    numberAt: (zone, at) => Math.floor((wallTime(zone, at) - FIRST_MONDAY) / WEEK),
    startOf: (number, zone, hour = 0) => momentOf(zone, FIRST_MONDAY + number * WEEK + hour * HOUR),
  },
  month: { numberAt: monthAt, startOf },
};

/** From ten o'clock on the first day after the period until the end of the next day, for a bot that was down in between. */
export const POST_HOUR = 10;
const POST_END_HOUR = 48;

/** The last period that is over, and its post. Times are unix milliseconds. */
interface PostTime {
  readonly number: number;
  readonly isDue: boolean;
  /** When the next post becomes due: this period's if that is still to come. */
  readonly nextAt: number;
}

export function postTime(kind: PostKind, zone: string, now: number): PostTime {
  const { numberAt, startOf: startOfPeriod } = postPeriods[kind];
  const current = numberAt(zone, now);
  const dueAt = startOfPeriod(current, zone, POST_HOUR);
  return {
    number: current - 1,
    isDue: now >= dueAt && now < startOfPeriod(current, zone, POST_END_HOUR),
    nextAt: now < dueAt ? dueAt : startOfPeriod(current + 1, zone, POST_HOUR),
  };
}

/** Returns when a week from Monday in UTC begins, in unix milliseconds. */
export function startOfUtcWeek(number: number): number {
  return postPeriods.week.startOf(number, 'UTC');
}
