/** Time, passed in so that a test can hold it and a simulated day can run in seconds. */
export interface Clock {
  /** Wall-clock time in unix milliseconds; it may be stepped in either direction at any moment. */
  now(): number;
  /** Milliseconds that only grow, counted alike by every process on this machine since it was started. */
  monotonic(): number;
  /** Calls back once after `ms` milliseconds of monotonic time; what it returns cancels that. */
  after(ms: number, callback: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => Number(process.hrtime.bigint()) / 1e6,
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

/** The result of the work, or null if it takes longer than `ms` milliseconds. The work itself goes on. */
export async function within<T>(work: Promise<T>, ms: number, clock: Clock = systemClock): Promise<T | null> {
  const { promise: over, resolve } = Promise.withResolvers<null>();
  const cancel = clock.after(ms, () => resolve(null));
  try {
    return await Promise.race([work, over]);
  } finally {
    cancel();
  }
}
