/** Puts the parts together in one direction: store → data service → Discord → boards → commands → login → jobs. */
import { setTimeout as pause } from 'node:timers/promises';
import manifest from '../package.json' with { type: 'json' };
import { createHealth } from './app/health.ts';
import { createViewers } from './app/viewer.ts';
import { createBoards } from './board/manager.ts';
import { createPoll } from './board/poll/poll.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import { createBoardChat } from './discord/board-channel.ts';
import { type Connection, createConnection } from './discord/client.ts';
import { describeCommands } from './discord/describe-commands.ts';
import { createNotifier } from './discord/direct-message.ts';
import { createDispatch } from './discord/dispatch.ts';
import { factsOf, loadCommands } from './discord/load.ts';
import { createLoginPacing } from './discord/login-pacing.ts';
import { createPublisher } from './discord/publish.ts';
import { languages } from './i18n/languages.ts';
import { createTranslators } from './i18n/translator.ts';
import {
  copyStoreDaily,
  forgetFailedLogins,
  publishAgain,
  saveNames,
  showPresence,
  watchFreePlaces,
} from './jobs.ts';
import type { Log } from './log.ts';
import { createFreePlaceWatch } from './notify/free-place-watch.ts';
import { createBudget } from './service/budget/budget.ts';
import { createCache } from './service/cache/cache.ts';
import { type CallStatistics, createCallStatistics } from './service/call-statistics.ts';
import { createClient, type Service } from './service/client.ts';
import { createDeduplicate } from './service/deduplicate/deduplicate.ts';
import { createFairShare } from './service/fair-share/fair-share.ts';
import { createTransport } from './service/transport/transport.ts';
import { openRecentNames, type RecentNamesMemory } from './store/names/recent-names.ts';
import { openStores } from './store/open.ts';
import type { Stores } from './store/stores.ts';

/** Milliseconds for commands that still run. Together with the rest of the way down this stays below eight seconds. */
const DRAIN = 5000;
/** Milliseconds for requests whose answer nobody waits for any more. */
const LAST_REQUESTS = 500;
/** What each part of the store may take. A record of a large garage has some 50 kB. */
const ANSWERS = { maxRows: 5000, maxBytes: 64 * 1024 * 1024 };
const NAMES = { maxRows: 1, maxBytes: 16 * 1024 * 1024 };
const LOGINS = { maxRows: 1, maxBytes: 10_000 };

/** Beside the bundle, where that runs; else beside the sources. */
const commandFolder = new URL(
  import.meta.url.endsWith('.js') ? './commands/' : '../commands/',
  import.meta.url,
);

interface Outside {
  readonly clock: Clock;
  readonly log: Log;
}

