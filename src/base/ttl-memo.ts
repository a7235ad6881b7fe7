import { createBoundedMap } from './bounded.ts';
import type { Clock } from './clock.ts';

/**
 * Answers by key that are reused for `ttlMs`: those of the latest `maxEntries` keys. Failures are not remembered.
 */
export function createTtlMemo<Key, Value>(
  clock: Pick<Clock, 'monotonic'>,
  ttlMs: number,
  maxEntries: number,
) {
  const entries = createBoundedMap<Key, { readonly at: number; readonly answer: Promise<Value> }>(maxEntries);
  return {
    /** Returns the last answer if it is young enough, else asks anew; callers share an answer under way. */
    get(key: Key, ask: () => Promise<Value>): Promise<Value> {
      const now = clock.monotonic();
      const cached = entries.get(key);
      if (cached !== undefined && now - cached.at < ttlMs) return cached.answer;
      const answer = ask();
      entries.set(key, { at: now, answer });
      answer.catch(() => {
        if (entries.get(key)?.answer === answer) entries.delete(key);
      });
      return answer;
    },
    /** Drops the answer, so that the next call asks again. */
    delete: entries.delete,
    clear: entries.clear,
  };
}
