import { SECOND } from '../base/duration.ts';
import { createOutage } from '../base/outage.ts';
import { repeatEvery } from '../base/repeat-every.ts';
import type { Runtime } from '../base/runtime.ts';
import type { Stores } from '../store/stores.ts';

/** In ms. */
const LOOK_INTERVAL_MS = 15 * SECOND;

export interface StoreHealth {
  /** The reason why nothing can be stored now; null where it can. */
  readonly writes: string | null;
  /** The reason why history cannot be used; null where it can. */
  readonly history: string | null;
}

/** Sees all the time whether something can be stored: reading goes on where a disk is full. */
export function watchStore(
  { checkWrites, historyTrouble }: Pick<Stores, 'checkWrites' | 'historyTrouble'>,
  { clock, log, resources }: Runtime,
): () => StoreHealth {
  let writes: string | null = null;
  const outage = createOutage(
    (error) => log.error({ err: error }, 'nothing can be stored'),
    () => log.info('what is new can be stored again'),
  );
  const looking = repeatEvery(clock, LOOK_INTERVAL_MS, async () => {
    const check = async (): Promise<null> => checkWrites().then(() => null);
    writes = await outage.attempt(check, (error) =>
      error instanceof Error ? error.message : 'for an unknown reason',
    );
  });
  resources.defer(looking.stop);
  void looking.now();
  return () => ({ writes, history: historyTrouble });
}
