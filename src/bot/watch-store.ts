import { sleep } from '../base/clock.ts';
import { SECOND } from '../base/duration.ts';
import { ServiceError, StoreError } from '../base/errors.ts';
import { createJob, startJobs } from '../base/job.ts';
import type { Log } from '../base/log.ts';
import { createOutage } from '../base/outage.ts';
import type { Runtime } from '../base/runtime.ts';
import type { Stores } from '../store/stores.ts';

const CHECK_INTERVAL_MS = 15 * SECOND;
/** Time in which a process that slept, or a store that restarts, has a new connection, in ms. */
const RECONNECT_MS = SECOND;

export interface StoreHealth {
  /** The reason why nothing can be stored now; null where it can. */
  readonly writes: string | null;
  /** The reason why history cannot be used; null where it can. */
  readonly history: string | null;
}

/**
 * Sees all the time whether something can be stored: reading goes on where a disk is full. An outage has one line of the log
 * when it begins, and one when it ends. `log`: for parts that use the store; what fails because of an outage is logged at
 * `debug` there.
 */
export function watchStore(
  { checkWrites, historyTrouble }: Pick<Stores, 'checkWrites' | 'historyTrouble'>,
  { clock, log, resources }: Runtime,
): { readonly health: () => StoreHealth; readonly log: Log } {
  let writes: string | null = null;
  const outage = createOutage(
    () => log.error({ why: writes }, 'nothing can be stored'),
    () => log.info('what is new can be stored again'),
  );
  const check = createJob(clock, CHECK_INTERVAL_MS, async () => {
    try {
      await checkWrites().catch(() => sleep(clock, RECONNECT_MS).then(checkWrites));
      writes = null;
      outage.worked();
    } catch (error) {
      writes = error instanceof Error ? error.message : 'for an unknown reason';
      outage.failed(error);
    }
  });
  startJobs(resources, [check]);

  const childOf: (this: Log, fields: Readonly<Record<string, unknown>>) => Log = log.child;
  /**
   * Changes a log that nobody else has, and each of its children. Lines go through the methods of the log that was given, on behalf
   * of the changed one: they have its fields, and the level that is set at that moment.
   */
  function quieten(own: Log): Log {
    const inOutage =
      (level: 'warn' | 'error') =>
      (fields: { readonly err?: unknown }, message: string): void => {
        const isOfStore = isFromStore(fields.err);
        // It may be over by the time of the look.
        const wasOut = writes !== null;
        const write = (): void =>
          log[isOfStore && (wasOut || writes !== null) ? 'debug' : level].call(own, fields, message);
        if (isOfStore) void check.now().then(write);
        else write();
      };
    const child = (fields: Readonly<Record<string, unknown>>): Log => quieten(childOf.call(own, fields));
    return Object.assign(own, { warn: inOutage('warn'), error: inOutage('error'), child });
  }
  return { health: () => ({ writes, history: historyTrouble }), log: quieten(log.child({})) };
}

/** Tells whether an error has the store as its cause: a question of the data service needs a permit that is stored, too. */
function isFromStore(error: unknown): boolean {
  return error instanceof StoreError || (error instanceof ServiceError && error.fault === 'store-away');
}
