import type { Answer } from '../../service/models/answer.ts';
import { ageOf } from '../kit/age.ts';

/**
 * Whether a live file shows the present, `now` in unix milliseconds: one that stands still, or is kept from before an outage,
 * does not. One of some seconds ago does where the next one is only slow to come.
 */
export function isCurrent({ asOf, stale }: Pick<Answer<unknown>, 'asOf' | 'stale'>, now: number): boolean {
  return (stale === null || stale === 'slow') && ageOf('live', asOf, now) === 'fresh';
}
