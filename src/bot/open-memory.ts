import { openRecentNames, type RecentNamesMemory } from '../app/names/recent-names.ts';
import type { Clock } from '../base/clock.ts';
import type { Config } from '../base/config.ts';
import type { Log } from '../base/log.ts';
import { openStores } from '../store/open.ts';
import { remembered } from '../store/remembered.ts';
import { saveNames } from './jobs.ts';
import type { Stores } from './stores.ts';

/** Limits of the names in the store. */
const NAMES = { maxRows: 1, maxBytes: 16 * 1024 * 1024 };

export interface Outside {
  readonly clock: Clock;
  readonly log: Log;
}

export interface Memory {
  readonly store: Stores;
  readonly recentNames: RecentNamesMemory;
}

/** Opens the store and everything restored from it. */
export async function openMemory(
  config: Config,
  { clock, log }: Outside,
  open: AsyncDisposableStack,
): Promise<Memory> {
  const opened = await openStores(config.store, { clock, log });
  open.defer(() => opened.close());
  const shared = opened.lock !== null;
  const store = shared ? opened : remembered(opened);
  const recentNames = await openRecentNames(store.namespace('seen', NAMES), {
    shared,
    now: clock.now,
    failed: (error) => log.warn({ err: error }, 'recent names not saved'),
  });
  open.defer(saveNames(recentNames));
  return { store, recentNames };
}
