import { z } from 'zod';
import type { Clock } from '../clock.ts';

/** Logins that did not last, one after the other, and when the last of them began (unix milliseconds). */
const Failed = z.object({ count: z.int().nonnegative(), at: z.number() }).catch({ count: 0, at: 0 });

/** Outlives the process. */
interface PacingStore {
  get(key: string): Promise<unknown>;
  set(key: string, value: unknown): Promise<unknown>;
  delete(key: string): Promise<unknown>;
}

/** A crash or two may be repaired by starting again at once. */
const FREE = 3;
const FIRST_WAIT = 5000;
const LONGEST_WAIT = 10 * 60_000;

/**
 * Discord allows a bot a thousand logins a day and takes its token away after more; a bot that crashes at every start,
 * and is started again by whatever looks after it, would spend them in minutes. So the wait before the login doubles
 * from start to start, until one has lasted.
 */
export function createLoginPacing(store: PacingStore, clock: Pick<Clock, 'now'>) {
  return {
    /** Milliseconds to wait before this login, which counts as failed until `lasted` says otherwise. */
    async begin(): Promise<number> {
      const { count, at } = Failed.parse(await store.get('failed'));
      const now = clock.now();
      const pause = count < FREE ? 0 : Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (count - FREE));
      // A clock that was put back must not make it longer.
      const wait = Math.max(0, pause - Math.max(0, now - at));
      await store.set('failed', { count: count + 1, at: now + wait });
      return wait;
    },
    async lasted(): Promise<void> {
      await store.delete('failed');
    },
  };
}
