import { resolveWithin } from '../base/clock.ts';
import type { Config } from '../base/config.ts';
import { MINUTE, SECOND } from '../base/duration.ts';
import { ServiceError } from '../base/errors.ts';
import { createListeners } from '../base/listeners.ts';
import { createOutage } from '../base/outage.ts';
import type { Runtime } from '../base/runtime.ts';
import { createBudget } from './budget/budget.ts';
import { type LedgerPlace, openLedger } from './budget/ledger/open.ts';
import { type CacheSettings, createCache } from './cache/cache.ts';
import type { Layer } from './call.ts';
import { createCallStatistics } from './call-statistics.ts';
import { type ClientSettings, createClient } from './client.ts';
import type { Observation } from './endpoints.ts';
import { createFairShare } from './fair-share/fair-share.ts';
import { createLookUps } from './look-ups.ts';
import { createPoll } from './poll/poll.ts';
import { createTransport } from './transport/transport.ts';

/** The data service: asked for people, and polled for what stays current by itself. */
export type DataService = ReturnType<typeof openDataService>;

/** Limits of the answers in the store. The record of a large garage takes about 50 kB. */
const ANSWER_LIMITS = { maxRows: 5000, maxBytes: 64 * 1024 * 1024 };
/** Time for requests whose answer nobody waits for any more, in ms. */
const LAST_REQUESTS_MS = 500;
/** Longest silence before the service counts as down; a live file is read every ten seconds at least. */
const MAX_SILENCE_MS = 15 * SECOND;

interface ServiceStore extends LedgerPlace {
  /** Other processes ask at the same time. */
  readonly hasPeers: boolean;
  readonly namespace: (name: string, limits: typeof ANSWER_LIMITS) => CacheSettings['keyv'];
}

/** Puts the layers one on the other: statistics, cache, fair share, statistics, budget, transport. */
export function openDataService(
  { service: { url, key, game, chatPath }, discord: { guildId } }: Config,
  store: ServiceStore,
  names: Pick<ClientSettings, 'isHidden' | 'onDiscoveredNames'>,
  runtime: Runtime,
) {
  const { clock, log, resources } = runtime;
  const ledger = openLedger(store, clock);
  const calls = createCallStatistics(clock);
  /**
   * Every record that the service sends, whoever asked for it, so that it is not asked for again; and when it was true, in
   * unix milliseconds.
   */
  const observations = createListeners<[observation: Observation, asOf: number]>();
  const transport = createTransport({ url, key, clock });
  resources.defer(async () => void (await resolveWithin(transport.close(), LAST_REQUESTS_MS, clock)));
  let isStoreAway = false;
  const budgeted = createBudget({
    ledger,
    clock,
    onLedger(state, err) {
      isStoreAway = state === 'away';
      if (isStoreAway) log.warn({ err }, 'requests cannot be recorded, so none is sent');
      else log.debug('requests can be recorded again');
    },
  });
  const shared = createFairShare({ clock, ledger, newcomers: guildId === null });
  const cached = createCache({
    keyv: store.namespace('answers', ANSWER_LIMITS),
    shared: store.hasPeers,
    clock,
    isStoreAway: () => isStoreAway,
    onBug: (error) => log.error({ err: error }, 'bug in a background refresh'),
    onStoreFailure: (doing, err) => log.warn({ doing, err }, 'answer store failed'),
  });
  const service = createClient({
    layer: calls.asked(cached(shared(calls.fetched(budgeted(logFaults(runtime)(transport.layer)))))),
    ...names,
    places: { game, chatPath },
    onObservation: observations.call,
    onDrift: logDrift(runtime),
  });
  const failed = (error: unknown): void => log.error({ err: error }, 'polling or looking up failed');
  const lookUps = createLookUps({ service, observations, clock, onFailure: failed });
  resources.defer(() => lookUps.stop());
  const poll = createPoll({ service, clock, failed });
  return { service, ledger, calls, observations, lookUps, poll };
}

/**
 * Says once that the key or the address is refused, which an operator may not ask for long after the start; that the key is
 * over its limit; and that nothing at all was answered for a while, since a single file may be missing for good.
 */
function logFaults({ clock, log }: Runtime): (next: Layer) => Layer {
  const refusal = createOutage(
    (error) => {
      const { refusal: reason, detail } = error instanceof ServiceError ? error : {};
      const subject = reason === 'address' ? "this machine's address" : 'SERVICE_KEY';
      log.error(
        { refusal: reason, detail },
        `data service refuses ${subject}; npm run doctor says what to do`,
      );
    },
    () => log.info('data service accepts SERVICE_KEY again'),
  );
  const limit = createOutage(
    () => log.warn('data service says the key is over its limit'),
    () => log.info('data service says the key is within its limit again'),
  );
  const outage = createOutage(
    (error) => log.warn({ err: error }, 'data service does not answer'),
    () => log.info('data service answers again'),
  );
  let heardAt = clock.monotonic();
  const noteAnswer = (): void => {
    heardAt = clock.monotonic();
    outage.worked();
  };
  return (next) => async (call) => {
    try {
      const fetched = await next(call);
      if (call.keyed) {
        refusal.worked();
        limit.worked();
      }
      noteAnswer();
      return fetched;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (error.refusal === 'key' || error.refusal === 'address') refusal.failed(error);
      if (error.fault === 'over-budget') limit.failed(error);
      if (error.fault !== 'unavailable' && error.fault !== 'bad-response') noteAnswer();
      else if (clock.monotonic() - heardAt >= MAX_SILENCE_MS) outage.failed(error);
      throw error;
    }
  };
}

/** One line a minute and endpoint: live files come every two seconds. */
function logDrift({ clock, log }: Runtime): NonNullable<ClientSettings['onDrift']> {
  const nextLogAt = new Map<string, number>();
  return (endpoint, fields) => {
    const now = clock.monotonic();
    if (now < (nextLogAt.get(endpoint) ?? now)) return;
    nextLogAt.set(endpoint, now + MINUTE);
    log.warn({ endpoint, fields }, 'data service sends unreadable fields');
  };
}
