import { setImmediate } from 'node:timers/promises';

/** Longest slice of work, in ms. Nothing may block the event loop for 20, and the work around a slice adds to it. */
const MAX_SLICE_MS = 5;

/**
 * Does the work for one item after the other, and yields to the event loop every few milliseconds. What asynchronous work
 * begins and does not await counts as well, up to its first wait for something outside the process.
 */
export async function forEachInSlices<Item>(
  items: Iterable<Item>,
  work: (item: Item) => void | Promise<void>,
): Promise<void> {
  let sliceStart = performance.now();
  for (const item of items) {
    const pending = work(item);
    if (pending !== undefined) {
      await pending;
      // Runs after all promises that are settled: over a file, all of what was begun may be done by then.
      await new Promise<void>((resolve) => void process.nextTick(resolve));
    }
    if (performance.now() - sliceStart < MAX_SLICE_MS) continue;
    await setImmediate();
    sliceStart = performance.now();
  }
}

/**
 * Like {@link forEachInSlices}, but a failure (a document that cannot be read) stops no later item: rejects with the first
 * failure after the last item.
 */
export async function forEachYielding<Item>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  await forEachInSlices(items, (item) => work(item).catch((error: unknown) => void failures.push(error)));
  if (failures.length > 0) throw failures[0];
}
