/** Makes the bot in one direction, store → Discord → data service → boards → answers → jobs, and ends it in reverse. */

import { createAllCatalogues } from '../../commands/subjects.ts';
import manifest from '../../package.json' with { type: 'json' };
import { sleep } from '../base/clock.ts';
import type { Config } from '../base/config.ts';
import { SECOND } from '../base/duration.ts';
import { createRuns } from '../base/runs.ts';
import type { Runtime } from '../base/runtime.ts';
import { mentioningCommands } from '../command-kit/command-mentions.ts';
import { keepRecentNames, withoutHidden } from '../command-kit/names/recent-names.ts';
import { createViewers } from '../command-kit/viewer.ts';
import { createGuildDrivers } from '../community/accounts/guild-drivers.ts';
import { openHiddenDrivers } from '../community/accounts/hidden-drivers.ts';
import { openHistory } from '../community/history/open-history.ts';
import { type Connection, createConnection } from '../discord/connection.ts';
import { membershipOf } from '../discord/interaction.ts';
import { allCommands, allPayloads } from '../discord/publish/commands.ts';
import { listFacts } from '../discord/publish/load.ts';
import { createPublisher, keepPublishing } from '../discord/publish/publish.ts';
import { createBoardChannels } from '../discord/send/board-channels.ts';
import { createMessenger } from '../discord/send/messenger.ts';
import type { Core } from '../features/feature.ts';
import { createTranslators } from '../i18n/translator.ts';
import { createLiveBoards } from '../messages/boards/live-boards.ts';
import { createMakerNotices } from '../messages/boards/notify-maker.ts';
import { createOutbox, type Outbox } from '../messages/outbox/outbox.ts';
import { createPictures } from '../pictures/pictures.ts';
import { ledgerTables } from '../service/budget/ledger/tables.ts';
import { openDataService } from '../service/open-data-service.ts';
import { openStore } from '../store/open.ts';
import { type OwnApplication, refuseStranger } from '../store/owner.ts';
import { createShards } from '../store/shards/shards.ts';
import { createAnswers } from './answers.ts';
import type { Bot } from './bot.ts';
import { createFeatures, prepareFeatures } from './features.ts';
import { openForgetter } from './forgetter.ts';
import { startBotJobs } from './jobs.ts';
import { withOfflineSince } from './offline-since.ts';
import { watchProofs } from './proofs.ts';
import { createRepositories } from './repositories.ts';
import { watchStore } from './watch-store.ts';

/** Time for commands still running, in ms. The whole shutdown stays below eight seconds. */
const DRAIN_TIMEOUT_MS = 5000;
const LAST_TIMEOUT_MS = 1000;
/** Jobs start this much later, in ms: the people who waited for the bot come first. */
const JOBS_DELAY_MS = 400;

/** Beside the bundle if that is running, else beside the sources. */
const isBundle = import.meta.url.endsWith('.js');
const root = new URL(isBundle ? './/' : '../../', import.meta.url);
const painter = new URL(isBundle ? './painter.js' : '../pictures/painter.ts', import.meta.url);
const copyCleaner = new URL(isBundle ? './copy-cleaner.js' : './copy-cleaner.ts', import.meta.url);

/**
 * Resolves when commands are being answered; until then the process is a standby, if another one works. `lost`
 * resolves with the reason when the bot can no longer run.
 */
export async function startBot(
  config: Config,
  runtime: Runtime,
): Promise<{ readonly lost: Promise<unknown> }> {
  const operator = await openOperator(config, runtime);
  const loss = Promise.withResolvers<unknown>();
  let resources = new AsyncDisposableStack();
  runtime.resources.defer(() => resources.disposeAsync());

  const serveAgain = async (): Promise<void> => {
    await resources.disposeAsync();
    if (runtime.resources.disposed) return;
    resources = new AsyncDisposableStack();
    watchEnd(await serve(config, operator, { ...runtime, resources }));
  };
  /** A process after which another one has taken over begins anew, as a standby. */
  function watchEnd({ lost: why, replaced }: Awaited<ReturnType<typeof serve>>): void {
    void why.then(loss.resolve);
    replaced.then(serveAgain).catch(loss.resolve);
  }

  watchEnd(await serve(config, operator, { ...runtime, resources }));
  return { lost: loss.promise };
}

/**
 * From the right to work to its end. `lost`: the bot can no longer run. `replaced`: another process has taken over, and the
 * shards of this one are disconnected.
 */
