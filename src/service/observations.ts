import type { Observation } from './endpoints.ts';

/** `asOf`: when the record was true, in unix milliseconds. */
type Listener = (observation: Observation, asOf: number) => void;

/** Passes on every record that the service sends, whoever asked for it, so that it is not asked for again. */
export function createObservations() {
  const listeners = new Set<Listener>();
  return {
    publish(...observed: Parameters<Listener>): void {
      for (const listener of listeners) listener(...observed);
    },
    /** The returned function ends it. */
    listen(listener: Listener): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
