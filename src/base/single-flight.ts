/** Runs `work` unless a run for that key is under way, whose result all callers share. */
export function createSingleFlight<T>(): (key: string, work: () => Promise<T>) => Promise<T> {
  const flights = new Map<string, Promise<T>>();
  return (key, work) => {
    const existingFlight = flights.get(key);
    if (existingFlight !== undefined) return existingFlight;
    const flight = work().finally(() => flights.delete(key));
    flights.set(key, flight);
    return flight;
  };
}