async function serve(
  config: Config,
  operator: Awaited<ReturnType<typeof openOperator>>,
  { log: ownLog, ...parts }: Runtime,
): Promise<{ readonly lost: Promise<unknown>; readonly replaced: Promise<void> }> {
  const { clock, resources } = parts;
  const { guildId } = config.discord;
  const connection = createConnection({ ...config.discord, clock, log: ownLog });
  // Discord answers while the store is opened.
  const discordApplication = connection.application();
  discordApplication.catch(() => {});
  operator?.standBy(false);
  const store = await openStore(
    config.store,
    ledgerTables,
    { shards: config.discord.shards, standBy: () => operator?.standBy(true) },
    { ...parts, log: ownLog },
  );
  const { lock } = store;
  const { health: storeHealth, log } = watchStore(store, { ...parts, log: ownLog });
  const runtime = { ...parts, log };
  const publishedApplication = await discordApplication;
  const { id } = publishedApplication;
  const application: OwnApplication = { id, takesStore: id === config.storeApplication };
  await refuseStranger(store.documents, application);
  await prepareFeatures(store.documents);
  if (lock.isAfterCrash) await spaceLogins(connection, operator, runtime);
  operator?.standBy(false);
  const shards = createShards({
    lock,
    clock,
    log,
    driver: connection,
    setting: config.discord.shards,
    gateway: connection.gateway,
    shareLimits: connection.sharedBy,
  });
  const replaced = lock.lost.then(shards.end);
  // Interactions that come while everything else is being closed are answered before the store is gone.
  const lastAnswers = resources.use(new AsyncDisposableStack());
  resources.defer(shards.end);
  // Parts that are opened from now on write to the store, and are closed before.
  const orderlyEnd = resources.use(new AsyncDisposableStack());
  const repositories = createRepositories(store.documents, (channelId) =>
    log.error({ channelId }, 'board settings unreadable'),
  );
  const forgetter = openForgetter(store, { cleaner: copyCleaner, shards: config.discord.shards }, runtime);
  const recentNames = await keepRecentNames(store, runtime);
  // The commands are published, and all that follows is made, while Discord answers.
  const loggingIn = Promise.race([shards.connect(), connection.lost, replaced]);
  loggingIn.catch(() => {});
  const translatorFor = createTranslators(createAllCatalogues(root));
  const commands = await allCommands();
  const payloads = allPayloads(commands, translatorFor, guildId === null);
  const publisher = createPublisher(connection.rest, guildId, payloads, log);
  const refused = keepPublishing(() => publisher.publish(publishedApplication), runtime);

  const bot = await makeBot(
    config,
    {
      store,
      storeHealth,
      application,
      forgetter,
      repositories,
      recentNames,
      connection,
      shards,
      translatorFor,
      commands,
      publisher,
    },
    runtime,
  );
  const answers = createAnswers(bot, config.readmeUrl, operator?.count, runtime);
  resources.defer(async () => {
    // A standby goes on with the boards.
    const endBoards = (await lock.hasStandby().catch(() => false)) ? bot.boards.handOver : bot.boards.stop;
    // Concurrently, for a short shutdown.
    await Promise.all([endBoards(), answers.drain(DRAIN_TIMEOUT_MS)]);
  });
  lastAnswers.defer(() => answers.drain(LAST_TIMEOUT_MS));
  connection.onInteraction((interaction, arrivedAt) => {
    answers.handle(interaction, arrivedAt);
    const membership = membershipOf(interaction);
    if (membership !== null) void bot.features.observeMember(membership);
  });

  const why = await loggingIn;
  if (why !== undefined) throw why;
  await bot.boards.start();
  log.info({ version: manifest.version, node: process.version, commands: bot.commands.size }, 'ready');

  clock.after(JOBS_DELAY_MS, () => {
    // Stopped meanwhile: nothing would end what begins now.
    if (resources.disposed) return;
    startBotJobs(bot, runtime);
    bot.features.startJobs();
    watchProofs(bot, runtime);
  });
  operator?.watch(bot);
  const loss = Promise.race([connection.lost, refused, store.takenOver]);
  // A standby works from then on, and the next start does not wait as after a crash.
  orderlyEnd.defer(() =>
    lock.release().catch((error: unknown) => log.debug({ err: error }, 'right to work not given back')),
  );
  void Promise.race([loss, replaced]).then(() => {
    if (!orderlyEnd.disposed) orderlyEnd.move();
  });
  return { lost: loss, replaced };
}

