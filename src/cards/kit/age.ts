import { MINUTE } from '../../base/duration.ts';

/**
 * How a source is refreshed. This is the one freshness rule for boards, cards and the bot's activity line.
 * - `live`: a file that changes every second and states its own time.
 * - `polled`: requested once a minute, or every five minutes while the budget is short.
 */
export type Pace = 'live' | 'polled';

/** `old` is shown with its age, `gone` not at all. */
export type Age = 'fresh' | 'old' | 'gone';

const OLD: Readonly<Record<Pace, number>> = { live: 45_000, polled: 6 * MINUTE };
const GONE = 15 * MINUTE;

/** Times in unix milliseconds. */
export function ageOf(pace: Pace, asOf: number, now: number): Age {
  const age = now - asOf;
  if (age > GONE) return 'gone';
  return age > OLD[pace] ? 'old' : 'fresh';
}
