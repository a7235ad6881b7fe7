import { openRecentNames, type RecentNamesMemory } from '../app/names/recent-names.ts';
import type { Config } from '../base/config.ts';
import { MINUTE } from '../base/duration.ts';
import { every } from '../base/every.ts';
import type { Runtime } from '../base/runtime.ts';
import { openStores } from '../store/open.ts';
import type { Stores } from './stores.ts';

/** How often new names are saved, in ms: they survive a crash but for those of this time. */
const SAVE_EVERY = MINUTE;
/** Limits of the names in the store. */
const NAMES = { maxRows: 1, maxBytes: 16 * 1024 * 1024 };

export async function openStore(place: Config['store'], { clock, log, resources }: Runtime): Promise<Stores> {
  const opened = await openStores(place, { clock, log });
  resources.defer(() => opened.close());
  return opened;
}

/** The names that were seen before the last stop, and all since. */
export async function openNames(
  store: Pick<Stores, 'namespace' | 'lock'>,
  { clock, log, resources }: Runtime,
): Promise<RecentNamesMemory> {
  const failed = (error: unknown): void => log.warn({ err: error }, 'recent names not saved');
  const recentNames = await openRecentNames(store.namespace('seen', NAMES), {
    shared: store.lock !== null,
    now: clock.now,
    failed,
  });
  resources.defer(recentNames.save);
  resources.defer(every(clock, SAVE_EVERY, recentNames.save, failed).stop);
  return recentNames;
}
