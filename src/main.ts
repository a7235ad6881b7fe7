/** The composition root: settings → store → data service → commands → chat, and down again in reverse. */
import { setTimeout as pause } from 'node:timers/promises';
import { Events } from 'discord.js';
import manifest from '../package.json' with { type: 'json' };
import { createHealth } from './app/health.ts';
import { createViewers } from './app/viewer.ts';
import { type BoardKeeper, createBoards } from './board/manager.ts';
import { createPoll, type Poll } from './board/poll/poll.ts';
import { safeguards } from './board/safeguards.ts';
import { presenceText } from './cards/servers/presence-text.ts';
import { systemClock as clock } from './clock.ts';
import { type Config, describeProblems, readConfig } from './config.ts';
import { createBoardChat } from './discord/board-channel.ts';
import { type Connection, connect } from './discord/client.ts';
import { createTeller } from './discord/direct-message.ts';
import { createDispatch } from './discord/dispatch.ts';
import { loadCommands } from './discord/load.ts';
import { createPresence, setStatus } from './discord/presence.ts';
import { describeCommands, publishCommands } from './discord/publish.ts';
import { StartError } from './errors.ts';
import { languages } from './i18n/languages.ts';
import { createTranslators, type Translator } from './i18n/translator.ts';
import { createLog, type Log, redactor } from './log.ts';
import { createSlotWatch } from './notify/free-place-watch.ts';
import { createBudget } from './service/budget/budget.ts';
import { createCache } from './service/cache/cache.ts';
import { createClient } from './service/client.ts';
import { createFairShare } from './service/fair-share.ts';
import { createTransport } from './service/transport/transport.ts';
import { openRecentNames } from './store/names/recent-names.ts';
import { openStores } from './store/open.ts';
import type { DailyCopy } from './store/stores.ts';

/** EX_CONFIG of sysexits.h: starting again without mending something is pointless. */
const BAD_SETTINGS = 78;
/** Together with the rest of the way down this stays below eight seconds. */
const DRAIN = 5000;
/** For requests whose answer nobody waits for any more. */
const LAST_REQUESTS = 500;
/** The boards' polling asks at least this often, however scarce the budget is; what is older tells of an outage. */
const OVERVIEW_HOLDS = 6 * 60_000;
const SAVE_SEEN_EVERY = 60_000;
const LOOK_FOR_COPY_EVERY = 3_600_000;
const WATCH_SLOTS_EVERY = 15_000;
/** A record of a large garage has some 50 kB. */
const ANSWERS = { maxRows: 5000 };

process.exit(await main());

async function main(): Promise<number> {
  readDotEnv();
  const { config, problems } = readConfig(process.env);
  if (config === null) {
    process.stderr.write(describeProblems(problems));
    return BAD_SETTINGS;
  }
  const password = config.store.kind === 'redis' ? config.store.password : [];
  const secrets = [config.discord.token, config.service.key, ...password];
  const log = createLog({ level: config.logLevel, secrets });
  const stopped = Promise.withResolvers<null>();
  watchProcess(log, () => stopped.resolve(null));

  // What was opened last is closed first, also when the start ends halfway.
  const open = new AsyncDisposableStack();
  try {
    const running = start(config, log, open).then(({ lost }) => lost);
    running.catch(() => {});
    const why = await Promise.race([stopped.promise, running]);
    if (why !== null) throw why;
    await open.disposeAsync();
    log.info('stopped');
    return 0;
  } catch (error) {
    await open.disposeAsync();
    if (error instanceof StartError) {
      process.stderr.write(redactor(secrets)(`Pitwall cannot run: ${error.message}\n`));
      return BAD_SETTINGS;
    }
    log.fatal({ err: error }, 'the start failed');
    return 1;
  }
}

