/** An event with any number of listeners. `Event` is the tuple of their arguments. */
export interface Listeners<Event extends readonly unknown[]> {
  call(...event: Event): void;
  /** Adds a listener; the returned function removes it. */
  listen(listener: (...event: Event) => void): () => void;
}

export function createListeners<Event extends readonly unknown[]>(): Listeners<Event> {
  const listeners = new Set<(...event: Event) => void>();
  return {
    call(...event) {
      for (const listener of listeners) listener(...event);
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
