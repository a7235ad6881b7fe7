import { setImmediate } from 'node:timers/promises';

/** How long a slice may block the event loop, in ms: nothing may for 20, and whatever comes before and after adds to it. */
const SLICE = 5;

/** Does the work for each item, one after the other, and lets everything else have its turn every few milliseconds. */
export async function inSlices<Item>(
  items: Iterable<Item>,
  work: (item: Item) => void | Promise<void>,
): Promise<void> {
  let begun = performance.now();
  for (const item of items) {
    const pending = work(item);
    if (pending !== undefined) await pending;
    if (performance.now() - begun < SLICE) continue;
    await setImmediate();
    begun = performance.now();
  }
}

/**
 * One after the other. One that fails, as where its document cannot be read, keeps no other one waiting: it rejects after
 * all of them.
 */
export async function forEachYielding<Item>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  await inSlices(items, (item) => work(item).catch((error: unknown) => void failures.push(error)));
  if (failures.length > 0) throw failures[0];
}
