import type { Clock } from '../../src/base/clock.ts';

export interface ManualClock extends Clock {
  /** Lets so many milliseconds pass. */
  pass(ms: number): void;
  /** Resolves when a timer of so many milliseconds runs. */
  timer(ms: number): Promise<void>;
}

/** Time stands still until it is told to pass. */
export function createManualClock(): ManualClock {
  const timers = new Set<{ readonly ms: number; readonly due: number; readonly callback: () => void }>();
  const awaited = new Map<number, () => void>();
  let now = 0;
  return {
    now: () => now,
    monotonic: () => now,
    after(ms, callback) {
      const timer = { ms, due: now + ms, callback };
      timers.add(timer);
      awaited.get(ms)?.();
      return () => timers.delete(timer);
    },
    pass(ms) {
      now += ms;
      for (const timer of [...timers]) {
        if (timer.due > now || !timers.delete(timer)) continue;
        timer.callback();
      }
    },
    timer(ms) {
      const { promise, resolve } = Promise.withResolvers<void>();
      awaited.set(ms, resolve);
      if ([...timers].some((timer) => timer.ms === ms)) resolve();
      return promise;
    },
  };
}

/** The same clock, and how many of its timers are set. */
export function countTimers(clock: Clock): { readonly clock: Clock; timers(): number } {
  const set = new Set<object>();
  return {
    timers: () => set.size,
    clock: {
      ...clock,
      after(ms, callback) {
        const timer = {};
        set.add(timer);
        const cancel = clock.after(ms, () => {
          set.delete(timer);
          callback();
        });
        return () => {
          set.delete(timer);
          cancel();
        };
      },
    },
  };
}
