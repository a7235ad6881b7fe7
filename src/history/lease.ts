/** Of several processes with one store, the holder of the lease writes history. */
import type { Clock } from '../base/clock.ts';
import type { HistoryChunks } from '../store/history-chunks.ts';

export interface Lease {
  isHeld(): boolean;
  /**
   * Takes or extends the lease if no other process has it. Rejects where the store fails; a held lease then stays
   * held.
   */
  renew(): Promise<void>;
  release(): Promise<void>;
}

/** In ms; the longest time until another process goes on after one was killed. */
const LENGTH = 15_000;

export function createLease(parts: {
  readonly records: Pick<HistoryChunks, 'lease' | 'release'>;
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
      // Measured before the call: the store's time starts somewhere during it.
      const asked = clock.monotonic();
      const isHeld = await records.lease(holder, clock.now(), LENGTH);
      heldUntil = isHeld ? asked + LENGTH : Number.NEGATIVE_INFINITY;
    },
    release: () => records.release(holder),
  };
}
