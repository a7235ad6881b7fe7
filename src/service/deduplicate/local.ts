import type { Layer } from '../call.ts';
import { createFlight, type Flight } from './flight.ts';

/** In one process, one request for all who ask the same at once. */
export function shareInProcess(next: Layer): Layer {
  const flights = new Map<string, Flight>();
  const ask: Layer = (call) => {
    const { cacheKey } = call;
    const flight =
      flights.get(cacheKey) ?? createFlight({ next, ask, landed: () => flights.delete(cacheKey) });
    flights.set(cacheKey, flight);
    return flight.join(call);
  };
  return ask;
}
