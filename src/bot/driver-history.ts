import type { Config } from '../base/config.ts';
import { MINUTE } from '../base/duration.ts';
import { every } from '../base/every.ts';
import type { Runtime } from '../base/runtime.ts';
import { createForgetDriver } from '../history/forget-driver.ts';
import { READ_EVERY } from '../history/intake.ts';
import { createLookUps } from '../history/look-ups.ts';
import { createQuestions } from '../history/questions.ts';
import { createRecorder } from '../history/recorder.ts';
import { rememberProfiles } from '../history/remembered.ts';
import { createHiddenDrivers } from '../people/hidden-drivers.ts';
import { patiently } from '../store/patiently.ts';
import type { DriverHistory, Parts } from './parts.ts';
import type { States } from './states.ts';
import type { Stores } from './stores.ts';

/** In ms: another process may have hidden a driver. */
const REFRESH_EVERY = MINUTE;

/** Resolves once it is known which drivers are hidden. */
export async function openDriverHistory(
  drivers: Config['drivers'],
  links: States['links'],
  { history: chunks, historyCopies }: Pick<Stores, 'history' | 'historyCopies'>,
  { clock, log, resources }: Runtime,
): Promise<DriverHistory> {
  const hidden = createHiddenDrivers(links, drivers);
  await patiently(hidden.refresh, {
    clock,
    waiting: (error) => log.warn({ err: error }, 'waiting for the store, which knows the hidden drivers'),
  });
  const { isHidden, isLinked } = hidden;
  const { history, forget } = rememberProfiles(createQuestions({ chunks, clock, isHidden }), clock);
  hidden.onChange(forget);
  const refreshing = every(clock, REFRESH_EVERY, hidden.refresh, (error) =>
    log.warn({ err: error }, 'hidden drivers unreadable'),
  );
  resources.defer(refreshing.stop);
  return {
    hidden,
    history,
    lookUps: createLookUps({ chunks, clock, isHidden, isLinked }),
    forgetDriver: createForgetDriver({
      chunks,
      copies: historyCopies,
      deleted: forget,
      unreached: (copy, error) =>
        log.error({ copy, err: error }, 'a driver was deleted, but not from this copy: delete it'),
    }),
  };
}

/** Reads the live files for history, every 10 seconds where no board needs them sooner. */
export function record(
  parts: Pick<Parts, 'store' | 'cluster' | 'driverHistory' | 'dataService'>,
  { clock, log, resources }: Runtime,
): void {
  const { store, cluster, driverHistory, dataService } = parts;
  const { hidden, lookUps } = driverHistory;
  const { poll, observations } = dataService;
  const recorder = createRecorder({
    chunks: store.history,
    clock,
    isHidden: hidden.isHidden,
    lookUps,
    holdsLease: () => cluster.fenceOf(null) !== null,
    failed: (error) => log.error({ err: error }, 'history not written'),
  });
  cluster.onRelease(async (has) => {
    if (has(null)) await recorder.release();
  });
  resources.defer(() => recorder.stop());
  resources.defer(observations.listen(lookUps.observed));
  void recorder.start();
  resources.defer(poll.watch(['live'], () => recorder.read(poll.facts), READ_EVERY));
}
