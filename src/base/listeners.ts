/** Passes on what happens to all who listen. */
export interface Listeners<Happened extends readonly unknown[]> {
  call(...happened: Happened): void;
  /** The returned function ends it. */
  listen(listener: (...happened: Happened) => void): () => void;
}

export function createListeners<Happened extends readonly unknown[]>(): Listeners<Happened> {
  const listeners = new Set<(...happened: Happened) => void>();
  return {
    call(...happened) {
      for (const listener of listeners) listener(...happened);
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
