import type { Layer } from '../call.ts';
import { createFlight, type Flight, isShareRefusal } from './flight.ts';

/** In one process, one request for all who ask the same at once. */
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
      // Whoever asked has had their share, which is nobody else's concern: this one asks in their place.
      if (isShareRefusal(error)) return ask(call);
      throw error;
    }
  };
  return ask;
}
