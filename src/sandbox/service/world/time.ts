import type { Random } from './random.ts';

/** Milliseconds. */
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Rounded: everything in the world happens at a whole second. */
export function wholeSeconds(ms: number): number {
  return Math.round(ms / SECOND) * SECOND;
}

/** A whole second between `from` and `to` milliseconds after `now`. */
export function later(random: Random, now: number, from: number, to: number): number {
  return now + wholeSeconds(random.between(from, to));
}

/** A factor on the mean time that drivers stay or stay away: few much longer, most shorter. */
export function spread(random: Random): number {
  return Math.min(4, -Math.log(1 - random.next()));
}
