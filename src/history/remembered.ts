import type { Clock } from '../base/clock.ts';
import { sameSpelling } from '../service/models/identifiers.ts';
import type { History } from './history.ts';

/**
 * How old an answer may be, in ms: the recorder writes once a minute, and what another process hides or deletes is
 * known within one.
 */
const MOST_AGE = 30_000;
/** Drivers, of about half a kilobyte each; beside them one list of a row for each driver of the week. */
const MOST_DRIVERS = 500;

interface Remembered {
  readonly history: History;
  /** To be called when a driver was hidden, shown or deleted: nothing from before is told any more. */
  forget(): void;
}

/** Remembers what every profile asks: with a full history, two milliseconds for each. */
export function rememberProfiles(history: History, clock: Pick<Clock, 'monotonic'>): Remembered {
  const week = createMemo<'playtime', Awaited<ReturnType<History['top']>>>(clock, 1);
  const earlier = createMemo<string, Awaited<ReturnType<History['earlierReading']>>>(clock, MOST_DRIVERS);
  return {
    history: {
      ...history,
      top: (subject, span) =>
        subject === 'playtime' && span === 'week'
          ? week.of(subject, () => history.top(subject, span))
          : history.top(subject, span),
      earlierReading: (username) =>
        earlier.of(sameSpelling(username), () => history.earlierReading(username)),
    },
    forget() {
      week.clear();
      earlier.clear();
    },
  };
}

/** Failures are not remembered. */
function createMemo<Key, Value>(clock: Pick<Clock, 'monotonic'>, most: number) {
  const all = new Map<Key, { readonly at: number; readonly value: Promise<Value> }>();
  return {
    of(key: Key, ask: () => Promise<Value>): Promise<Value> {
      const now = clock.monotonic();
      const known = all.get(key);
      if (known !== undefined && now - known.at < MOST_AGE) return known.value;
      if (all.size >= most) all.clear();
      const value = ask();
      all.set(key, { at: now, value });
      value.catch(() => {
        if (all.get(key)?.value === value) all.delete(key);
      });
      return value;
    },
    clear: () => all.clear(),
  };
}
