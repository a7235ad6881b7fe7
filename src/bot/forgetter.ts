import type { ShardsSetting } from '../base/config/shards-setting.ts';
import type { Runtime } from '../base/runtime.ts';
import { createForgetter, type Forgetter, findUndeclared } from '../store/forget.ts';
import type { Stores } from '../store/stores.ts';
import { cleanCopies } from './clean-copies.ts';
import { collections } from './collections.ts';

/**
 * Deletes people until the end, and pays what an earlier process still owes. `cleaner`: file of the process for copies. Of
 * processes that share the store, the one with the first shard pays for all.
 */
export function openForgetter(
  store: Pick<Stores, 'documents' | 'clean' | 'isShared'>,
  { cleaner, shards }: { readonly cleaner: URL; readonly shards: ShardsSetting },
  { clock, log, resources }: Runtime,
): Forgetter {
  const forgetter = createForgetter({
    store,
    collections,
    forgetInCopies: (copies, ids, signal) =>
      cleanCopies({ copies: [...copies], ids: [...ids] }, { cleaner, log, signal }),
    paysDebts: shards === 'auto' || shards.first === 0,
    clock,
    log,
  });
  resources.defer(forgetter.stop);
  void nameUndeclared(store, log);
  return forgetter;
}

async function nameUndeclared(
  { documents }: Pick<Stores, 'documents'>,
  log: Pick<Runtime['log'], 'warn'>,
): Promise<void> {
  // Without an answer of the store there is nothing to say; that it does not answer is said elsewhere.
  const undeclared = await findUndeclared(documents, collections).catch(() => []);
  if (undeclared.length > 0)
    log.warn(
      { collections: undeclared },
      'the store holds collections that this version does not know; /forget-me deletes what names a person there as a whole',
    );
}
