/** A past made up for tests of what is told of it. */
import { HOUR, MINUTE } from '../../src/base/duration.ts';
import type {
  CountPoint,
  Counts,
  HourOfWeek,
  Stretch,
  WeekAverages,
} from '../../src/community/history/history.ts';

/** Drivers at a time of day: few in the early morning, most at 21:00 UTC. */
export function usual(at: number): number {
  return Math.round(60 - 50 * Math.cos((((at / HOUR) % 24) - 9) * (Math.PI / 12)));
}

interface Made {
  readonly step?: number;
  readonly drivers?: (at: number) => number;
  /** Null: nobody tells. */
  readonly police?: ((at: number) => number) | null;
  /** Without readings. */
  readonly without?: readonly Stretch[];
}

export function countsOf(
  { from, to }: Stretch,
  { step = 10 * MINUTE, drivers = usual, police = (at) => drivers(at) / 10, without = [] }: Made = {},
): Counts {
  const times = Array.from({ length: Math.ceil((to - from) / step) }, (_, index) => from + index * step);
  const points = times
    .filter((at) => without.every((hole) => at < hole.from || at >= hole.to))
    .map(
      (at): CountPoint => ({
        ...{ at, known: step, drivers: drivers(at), most: Math.ceil(drivers(at)) + 1 },
        police: police?.(at) ?? null,
      }),
    );
  const last = points.at(-1);
  return {
    step,
    points,
    latest: last ?? null,
    since: points[0]?.at ?? null,
    until: last === undefined ? null : last.at + step,
    holes: without.filter((hole) => hole.from > from && hole.to < to),
  };
}

/** Averages of eight weeks; null for an hour of which nothing is known. */
export function weekOf(
  drivers: (day: number, hour: number) => number | null,
  { since = 0, weeks = 8 }: { readonly since?: number; readonly weeks?: number } = {},
): WeekAverages {
  const known = (number: number | null): HourOfWeek | null =>
    number === null ? null : { drivers: number, weeks };
  return {
    days: Array.from({ length: 7 }, (_, day) =>
      Array.from({ length: 24 }, (_hour, hour) => known(drivers(day, hour))),
    ),
    since,
    until: since + weeks * 7 * 24 * HOUR,
    holes: [],
  };
}
