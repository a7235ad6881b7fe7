import type { Clock } from '../../../../src/base/clock.ts';

/** So many seconds of a board pass in one of ours while something real is under way: a request takes the same time. */
const BUSY = 20;
/** And so many while nothing is. */
const IDLE = 250;

export interface FastClock {
  readonly clock: Clock;
  /** Something real is under way, until what it returns is called. */
  hold(): () => void;
  /** The same work, which holds the time back for as long as it takes. */
  holding<A extends unknown[], R>(work: (...args: A) => Promise<R>): (...args: A) => Promise<R>;
  /** No timer goes off any more, those of killed processes included: they would run on beside the next test file. */
  end(): void;
}

interface Timer {
  readonly due: number;
  readonly callback: () => void;
}

/**
 * A clock for real requests and real connections. It never runs past the next timer: between two of them the process
 * always gets round to what has come in, however busy the machine is.
 */
export function createFastClock(): FastClock {
  const wall = Date.now();
  const timers = new Set<Timer>();
  let passed = 0;
  let since = performance.now();
  let held = 0;
  let real: NodeJS.Timeout | undefined;
  let ended = false;

  const rate = (): number => (held > 0 ? BUSY : IDLE);
  const first = (): Timer | undefined => [...timers].reduce<Timer | undefined>(earlier, undefined);

  function elapsed(): number {
    const raw = passed + (performance.now() - since) * rate();
    return Math.max(passed, Math.min(raw, first()?.due ?? raw));
  }

  function arm(): void {
    clearTimeout(real);
    const next = first();
    if (next !== undefined && !ended) real = setTimeout(fire, Math.max(0, next.due - elapsed()) / rate());
  }

  function fire(): void {
    const next = first();
    if (next === undefined) return;
    timers.delete(next);
    passed = Math.max(passed, next.due);
    since = performance.now();
    arm();
    next.callback();
  }

  function hold(): () => void {
    const change = (by: number): void => {
      passed = elapsed();
      since = performance.now();
      held += by;
      arm();
    };
    change(1);
    return () => change(-1);
  }

  return {
    clock: {
      now: () => Math.floor(wall + elapsed()),
      monotonic: elapsed,
      after(ms, callback) {
        const timer = { due: elapsed() + ms, callback };
        timers.add(timer);
        arm();
        return () => {
          timers.delete(timer);
          arm();
        };
      },
    },
    hold,
    holding:
      (work) =>
      async (...args) => {
        const release = hold();
        try {
          return await work(...args);
        } finally {
          release();
        }
      },
    end() {
      ended = true;
      clearTimeout(real);
    },
  };
}

function earlier(one: Timer | undefined, other: Timer): Timer {
  return one === undefined || other.due < one.due ? other : one;
}
