import { z } from 'zod';
import type { Clock } from '../clock.ts';

/** Consecutive short-lived logins, and when the last one began (unix milliseconds). */
const Failed = z.object({ count: z.int().nonnegative(), at: z.number() }).catch({ count: 0, at: 0 });

/** Persistent. */
interface PacingStore {
  get(key: string): Promise<unknown>;
  set(key: string, value: unknown): Promise<unknown>;
  delete(key: string): Promise<unknown>;
}

/** An immediate restart may fix a crash or two. */
const FREE = 3;
const FIRST_WAIT = 5000;
const LONGEST_WAIT = 10 * 60_000;

/**
 * Discord allows a bot a thousand logins a day and then resets its token. A bot that crashes at every start,
 * restarted by a supervisor, would use them up in minutes. So the wait before the login doubles with every start
 * until a login has lasted.
 */
export function createLoginPacing(store: PacingStore, clock: Pick<Clock, 'now'>) {
  return {
    /** Resolves with the wait before this login in ms; the login counts as failed until `lasted` is called. */
    async begin(): Promise<number> {
      const { count, at } = Failed.parse(await store.get('failed'));
      const now = clock.now();
      const pause = count < FREE ? 0 : Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (count - FREE));
      // A clock set back must not extend the wait.
      const wait = Math.max(0, pause - Math.max(0, now - at));
      await store.set('failed', { count: count + 1, at: now + wait });
      return wait;
    },
    /** The login that began was never sent to Discord. */
    async withdraw(): Promise<void> {
      const { count, at } = Failed.parse(await store.get('failed'));
      await store.set('failed', { count: Math.max(0, count - 1), at });
    },
    async lasted(): Promise<void> {
      await store.delete('failed');
    },
  };
}
