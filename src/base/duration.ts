/** Durations in milliseconds, in which all times of the code are counted. */
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
/** Length of a day in UTC; a day in a time zone may be an hour shorter or longer (see `zone.ts`). */
export const DAY = 24 * HOUR;

/** A pause that doubles each time, `times` times after the first one. */
export function doublePause(
  { first, longest }: { readonly first: number; readonly longest: number },
  times: number,
): number {
  return Math.min(longest, first * 2 ** times);
}
