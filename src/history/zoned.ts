import { DAY } from '../base/duration.ts';

export interface ZonedHour {
  /** 0 is Monday. */
  readonly weekday: number;
  readonly hour: number;
  /** The same for all hours of one day. */
  readonly day: number;
}

/** The hour of the week that a moment falls into in an IANA time zone. Throws a RangeError for an unknown zone. */
export function zoned(zone: string): (at: number) => ZonedHour {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
  });
  return (at) => {
    const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const part = (type: 'year' | 'month' | 'day' | 'hour'): number => parts.get(type) ?? 0;
    const day = Date.UTC(part('year'), part('month') - 1, part('day')) / DAY;
    // The first of January 1970 was a Thursday.
    return { day, weekday: (day + 3) % 7, hour: part('hour') };
  };
}
