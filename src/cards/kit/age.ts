/** How long what was read may be shown as current: one rule for boards, cards and the line below the bot's name. */

/**
 * - `live`: a file that changes every second and says itself when it was written.
 * - `polled`: asked for once a minute, and every five minutes while the budget is short.
 */
export type Pace = 'live' | 'polled';

/** `old` is shown with its age, `gone` no longer at all. */
export type Age = 'fresh' | 'old' | 'gone';

const MINUTE = 60_000;
const OLD: Readonly<Record<Pace, number>> = { live: 45_000, polled: 6 * MINUTE };
const GONE = 15 * MINUTE;

/** Both times in unix milliseconds. */
export function ageOf(pace: Pace, asOf: number, now: number): Age {
  const age = now - asOf;
  if (age > GONE) return 'gone';
  return age > OLD[pace] ? 'old' : 'fresh';
}
