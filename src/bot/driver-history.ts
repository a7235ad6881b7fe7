import { type OwnData, type OwnHistory, ownHistory } from '../app/own-history.ts';
import type { Config } from '../base/config.ts';
import { MINUTE } from '../base/duration.ts';
import { every } from '../base/every.ts';
import { type Forgettable, forgetDriver, forgetInCopies } from '../history/forget-driver.ts';
import { createHiddenDrivers, type HiddenDrivers } from '../history/hidden.ts';
import { READ_EVERY } from '../history/intake.ts';
import { createOffers } from '../history/offers.ts';
import { createQuestions } from '../history/questions.ts';
import { createReadings, figuresOf } from '../history/readings.ts';
import { createRecorder } from '../history/recorder.ts';
import { rememberProfiles } from '../history/remembered.ts';
import { patiently } from '../store/patiently.ts';
import type { DriverHistory, Parts } from './parts.ts';
import type { Runtime } from './runtime.ts';
import type { Stores } from './stores.ts';

/** In ms: another process may have hidden a driver. */
const REFRESH_EVERY = MINUTE;

/** Resolves once it is known which drivers are hidden. */
export async function openDriverHistory(
  drivers: Config['drivers'],
  { links, history: chunks }: Pick<Stores, 'links' | 'history'>,
  { clock, log, resources }: Runtime,
): Promise<DriverHistory> {
  const known = createHiddenDrivers(links, drivers);
  await patiently(known.refresh, {
    clock,
    waiting: (error) => log.warn({ err: error }, 'waiting for the store, which knows the hidden drivers'),
  });
  const { isHidden, isLinked } = known;
  const { history, forget } = rememberProfiles(createQuestions({ chunks, clock, isHidden }), clock);
  const hidden: HiddenDrivers = {
    ...known,
    hide: (personId, isToBe) => known.hide(personId, isToBe).finally(forget),
    refresh: () => known.refresh().finally(forget),
  };
  const refreshing = every(clock, REFRESH_EVERY, hidden.refresh, (error) =>
    log.warn({ err: error }, 'hidden drivers unreadable'),
  );
  resources.defer(refreshing.stop);
  return {
    hidden,
    history,
    forgetAnswers: forget,
    readings: createReadings({ chunks, clock, isHidden, isLinked }),
    offers: createOffers({ chunks, isHidden }),
  };
}

/** Reads the live files for history, every 10 seconds where no board needs them sooner. */
export function record(
  parts: Pick<Parts, 'store' | 'cluster' | 'driverHistory' | 'dataService'>,
  { clock, log, resources }: Runtime,
): void {
  const { store, cluster, driverHistory, dataService } = parts;
  const { hidden, readings, offers } = driverHistory;
  const { poll, observations } = dataService;
  const recorder = createRecorder({
    chunks: store.history,
    clock,
    isHidden: hidden.isHidden,
    readings: {
      changes: async () => [...(await readings.changes()), ...(await offers.changes())],
      expired: readings.expired,
    },
    holdsLease: () => cluster.fenceOf(null) !== null,
    failed: (error) => log.error({ err: error }, 'history not written'),
  });
  cluster.onRelease(async (has) => {
    if (has(null)) await recorder.release();
  });
  resources.defer(() => recorder.stop());
  resources.defer(
    observations.listen((seen, at) => {
      if (seen.kind === 'profile') readings.note(seen.record.username, at, () => figuresOf(seen.record));
      else offers.note(seen.record, at);
    }),
  );
  void recorder.start();
  resources.defer(poll.watch(['live'], () => recorder.read(poll.facts), READ_EVERY));
}

/** A person's data, with their driver's history and its copies. */
export function withHistory({
  store,
  log,
  hidden,
  forgetAnswers,
  recentNames,
}: {
  readonly store: Pick<Stores, 'userData' | 'links' | 'historyCopies'> & { readonly history: Forgettable };
  readonly hidden: Pick<HiddenDrivers, 'isFixed' | 'isHidden'>;
  readonly recentNames: Pick<Parts['recentNames'], 'forgetNickname'>;
} & Pick<Runtime, 'log'> &
  Pick<DriverHistory, 'forgetAnswers'>): OwnData {
  const { userData, links } = store;
  const unreached = (copy: string, error: unknown): void =>
    log.error({ copy, err: error }, 'a driver was deleted, but not from this copy: delete it');

  async function historyOf(personId: string, now: number): Promise<OwnHistory | null> {
    const link = await links.of(personId);
    if (link === null) return null;
    const isShownByOperator = hidden.isFixed(link.username) && !hidden.isHidden(link.username);
    return ownHistory(link, isShownByOperator, now);
  }

  async function forgetHistory(username: string): Promise<readonly string[]> {
    await recentNames.forgetNickname(username);
    return [
      ...(await forgetDriver(username, store.history).finally(forgetAnswers)),
      ...(await forgetInCopies(username, store.historyCopies(), unreached)),
    ];
  }

  return {
    stored: userData.stored,
    history: historyOf,
    async forget(personId, { history, now }) {
      const own = await historyOf(personId, now);
      const isDeleted = history && own?.kept === null;
      const left = isDeleted ? await forgetHistory(own.username) : [];
      return {
        left: [...new Set([...left, ...(await userData.forget(personId))])],
        kept:
          own === null || isDeleted
            ? null
            : { username: own.username, isFixed: own.kept?.why === 'operator' },
      };
    },
  };
}