/** Waits after a crash while few logins are left today: Discord resets the token of a bot that logs in a thousand times. */
async function spaceLogins(
  connection: Pick<Connection, 'gateway'>,
  operator: Awaited<ReturnType<typeof openOperator>>,
  { clock, log, resources }: Runtime,
): Promise<void> {
  const { crashPauseMs } = await connection.gateway();
  if (crashPauseMs === 0) return;
  const stopping = new AbortController();
  resources.defer(() => stopping.abort());
  operator?.standBy(true);
  const seconds = Math.ceil(crashPauseMs / SECOND);
  log.warn({ seconds }, 'the bot did not end in order, and few logins are left today: the next login waits');
  await sleep(clock, crashPauseMs, stopping.signal);
}

/** All that is made of the store and the connection. */
async function makeBot(
  config: Config,
  opened: Pick<
    Bot,
    | 'store'
    | 'storeHealth'
    | 'application'
    | 'forgetter'
    | 'repositories'
    | 'recentNames'
    | 'connection'
    | 'shards'
    | 'translatorFor'
    | 'commands'
    | 'publisher'
  >,
  runtime: Runtime,
): Promise<Bot> {
  const { store, repositories, recentNames, connection, shards, translatorFor, commands, publisher } = opened;
  const { token, apiUrl } = config.discord;
  const { clock, log, resources } = runtime;
  const { links } = repositories;
  const hidden = await openHiddenDrivers(config.drivers, { links, hasPeers: store.hasPeers }, runtime);
  const driverHistory = openHistory(store, hidden, runtime);
  const { history } = driverHistory;
  const shownNames = withoutHidden(recentNames, hidden.isHidden);
  const guildDrivers = createGuildDrivers(store.documents, hidden.isHidden);
  const names = { isHidden: hidden.isHidden, onDiscoveredNames: recentNames.learn };
  const dataService = openDataService(config, store, names, runtime);
  const outbox = openOutbox(opened, runtime);
  const answersIn = mentioningCommands(translatorFor, listFacts(commands), publisher.idOf);
  const viewerOf = createViewers({
    translatorFor: answersIn,
    service: dataService.service,
    store: repositories,
    failed: (error) => log.warn({ err: error }, 'guild settings unreadable'),
  });
  const pictures = createPictures({ painter, clock, log });
  resources.defer(() => pictures.close());
  const core: Core = {
    ...opened,
    outbox,
    hidden,
    shownNames,
    guildDrivers,
    dataService,
    viewerOf,
    history,
    pictures,
    // Boards keep messages of features, so they are made after them.
    boards: { changed: (id) => boards.changed(id), syncMessage: (id) => boards.syncMessage(id) },
  };
  const features = createFeatures(core, runtime);
  const channels = {
    ...createBoardChannels({ guilds: connection, token, apiUrl }),
    notify: createMakerNotices(outbox),
    mayForget: async (guild: string) =>
      connection.isThere(guild) && (await connection.isClockRight()) === true,
  };
  const boards = createLiveBoards({
    channels,
    records: repositories.boards,
    keptMessages: features.messages,
    shards,
    poll: withOfflineSince(dataService.poll, history, runtime),
    clock,
    translatorFor,
    random: Math.random,
    failed: (error) => log.error({ err: error }, 'board error'),
  });
  return { ...core, ...opened, ...driverHistory, features, boards, pictures, answersIn };
}

/** Messages that are sent once each, and tried again if Discord has certainly not taken them. */
function openOutbox(
  { store, repositories, connection, shards }: Pick<Bot, 'store' | 'repositories' | 'connection' | 'shards'>,
  { clock, log, resources }: Runtime,
): Outbox {
  const runs = createRuns(clock, (error) => log.error({ err: error }, 'notices failed'));
  resources.defer(runs.stop);
  return createOutbox({
    documents: store.documents,
    deliveries: repositories.deliveries,
    open: createMessenger(connection.rest, clock, log),
    maySend: shards.isSure,
    clock,
    log,
    runs,
  });
}

/** Health and metrics, where HTTP_PORT is set. Loaded only then, because the libraries cost time and memory. */
async function openOperator({ http }: Config, runtime: Runtime) {
  if (http === null) return null;
  return (await import('./operator/operator.ts')).openOperator(http, runtime);
}
