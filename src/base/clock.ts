import { SECOND } from './duration.ts';

/** Time, passed in so that tests can control it and a simulated day runs in seconds. */
export interface Clock {
  /** Wall-clock time in unix milliseconds; it may jump in either direction. */
  now(): number;
  /** Milliseconds since boot; never goes back, and is the same for every process on this machine. */
  monotonic(): number;
  /** Calls back once after `ms` milliseconds of monotonic time; the returned function cancels it. */
  after(ms: number, callback: () => void): () => void;
}

/** A wall clock further from Discord's than this, in ms, is named in the log and in `/diagnose`, once several answers agree. */
export const MAX_CLOCK_SKEW_MS = 30 * SECOND;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => Number(process.hrtime.bigint()) / 1e6,
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

/** Resolves after `ms`. Rejects with the signal's reason as soon as it is aborted. */
export async function sleep(clock: Pick<Clock, 'after'>, ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  const { promise: timer, resolve, reject } = Promise.withResolvers<void>();
  const abort = (): void => reject(signal?.reason);
  const cancel = clock.after(ms, resolve);
  signal?.addEventListener('abort', abort);
  try {
    await timer;
  } finally {
    cancel();
    signal?.removeEventListener('abort', abort);
  }
}

/** The result of the work, or null if it takes longer than `ms`. The work itself continues. */
export async function resolveWithin<T>(
  work: Promise<T>,
  ms: number,
  clock: Pick<Clock, 'after'> = systemClock,
): Promise<T | null> {
  const { promise: timeout, resolve } = Promise.withResolvers<null>();
  const cancel = clock.after(ms, () => resolve(null));
  try {
    return await Promise.race([work, timeout]);
  } finally {
    cancel();
  }
}

/**
 * Passes a signal to the work that is aborted after `ms`, or with `outer`, unless the work has ended before.
 * `AbortSignal.timeout` goes off in any case, and the error that it makes then was a twentieth of what a cached command costs;
 * `AbortSignal.any` was a fiftieth.
 */
export async function abortAfter<T>(
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
  {
    outer = null,
    clock = systemClock,
  }: { readonly outer?: AbortSignal | null | undefined; readonly clock?: Pick<Clock, 'after'> } = {},
): Promise<T> {
  const limit = new AbortController();
  const abort = (): void => limit.abort(outer?.reason);
  if (outer?.aborted === true) abort();
  const cancel = clock.after(ms, () => limit.abort());
  outer?.addEventListener('abort', abort);
  try {
    return await work(limit.signal);
  } finally {
    cancel();
    outer?.removeEventListener('abort', abort);
  }
}
