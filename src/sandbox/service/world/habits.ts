/** When drivers come and how long they stay: the same in the past that is made up and in the life that is lived. */
import type { Random } from './random.ts';
import { DAY, HOUR, MINUTE, spread, wholeSeconds } from './time.ts';

/** A break of weeks: about every fourth month. */
const BREAK = { chance: 0.002, from: 3 * DAY, to: 28 * DAY };

/** Evenings and weekends are busy, mornings quiet: how much longer people stay away than on average. */
const quietness: readonly number[] = Array.from({ length: 7 * 24 }, (_hour, hour) => {
  // The first of 1970 was a Thursday.
  const isWeekend = [2, 3].includes(Math.floor(hour / 24));
  return (1.5 - Math.cos((((hour % 24) - 19) / 12) * Math.PI) * 1.1) * (isWeekend ? 0.75 : 1);
});

/** How long a driver who comes stays, in ms. */
export function stayLength(random: Random): number {
  return wholeSeconds(MINUTE + spread(random) * 75 * MINUTE);
}

/**
 * How long a driver who has left stays away, in ms: each hour as likely to end it as it is busy. `keenness` is 1 for the
 * average.
 */
export function awayLength(random: Random, at: number, keenness: number): number {
  if (random.chance(BREAK.chance)) return wholeSeconds(random.between(BREAK.from, BREAK.to));
  let left = (spread(random) * 5 * HOUR) / keenness;
  for (let from = at; ; from = (Math.floor(from / HOUR) + 1) * HOUR) {
    const quiet = quietness[Math.floor(from / HOUR) % quietness.length] ?? 1;
    const length = (Math.floor(from / HOUR) + 1) * HOUR - from;
    if (left * quiet <= length) return wholeSeconds(MINUTE + from - at + left * quiet);
    left -= length / quiet;
  }
}

/** Events are held for four hours at a time, two times in five, without an order. */
export function eventsAreOpen(at: number): boolean {
  return (Math.imul(Math.floor(at / (4 * HOUR)), 0x9e3779b1) >>> 0) % 5 < 2;
}
