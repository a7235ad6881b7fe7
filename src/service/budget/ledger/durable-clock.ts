import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Clock } from '../../../base/clock.ts';

/** The ledger's time, with the machine's clocks at that moment. */
export const ClockReading = z.object({
  time: z.number(),
  wall: z.number(),
  monotonic: z.number(),
  /** Identifies the boot that `monotonic` counts from; null where boots cannot be told apart. */
  boot: z.string().nullable(),
});
export type ClockReading = z.infer<typeof ClockReading>;

/** The ledger's time. `wall`: the clock of its database, in unix milliseconds. */
export interface LedgerClock {
  /** Milliseconds; close to Unix time at first. Never before the time of the `stored` reading. */
  now(stored: ClockReading | null, wall: number): number;
  reading(time: number, wall: number): ClockReading;
}

/** Time by the database's own clock, for processes of several machines. While that is set back, time stands still. */
export const serverClock: LedgerClock = {
  now: (stored, wall) => (stored === null ? wall : stored.time + Math.max(0, wall - stored.wall)),
  reading: (time, wall) => ({ time, wall, monotonic: 0, boot: null }),
};

/**
 * While the machine is up, its monotonic clock gives the time. The wall clock is used only across a reboot. Where a
 * reboot is uncertain, the smaller of the two elapsed times counts: permits may stay in force too long, never too
 * short.
 */
export function openDurableClock(clock: Clock, boot = readBootId()) {
  let origin: number | null = null;

  function passedSince(stored: ClockReading): number {
    const monotonic = clock.monotonic() - stored.monotonic;
    const wall = clock.now() - stored.wall;
    if (monotonic < 0) return wall;
    return boot !== null && boot === stored.boot ? monotonic : Math.min(monotonic, wall);
  }

  return {
    now: (stored: ClockReading | null): number => {
      const monotonic = clock.monotonic();
      origin ??= (stored === null ? clock.now() : stored.time + passedSince(stored)) - monotonic;
      // Time never goes back, although the wall clock may be set back and another process may be slightly ahead.
      if (stored !== null) origin = Math.max(origin, stored.time - monotonic);
      return origin + monotonic;
    },
    reading: (time: number): ClockReading => ({
      time,
      wall: clock.now(),
      monotonic: clock.monotonic(),
      boot,
    }),
  } satisfies LedgerClock;
}

/** Linux has an id for each boot; elsewhere the durable clock works without. */
function readBootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return null;
  }
}
