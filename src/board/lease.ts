/** Of several processes with one store, the one that holds the lease keeps the boards. */
import type { Clock } from '../clock.ts';
import type { BoardRecords } from '../store/board-records.ts';

export interface Lease {
  isHeld(): boolean;
  /** Takes it or makes it longer, if no other process has it. Rejects where the store fails; what is held stays held. */
  renew(): Promise<void>;
  release(): Promise<void>;
}

/** Milliseconds: a killed process's boards are taken over after so long at the latest. */
const LENGTH = 15_000;

export function createLease(parts: {
  readonly records: BoardRecords;
  readonly clock: Clock;
  /** 0 to 1. */
  readonly random: () => number;
}): Lease {
  const { records, clock, random } = parts;
  const holder = String(random()).slice(2) + String(random()).slice(2);
  let heldUntil = Number.NEGATIVE_INFINITY;

  return {
    isHeld: () => clock.monotonic() < heldUntil,
    async renew() {
      // Before the wait: the store counts from some moment during it.
      const asked = clock.monotonic();
      const isHeld = await records.lease(holder, clock.now(), LENGTH);
      heldUntil = isHeld ? asked + LENGTH : Number.NEGATIVE_INFINITY;
    },
    release: () => records.release(holder),
  };
}
