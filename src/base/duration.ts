/** Durations in milliseconds, in which all times of the code are counted. */
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
/** Of UTC: a day in a time zone may be an hour shorter or longer (see `zone.ts`). */
export const DAY = 24 * HOUR;
