import type { Translator } from './translator.ts';

/** How Discord shows a timestamp, in each reader's language and time zone: "2 hours ago", a day, the same in digits, day and time, those with the weekday, the time alone. */
const styles = {
  relative: 'R',
  day: 'D',
  date: 'd',
  time: 'f',
  weekday: 'F',
  clock: 't',
} as const;
type MomentStyle = keyof typeof styles;

/** Discord shows times that a date can hold; beyond that, the bare markup or "Invalid date". */
const LATEST = 8.64e15;

/** Discord's timestamp markup for unix milliseconds; null for an invalid date, or none. Not rendered in titles and footers. */
export function formatTimestamp(at: number | null, style: MomentStyle): string | null {
  if (at === null || !(Math.abs(at) <= LATEST)) return null;
  return `<t:${Math.floor(at / 1000)}:${styles[style]}>`;
}

/** Returns {@link formatTimestamp}, or words for an invalid date. */
export function formatMoment(at: number | null, style: MomentStyle, t: Translator): string {
  return formatTimestamp(at, style) ?? t('card.unknownDate');
}
