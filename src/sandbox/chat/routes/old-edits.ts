/** The limit on edits of messages older than an hour: 30046 beyond 3 in 6 seconds, as observed by others. */

import { tooMany } from '../rest/rate-limits.ts';
import { madeAt } from '../snowflake.ts';
import type { Faults } from '../state/faults.ts';

const OLD = 60 * 60_000;
const LIMIT = 3;
const WINDOW = 6000;

/** Counts an edit of that message; throws 30046 where there are too many in its channel. */
export function createOldEdits(
  faults: Faults,
  now: () => number,
): (channelId: string, messageId: string) => void {
  const edits = new Map<string, number[]>();
  return (channelId, messageId) => {
    if (faults.strikes('edit-30046')) throw tooOld(WINDOW);
    if (now() - madeAt(messageId) <= OLD) return;
    const recent = (edits.get(channelId) ?? []).filter((at) => now() - at < WINDOW);
    edits.set(channelId, recent);
    const [first] = recent;
    if (first !== undefined && recent.length >= LIMIT) throw tooOld(first + WINDOW - now());
    recent.push(now());
  };
}

/** Observed as a 429 with its own code. */
function tooOld(retryAfter: number) {
  return tooMany(retryAfter, {
    code: 30046,
    message: 'Maximum number of edits to messages older than 1 hour reached. Try again later',
  });
}
