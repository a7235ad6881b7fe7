/** What comes of the work, or null if that takes longer than so many milliseconds. The work itself goes on. */
export async function within<T>(work: Promise<T>, milliseconds: number): Promise<T | null> {
  const { promise: over, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(resolve, milliseconds, null);
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
}
