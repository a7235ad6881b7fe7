import type { Clock } from '../../base/clock.ts';
import type { Layer } from '../call.ts';
import { createCrossProcess } from './cross-process.ts';
import { createFlight, type Flight, isShareRefusal } from './flight.ts';
import type { FlightLock } from './flight-lock.ts';

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

/** Makes one request for identical concurrent calls in one process. */
export function shareInProcess(next: Layer): Layer {
  const flights = new Map<string, Flight>();

  const ask: Layer = async (call) => {
    const { cacheKey } = call;
    const flight = flights.get(cacheKey) ?? createFlight(next, () => flights.delete(cacheKey));
    flights.set(cacheKey, flight);
    const own = flight.join(call);
    if (own !== null) return own;
    try {
      return await flight.answer;
    } catch (error) {
      // The share of the person whose call was sent is used up. That is nobody else's concern: this call is made
      // instead.
      if (isShareRefusal(error)) return ask(call);
      throw error;
    }
  };
  return ask;
}
