import type { Layer } from '../call.ts';
import { createFlight, type Flight, isShareRefusal } from './flight.ts';

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
