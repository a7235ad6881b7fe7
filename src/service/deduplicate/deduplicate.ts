import type { Clock } from '../../base/clock.ts';
import type { Layer } from '../call.ts';
import { createCrossProcess } from './cross-process.ts';
import type { FlightLock } from './flight-lock.ts';
import { shareInProcess } from './local.ts';

interface DeduplicateSettings {
  /** Null: this process has no store to share with others. */
  readonly lock: FlightLock | null;
  readonly clock: Clock;
}

/** Makes one request for identical concurrent calls, in this process and across processes. */
export function createDeduplicate({ lock, clock }: DeduplicateSettings): (next: Layer) => Layer {
  if (lock === null) return shareInProcess;
  const acrossProcesses = createCrossProcess({ lock, clock });
  return (next) => shareInProcess(acrossProcesses(next));
}
