import { inSlices } from './in-slices.ts';

/**
 * One after the other. One that fails, as where its document cannot be read, keeps no other one waiting: it rejects after
 * all of them.
 */
export async function each<Item>(items: Iterable<Item>, work: (item: Item) => Promise<void>): Promise<void> {
  const failures: unknown[] = [];
  await inSlices(items, (item) => work(item).catch((error: unknown) => void failures.push(error)));
  if (failures.length > 0) throw failures[0];
}
