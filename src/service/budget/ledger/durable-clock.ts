import { z } from 'zod';
import type { Clock } from '../../../clock.ts';

/** The ledger's time, and what the machine's clocks said at that moment. */
export const ClockReading = z.object({
  time: z.number(),
  wall: z.number(),
  monotonic: z.number(),
  /** The start of the machine that `monotonic` counts from; null where nothing tells one from the next. */
  boot: z.string().nullable(),
});
export type ClockReading = z.infer<typeof ClockReading>;

/** A time of the ledger's own that goes on across restarts, whatever happens to the wall clock. */
export interface DurableClock {
  /** Milliseconds; near Unix time at first. Never less than the time of the `stored` reading. */
  now(stored: ClockReading | null): number;
  reading(time: number): ClockReading;
}

/**
 * While the machine is up, its monotonic clock tells the time. Only over a restart of the machine the wall clock
 * has to be asked, and where it is not sure that there was one, the smaller of what both clocks say has passed:
 * permits may count for too long, never for too short a time.
 */
export function openDurableClock(clock: Clock, boot: string | null): DurableClock {
  let origin: number | null = null;

  function passedSince(stored: ClockReading): number {
    const monotonic = clock.monotonic() - stored.monotonic;
    const wall = clock.now() - stored.wall;
    if (monotonic < 0) return wall;
    return boot !== null && boot === stored.boot ? monotonic : Math.min(monotonic, wall);
  }

  return {
    now: (stored) => {
      const monotonic = clock.monotonic();
      origin ??= (stored === null ? clock.now() : stored.time + passedSince(stored)) - monotonic;
      // Time never goes back: the wall clock may have been put back, and another process may be ahead by a hair.
      if (stored !== null) origin = Math.max(origin, stored.time - monotonic);
      return origin + monotonic;
    },
    reading: (time) => ({ time, wall: clock.now(), monotonic: clock.monotonic(), boot }),
  };
}
