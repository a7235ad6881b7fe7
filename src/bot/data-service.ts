import { within } from '../base/clock.ts';
import type { Config } from '../base/config.ts';
import { createBudget } from '../service/budget/budget.ts';
import { createCache } from '../service/cache/cache.ts';
import { createCallStatistics } from '../service/call-statistics.ts';
import { createClient } from '../service/client.ts';
import { createDeduplicate } from '../service/deduplicate/deduplicate.ts';
import { createFairShare } from '../service/fair-share/fair-share.ts';
import { createObservations } from '../service/observations.ts';
import { createPoll } from '../service/poll/poll.ts';
import { createTransport } from '../service/transport/transport.ts';
import type { DataService, Parts } from './parts.ts';
import type { Runtime } from './runtime.ts';

/** Limits of the answers in the store. The record of a large garage takes about 50 kB. */
const ANSWERS = { maxRows: 5000, maxBytes: 64 * 1024 * 1024 };
/** Time for requests whose answer nobody waits for any more, in ms. */
const LAST_REQUESTS = 500;

export function openDataService(
  { service: { url, key, game, chatPath }, discord: { guildId } }: Config,
  { store, recentNames, driverHistory }: Pick<Parts, 'store' | 'recentNames' | 'driverHistory'>,
  { clock, log, resources }: Runtime,
): DataService {
  const calls = createCallStatistics(clock);
  const observations = createObservations();
  const transport = createTransport({ url, key, clock });
  resources.defer(async () => void (await within(transport.close(), LAST_REQUESTS, clock)));
  const { ledger, lock } = store;
  const budgeted = createBudget({
    ledger,
    clock,
    onRefusal: (closedMs) => log.warn({ closedMs }, 'data service says the key is over its limit'),
    onLedger: (state) => log.warn({ state }, 'request ledger'),
  });
  const shared = createFairShare({ clock, ledger, newcomers: guildId === null });
  const cached = createCache({
    keyv: store.namespace('answers', ANSWERS),
    shared: lock !== null,
    clock,
    onBug: (error) => log.error({ err: error }, 'bug in a background refresh'),
    onStoreFailure: (doing) => log.warn({ doing }, 'answer store failed'),
  });
  const deduplicated = createDeduplicate({ lock, clock });
  const service = createClient({
    layer: calls.asked(cached(deduplicated(shared(calls.fetched(budgeted(transport.layer)))))),
    places: { game, chatPath },
    isHidden: driverHistory.hidden.isHidden,
    onDiscoveredNames: recentNames.learn,
    onObservation: observations.publish,
    onDrift: (endpoint, fields) => log.warn({ endpoint, fields }, 'data service sends unreadable fields'),
  });
  const failed = (error: unknown): void => log.error({ err: error }, 'polling for boards failed');
  return { service, calls, observations, poll: createPoll({ service, clock, failed }) };
}
