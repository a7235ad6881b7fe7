import type { Answer } from '../../service/models/answer.ts';
import { ageOf } from '../kit/age.ts';

/** Whether a live file tells of now, `now` in unix milliseconds: one that stands still, or is kept from before, does not. */
export function isCurrent({ asOf, stale }: Pick<Answer<unknown>, 'asOf' | 'stale'>, now: number): boolean {
  return stale === null && ageOf('live', asOf, now) === 'fresh';
}
