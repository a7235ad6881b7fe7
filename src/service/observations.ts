import type { Observation } from './endpoints.ts';

type Listener = (observation: Observation, asOf: number) => void;

/** Passes on every record that the service sends, whoever asked for it, so that it is not asked for again. */
export interface Observations {
  readonly publish: Listener;
  /** `asOf`: when the record was true, in unix milliseconds. The returned function ends it. */
  listen(listener: Listener): () => void;
}

export function createObservations(): Observations {
  const listeners = new Set<Listener>();
  return {
    publish(observation, asOf) {
      for (const listener of listeners) listener(observation, asOf);
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
