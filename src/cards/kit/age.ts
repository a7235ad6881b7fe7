import type { Answer } from '../../service/models/answer.ts';

/**
 * How a source is refreshed. This is the one freshness rule for boards, cards and the bot's activity line.
 * - `live`: a file that changes every second and states its own time.
 * - `polled`: requested once a minute, or every five minutes while the budget is short.
 */
export type Pace = 'live' | 'polled';

/** `old` is shown with its age, `gone` not at all. */
export type Age = 'fresh' | 'old' | 'gone';

const MINUTE = 60_000;
const OLD: Readonly<Record<Pace, number>> = { live: 45_000, polled: 6 * MINUTE };
const GONE = 15 * MINUTE;

/** Times in unix milliseconds. */
export function ageOf(pace: Pace, asOf: number, now: number): Age {
  const age = now - asOf;
  if (age > GONE) return 'gone';
  return age > OLD[pace] ? 'old' : 'fresh';
}

/** Whether a live file tells of now, `now` in unix milliseconds: one that stands still, or is kept from before, does not. */
export function isCurrent({ asOf, stale }: Pick<Answer<unknown>, 'asOf' | 'stale'>, now: number): boolean {
  return stale === null && ageOf('live', asOf, now) === 'fresh';
}
