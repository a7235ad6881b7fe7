import { createBoundedMap } from './bounded.ts';
import type { Clock } from './clock.ts';

/** Answers that hold for a while. */
interface Lately<Key, Value> {
  /** The last answer where it is younger than `maxAge` ms, else a new one; all who ask meanwhile share it. */
  of(key: Key, ask: () => Promise<Value>, maxAge?: number): Promise<Value>;
  /** The next one asks again. */
  delete(key: Key): void;
  clear(): void;
}

/** `usual`: how old an answer may be, in ms. Of the latest `most` keys; failures are not remembered. */
export function createTtlMemo<Key, Value>(
  clock: Pick<Clock, 'monotonic'>,
  usual: number,
  most: number,
): Lately<Key, Value> {
  const all = createBoundedMap<Key, { readonly at: number; readonly answer: Promise<Value> }>(most);
  return {
    of(key, ask, maxAge = usual) {
      const now = clock.monotonic();
      const known = all.get(key);
      if (known !== undefined && now - known.at < maxAge) return known.answer;
      const answer = ask();
      all.set(key, { at: now, answer });
      answer.catch(() => {
        if (all.get(key)?.answer === answer) all.delete(key);
      });
      return answer;
    },
    delete: all.delete,
    clear: all.clear,
  };
}
