/** Runs the work of each key one after the other, in the order of the calls. A failure does not stop the work behind it. */
export function createMutex(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const lastSettlements = new Map<string, Promise<void>>();
  return async (key, work) => {
    const result = (lastSettlements.get(key) ?? Promise.resolve()).then(work);
    const settlement = result.then(
      () => {},
      () => {},
    );
    lastSettlements.set(key, settlement);
    try {
      return await result;
    } finally {
      if (lastSettlements.get(key) === settlement) lastSettlements.delete(key);
    }
  };
}
