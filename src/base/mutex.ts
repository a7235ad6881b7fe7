/** Runs work one after the other for each key, in the order in which it comes, whatever becomes of what runs before it. */
export function createMutex(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<void>>();
  return async (key, work) => {
    const done = (last.get(key) ?? Promise.resolve()).then(work);
    const over = done.then(
      () => {},
      () => {},
    );
    last.set(key, over);
    try {
      return await done;
    } finally {
      if (last.get(key) === over) last.delete(key);
    }
  };
}
