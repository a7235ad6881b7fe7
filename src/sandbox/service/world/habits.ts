/** When drivers come and how long they stay: the same in the past that is made up and in the life that is lived. */
import type { Random } from './random.ts';
import { DAY, HOUR, MINUTE, spread, wholeSeconds } from './time.ts';

/** A break of weeks: about every fourth month. */
const BREAK = { chance: 0.002, from: 3 * DAY, to: 28 * DAY };

/** Evenings and weekends are busy, mornings quiet: how long people stay away, relative to the mean. */
const quietness: readonly number[] = Array.from({ length: 7 * 24 }, (_hour, hour) => {
  // The first of 1970 was a Thursday.
  const isWeekend = [2, 3].includes(Math.floor(hour / 24));
  return (1.3 - Math.cos((((hour % 24) - 19) / 12) * Math.PI) * 0.8) * (isWeekend ? 0.75 : 1);
});

/** How long a driver who comes stays, in ms. */
export function stayLength(random: Random): number {
  return wholeSeconds(MINUTE + spread(random) * 75 * MINUTE);
}

/** How long a driver who has left stays away, in ms; `keenness` is 1 for the average. */
export function awayLength(random: Random, at: number, keenness: number): number {
  if (random.chance(BREAK.chance)) return wholeSeconds(random.between(BREAK.from, BREAK.to));
  const quiet = quietness[Math.floor(at / HOUR) % quietness.length] ?? 1;
  return wholeSeconds(MINUTE + (spread(random) * 5 * HOUR * quiet) / keenness);
}
