import type { Clock } from './service/call.ts';

/** Beside the wall clock, which may be stepped in either direction at any moment, one that only grows. */
export interface MachineClock extends Clock {
  /** Milliseconds, counted alike by every process on this machine since it was started. */
  monotonic(): number;
  /** Calls back once after `ms` milliseconds of monotonic time; what it returns cancels that. */
  after(ms: number, callback: () => void): () => void;
}

export const machineClock: MachineClock = {
  now: () => Date.now(),
  monotonic: () => Number(process.hrtime.bigint()) / 1e6,
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};
