import type { Keyv } from 'keyv';
import { MINUTE } from '../../base/duration.ts';
import { repeatEvery } from '../../base/repeat-every.ts';
import type { Runtime } from '../../base/runtime.ts';
import { openRecentNames, type RecentNamesMemory } from './recent-names.ts';

/** How often new names are saved, in ms: a crash loses those of this time. */
const SAVE_INTERVAL_MS = MINUTE;
/** Limits of the names in the store, in parts of some thousand. */
const LIMITS = { maxRows: 20, maxBytes: 16 * 1024 * 1024 };

/** The names that were seen before the last stop, and all since. */
export async function keepRecentNames(
  store: {
    /** Redis is shared by processes. */
    readonly backend: { readonly kind: 'sqlite' | 'redis' };
    readonly namespace: (name: string, limits: typeof LIMITS) => Keyv;
  },
  { clock, log, resources }: Runtime,
): Promise<RecentNamesMemory> {
  const { backend, namespace } = store;
  const failed = (error: unknown): void => log.warn({ err: error }, 'recent names not saved');
  const recentNames = await openRecentNames(namespace('seen', LIMITS), {
    shared: backend.kind === 'redis',
    now: clock.now,
    failed,
  });
  resources.defer(recentNames.save);
  resources.defer(repeatEvery(clock, SAVE_INTERVAL_MS, recentNames.save, failed).stop);
  return recentNames;
}
