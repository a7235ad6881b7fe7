import { DAY, HOUR, MINUTE, SECOND } from '../base/duration.ts';
import type { Translator } from './translator.ts';

/**
 * The time until something is possible, in words: "in 40 seconds", never too early. Not a Discord timestamp: those
 * keep counting, so that a message read later would say "2 minutes ago".
 */
export function inTime(ms: number, t: Translator): string {
  const left = Math.max(SECOND, Math.ceil(ms / SECOND) * SECOND);
  const format = new Intl.RelativeTimeFormat(t.locale, { numeric: 'always' });
  if (left < 2 * MINUTE) return format.format(left / SECOND, 'second');
  if (left < 2 * HOUR) return format.format(Math.ceil(left / MINUTE), 'minute');
  if (left < 2 * DAY) return format.format(Math.ceil(left / HOUR), 'hour');
  return format.format(Math.ceil(left / DAY), 'day');
}
