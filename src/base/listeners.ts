import { contain } from './outage.ts';

/** An event with any number of listeners. `Event` is the tuple of their arguments. */
export interface Listeners<Event extends readonly unknown[]> {
  /** Calls all listeners at once; a failure of one stops no other. Resolves when the last one is done. */
  call(...event: Event): Promise<void>;
  /**
   * Adds a listener; the returned function removes it. `onFailure` is called once for several failures in a row; a listener
   * that never fails needs none.
   */
  listen(
    listener: (...event: Event) => void | Promise<void>,
    onFailure?: (error: unknown) => void,
  ): () => void;
}

export function createListeners<Event extends readonly unknown[]>(): Listeners<Event> {
  const listeners = new Set<(...event: Event) => Promise<void>>();
  return {
    async call(...event) {
      await Promise.all([...listeners].map((listener) => listener(...event)));
    },
    listen(listener, onFailure = throwError) {
      const contained = contain(listener, onFailure, () => {});
      listeners.add(contained);
      return () => void listeners.delete(contained);
    },
  };
}

/** Makes a failure without a handler an unhandled rejection. */
function throwError(error: unknown): never {
  throw error;
}
