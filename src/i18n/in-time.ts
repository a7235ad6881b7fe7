import { DAY, HOUR, MINUTE, SECOND } from '../base/duration.ts';
import type { Translator } from './translator.ts';

/**
 * The time until something is possible, in words: "in 40 seconds", never too early. Not a Discord timestamp: those
 * keep counting, so that a message read later would say "2 minutes ago".
 */
export function inTime(ms: number, t: Translator): string {
  const wait = Math.max(SECOND, Math.ceil(ms / SECOND) * SECOND);
  const format = new Intl.RelativeTimeFormat(t.locale, { numeric: 'always' });
  if (wait < 2 * MINUTE) return format.format(wait / SECOND, 'second');
  if (wait < 2 * HOUR) return format.format(Math.ceil(wait / MINUTE), 'minute');
  if (wait < 2 * DAY) return format.format(Math.ceil(wait / HOUR), 'hour');
  return format.format(Math.ceil(wait / DAY), 'day');
}
