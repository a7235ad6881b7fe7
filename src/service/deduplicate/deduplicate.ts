import type { Clock } from '../../clock.ts';
import type { Layer } from '../call.ts';
import { createCrossProcess } from './cross-process.ts';
import type { FlightLock } from './flight-lock.ts';
import { shareInProcess } from './local.ts';

export interface DeduplicateSettings {
  /** Where several processes share a store; null: this one is alone. */
  readonly lock: FlightLock | null;
  readonly clock: Pick<Clock, 'after'>;
}

/** Makes one request of the same question asked several times at once, in this process and in all others. */
export function createDeduplicate({ lock, clock }: DeduplicateSettings): (next: Layer) => Layer {
  if (lock === null) return shareInProcess;
  const acrossProcesses = createCrossProcess({ lock, clock });
  return (next) => shareInProcess(acrossProcesses(next));
}
