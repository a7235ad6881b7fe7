import type { Translator } from './translator.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * The time until something is possible, in words: "in 40 seconds", never too early. Not a Discord timestamp: those
 * keep counting, so that a message read later would say "2 minutes ago".
 */
export function inTime(ms: number, t: Translator): string {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  const format = new Intl.RelativeTimeFormat(t.locale, { numeric: 'always' });
  if (seconds < 2 * MINUTE) return format.format(seconds, 'second');
  if (seconds < 2 * HOUR) return format.format(Math.ceil(seconds / MINUTE), 'minute');
  if (seconds < 2 * DAY) return format.format(Math.ceil(seconds / HOUR), 'hour');
  return format.format(Math.ceil(seconds / DAY), 'day');
}
