import type { Translator } from './translator.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * When something is possible that is not possible yet, in words: "in 40 seconds", never sooner than it is. Not
 * Discord's own moments: they go on counting, and a message that is read later would offer "2 minutes ago".
 */
export function inTime(ms: number, t: Translator): string {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  const format = new Intl.RelativeTimeFormat(t.locale, { numeric: 'always' });
  if (seconds < 2 * MINUTE) return format.format(seconds, 'second');
  if (seconds < 2 * HOUR) return format.format(Math.ceil(seconds / MINUTE), 'minute');
  if (seconds < 2 * DAY) return format.format(Math.ceil(seconds / HOUR), 'hour');
  return format.format(Math.ceil(seconds / DAY), 'day');
}