/** Resolves when people are answered. */
async function start(
  config: Config,
  log: Log,
  open: AsyncDisposableStack,
): Promise<{ lost: Promise<StartError> }> {
  const store = await openStores(config.store, { clock, log });
  open.defer(() => store.close());

  const recentNames = await openRecentNames(store.namespace('seen', { maxRows: 1 }), {
    shared: store.lock !== null,
    failed: (error) => log.warn({ err: error }, 'the names seen lately could not be kept'),
  });
  const saving = setInterval(() => void recentNames.save(), SAVE_SEEN_EVERY);
  open.defer(() => {
    clearInterval(saving);
    return recentNames.save();
  });

  const transport = createTransport({ url: config.service.url, key: config.service.key, clock });
  open.defer(() => Promise.race([transport.close(), pause(LAST_REQUESTS)]));
  const { ledger, links, guildSettings, subscriptions, userData } = store;
  const budgeted = createBudget({
    ledger,
    clock,
    onRefusal: (closedMs) => log.warn({ closedMs }, 'the data service says that the key is over its limit'),
    onLedger: (state) => log.warn({ state }, 'the ledger of requests'),
  });
  const shared = createFairShare({ clock, whole: () => ledger.snapshot() });
  const cached = createCache({
    keyv: store.namespace('answers', ANSWERS),
    lock: store.lock,
    clock,
    onStoreFailure: (doing) => log.warn({ doing }, 'the store of answers failed'),
  });
  // Commands may come in as soon as the connection is there, and boards need the connection.
  const keeping = Promise.withResolvers<BoardKeeper>();
  let connection: Connection | null = null;
  const health = createHealth({
    clock,
    version: manifest.version,
    latency: () => connection?.latency() ?? null,
    budget: () => ledger.snapshot(),
    boards: async (guildId) => {
      const { list } = await keeping.promise;
      return (await list(guildId)).map(({ settings: { channelId }, access }) => ({ channelId, access }));
    },
  });
  const service = createClient({
    layer: health.asked(cached(shared(health.fetched(budgeted(transport.layer))))),
    places: { game: config.service.game, chatPath: config.service.chatPath },
    onDiscoveredNames: recentNames.learn,
    onDrift: (endpoint, fields) =>
      log.warn({ endpoint, fields }, 'the data service sends fields that are unreadable'),
  });

  const translatorFor = createTranslators();
  const viewerOf = createViewers({
    translatorFor,
    service,
    links,
    guildSettings,
    failed: (error) => log.warn({ err: error }, "a guild's settings could not be read"),
  });
  const commands = await loadCommands(new URL('../commands/', import.meta.url));
  const dispatch = createDispatch({
    boards: {
      create: async (...asked) => (await keeping.promise).create(...asked),
      remove: async (...asked) => (await keeping.promise).remove(...asked),
      list: async (...asked) => (await keeping.promise).list(...asked),
      move: async (...asked) => (await keeping.promise).move(...asked),
      test: async (...asked) => (await keeping.promise).test(...asked),
    },
    commands,
    service,
    recentNames,
    links,
    guildSettings,
    subscriptions,
    userData,
    budget: health.budget,
    diagnose: health.diagnose,
    readme: config.readmeUrl,
    onBug: health.bug,
    claimInteraction: store.claimInteraction,
    translatorFor,
    viewerOf,
    log,
  });
  const chat = await connect({ ...config.discord, log, handle: dispatch.handle });
  connection = chat;
  open.defer(() => chat.close());
  const boardChat = createBoardChat({ client: chat.client, ...config.discord });
  open.defer(() => boardChat.close());
  const poll = createPoll({ service, clock, safeguards });
  const keeper = createBoards({
    chat: boardChat,
    records: store.boards,
    poll,
    clock,
    random: Math.random,
    translatorFor,
    safeguards,
    failed: (error) => log.error({ err: error }, 'the boards met an error'),
  });
  keeping.resolve(keeper);
  await keeper.start();
  open.defer(showPresence(chat.client, poll, translatorFor('en-GB')));
  // Together, so that the way down stays short.
  open.defer(async () => void (await Promise.all([keeper.stop(), dispatch.drain(DRAIN)])));

  const place = { applicationId: chat.applicationId, guildId: config.discord.guildId };
  const published = await publishCommands(
    chat.rest,
    place,
    describeCommands(commands, translatorFor, languages, place.guildId === null),
  );
  const watchSlots = createSlotWatch({
    service,
    subscriptions,
    translatorOf: async ({ person: id, guild: guildId, channel: channelId, locale }) => {
      const { t } = await viewerOf({ id, guildId, channelId, mayManage: false }, locale);
      return t;
    },
    tell: createTeller(chat.rest, log),
    now: clock.now,
    failed: (error) => log.error({ err: error }, 'free places could not be watched'),
  });
  open.defer(repeat(watchSlots, WATCH_SLOTS_EVERY));
  log.info({ version: manifest.version, node: process.version, commands: commands.size, published }, 'ready');
  const { copies } = store;
  if (copies !== null) open.defer(repeat(() => copyDaily(copies, log), LOOK_FOR_COPY_EVERY));
  return chat;
}

/** Keeps the line below the bot's name right. Returns what ends that. */
function showPresence(client: Connection['client'], poll: Poll, t: Translator): () => void {
  const presence = createPresence({ set: (text) => setStatus(client, text), clock });
  const show = (): void => {
    if (!poll.isReady()) return;
    const { overview } = poll.facts;
    const isRecent = overview !== null && clock.now() - overview.asOf <= OVERVIEW_HOLDS;
    presence.show(presenceText(isRecent ? overview.record : null, t));
  };
  client.on(Events.ShardReady, () => {
    presence.forgotten();
    show();
  });
  return poll.watch(['overview'], show);
}

/** Does it now and then every so many milliseconds. Returns what ends that and waits a moment for what is under way. */
function repeat(work: () => Promise<void>, every: number): () => Promise<void> {
  let last = work();
  const repeating = setInterval(() => {
    last = work();
  }, every);
  return () => {
    clearInterval(repeating);
    return Promise.race([last, pause(LAST_REQUESTS)]);
  };
}

async function copyDaily(copies: DailyCopy, log: Log): Promise<void> {
  try {
    if (await copies.make(Date.now())) log.info('the store was copied');
  } catch (error) {
    log.error({ err: error }, 'the store could not be copied');
  }
}

/** What is set in the environment wins over the file. */
function readDotEnv(): void {
  try {
    process.loadEnvFile('.env');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}

function watchProcess(log: Log, stop: () => void): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      log.info({ signal }, 'stopping');
      stop();
    });
  }
  // The chat client reports an event that it cannot read in this way; nobody else is harmed by it.
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'a rejection that nobody handled'));
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'an exception that nobody caught');
    process.exit(1);
  });
}
