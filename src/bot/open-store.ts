import { openRecentNames, type RecentNamesMemory } from '../app/names/recent-names.ts';
import type { Config } from '../base/config.ts';
import { openStores } from '../store/open.ts';
import { remembered } from '../store/remembered.ts';
import { saveNames } from './jobs.ts';
import type { Runtime } from './runtime.ts';
import type { Stores } from './stores.ts';

/** Limits of the names in the store. */
const NAMES = { maxRows: 1, maxBytes: 16 * 1024 * 1024 };

export async function openStore(place: Config['store'], { clock, log, resources }: Runtime): Promise<Stores> {
  const opened = await openStores(place, { clock, log });
  resources.defer(() => opened.close());
  return opened.lock === null ? remembered(opened) : opened;
}

/** The names that were seen before the last stop, and all since. */
export async function openNames(
  store: Pick<Stores, 'namespace' | 'lock'>,
  { clock, log, resources }: Runtime,
): Promise<RecentNamesMemory> {
  const recentNames = await openRecentNames(store.namespace('seen', NAMES), {
    shared: store.lock !== null,
    now: clock.now,
    failed: (error) => log.warn({ err: error }, 'recent names not saved'),
  });
  resources.defer(saveNames(recentNames));
  return recentNames;
}
