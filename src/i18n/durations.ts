import { HOUR, MINUTE, SECOND } from '../base/duration.ts';
import type { TextOf } from './texts.ts';

/** From here on, minutes say nothing beside the hours. */
const WHOLE_HOURS_FROM = 100 * HOUR;

/** Seconds → "45 min", "1 h 45", "1,111 h", to the minute and from a hundred hours on to the hour. */
export function durations(text: TextOf, number: (value: number) => string): (seconds: number) => string {
  return (seconds) => {
    const exact = Math.abs(seconds) * SECOND;
    const all = Math.round(exact / MINUTE) * MINUTE;
    const signed = (value: number): string => number(seconds < 0 ? -value : value);
    if (all < HOUR) return text('duration.minutes', { minutes: signed(all / MINUTE) });
    if (all >= WHOLE_HOURS_FROM) return text('duration.hours', { hours: signed(Math.round(exact / HOUR)) });
    const [hours, minutes] = [signed(Math.floor(all / HOUR)), (all % HOUR) / MINUTE];
    if (minutes === 0) return text('duration.hours', { hours });
    const twoDigits = minutes < 10 ? `${number(0)}${number(minutes)}` : number(minutes);
    return text('duration.hoursAndMinutes', { hours, minutes: twoDigits });
  };
}
