import { createBoundedMap } from './bounded.ts';
import type { Clock } from './clock.ts';

/** Answers by key that are reused until they are too old. */
interface TtlMemo<Key, Value> {
  /** Returns the last answer if it is younger than `maxAge` ms, else asks anew; callers share an answer under way. */
  get(key: Key, ask: () => Promise<Value>, maxAge?: number): Promise<Value>;
  /** Drops the answer, so that the next call asks again. */
  delete(key: Key): void;
  clear(): void;
}

/** Remembers the answers of the latest `maxEntries` keys, for `ttlMs` by default. Failures are not remembered. */
export function createTtlMemo<Key, Value>(
  clock: Pick<Clock, 'monotonic'>,
  ttlMs: number,
  maxEntries: number,
): TtlMemo<Key, Value> {
  const entries = createBoundedMap<Key, { readonly at: number; readonly answer: Promise<Value> }>(maxEntries);
  return {
    get(key, ask, maxAge = ttlMs) {
      const now = clock.monotonic();
      const cached = entries.get(key);
      if (cached !== undefined && now - cached.at < maxAge) return cached.answer;
      const answer = ask();
      entries.set(key, { at: now, answer });
      answer.catch(() => {
        if (entries.get(key)?.answer === answer) entries.delete(key);
      });
      return answer;
    },
    delete: entries.delete,
    clear: entries.clear,
  };
}