/** Resolves when people are answered. Whatever was opened until then, or until it fails, is closed by `open`. */
export async function start(
  config: Config,
  { clock, log }: Outside,
  open: AsyncDisposableStack,
): Promise<Pick<Connection, 'lost'>> {
  const store = await openStores(config.store, { clock, log });
  open.defer(() => store.close());
  const recentNames = await openRecentNames(store.namespace('seen', NAMES), {
    shared: store.lock !== null,
    failed: (error) => log.warn({ err: error }, 'recent names not saved'),
  });
  open.defer(saveNames(recentNames));
  const calls = createCallStatistics(clock);
  const service = openService(config, { store, recentNames, calls, clock, log }, open);
  const poll = createPoll({
    ...{ service, clock },
    failed: (error) => log.error({ err: error }, 'the reading for boards met an error'),
  });

  const { links, guildSettings: settings, subscriptions, userData, claimInteraction } = store;
  const commandStore = { links, settings, subscriptions, userData };
  const translatorFor = createTranslators();
  const viewerOf = createViewers({
    ...{ translatorFor, service, store: commandStore },
    failed: (error) => log.warn({ err: error }, 'guild settings unreadable'),
  });
  const commands = await loadCommands(commandFolder);

  const connection = createConnection({ ...config.discord, log });
  open.defer(() => connection.close());
  const boardChat = createBoardChat({ client: connection.client, ...config.discord });
  open.defer(() => boardChat.close());
  const boards = createBoards({
    ...{ chat: boardChat, records: store.boards, poll, clock, translatorFor },
    random: Math.random,
    failed: (error) => log.error({ err: error }, 'board error'),
  });
  const health = createHealth({
    ...{ clock, calls, latency: connection.latency, version: manifest.version },
    budget: () => store.ledger.snapshot(),
    boards: async (guildId) =>
      (await boards.list(guildId)).map(({ settings: { channelId }, access }) => ({ channelId, access })),
  });
  const { budget, diagnose, onBug } = health;
  const { guildId } = config.discord;
  const place = { applicationId: await connection.applicationId(), guildId };
  const payloads = describeCommands(commands, translatorFor, languages, guildId === null);
  const publisher = createPublisher(connection.rest, place, payloads, log);
  const bot = {
    ...{ commands: factsOf(commands), commandId: publisher.idOf, readmeUrl: config.readmeUrl },
    ...{ translatorFor, budget, diagnose },
  };
  const notify = createNotifier(connection.rest, log);
  const dispatch = createDispatch({
    context: { service, recentNames, boards, bot, store: commandStore },
    ...{ commands, claimInteraction, translatorFor, viewerOf, notify, log, onBug },
  });

  const published = await publisher.publish();
  const pacing = createLoginPacing(store.namespace('logins', LOGINS), clock);
  await waitFor(await pacing.begin(), log);
  // Together, so that the way down stays short.
  open.defer(async () => void (await Promise.all([boards.stop(), dispatch.drain(DRAIN)])));
  await connection.logIn(dispatch.handle);
  await boards.start();
  log.info({ version: manifest.version, node: process.version, commands: commands.size, published }, 'ready');

  const watch = createFreePlaceWatch({
    ...{ service, subscriptions, now: clock.now, notify },
    translatorOf: async ({ person: id, guild, channel: channelId, locale }) =>
      (await viewerOf({ id, guildId: guild, channelId, mayManage: false, locale })).t,
    failed: (error) => log.error({ err: error }, 'free-slot watch failed'),
  });
  open.defer(showPresence(connection.client, poll, calls, { clock, t: translatorFor('en-GB') }));
  open.defer(watchFreePlaces(watch));
  open.defer(forgetFailedLogins(pacing));
  if (published === 'later') open.defer(publishAgain(publisher.publish));
  if (store.copies !== null) open.defer(copyStoreDaily(store.copies, clock, log));
  return connection;
}

async function waitFor(ms: number, log: Log): Promise<void> {
  if (ms === 0) return;
  log.warn({ seconds: Math.ceil(ms / 1000) }, 'the last logins did not last; the next one waits');
  await pause(ms);
}

interface ServiceParts extends Outside {
  readonly store: Stores;
  readonly recentNames: RecentNamesMemory;
  readonly calls: CallStatistics;
}

/** The data service, layer upon layer. */
function openService(
  { service: { url, key, game, chatPath } }: Config,
  { store, recentNames, calls, clock, log }: ServiceParts,
  open: AsyncDisposableStack,
): Service {
  const transport = createTransport({ url, key, clock });
  open.defer(() => Promise.race([transport.close(), pause(LAST_REQUESTS)]));
  const { ledger, lock } = store;
  const budgeted = createBudget({
    ledger,
    clock,
    onRefusal: (closedMs) => log.warn({ closedMs }, 'data service says the key is over its limit'),
    onLedger: (state) => log.warn({ state }, 'request ledger'),
  });
  const shared = createFairShare({ clock, whole: () => ledger.snapshot() });
  const cached = createCache({
    keyv: store.namespace('answers', ANSWERS),
    shared: lock !== null,
    clock,
    onBug: (error) => log.error({ err: error }, 'bug in a background refresh'),
    onStoreFailure: (doing) => log.warn({ doing }, 'answer store failed'),
  });
  const deduplicated = createDeduplicate({ lock, clock });
  return createClient({
    layer: calls.asked(cached(deduplicated(shared(calls.fetched(budgeted(transport.layer)))))),
    places: { game, chatPath },
    onDiscoveredNames: recentNames.learn,
    onDrift: (endpoint, fields) => log.warn({ endpoint, fields }, 'data service sends unreadable fields'),
  });
}
