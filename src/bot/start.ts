/** Builds the parts in one direction: store → data service → Discord → boards → commands → login → jobs. */
import manifest from '../../package.json' with { type: 'json' };
import { createFreeSlotWatch } from '../alerts/free-slot-watch.ts';
import type { Config } from '../base/config.ts';
import { createBoards } from '../board/manager.ts';
import { chatName } from '../cards/kit/lines.ts';
import { createArrivals } from '../discord/arrivals.ts';
import { createBoardChat } from '../discord/board-channel.ts';
import { createPresence } from '../discord/presence.ts';
import { createPublisher, type Publisher } from '../discord/publish.ts';
import { createWelcome, newGuild } from '../discord/welcome.ts';
import { createCatalogues } from '../i18n/catalogues.ts';
import { createTranslators } from '../i18n/translator.ts';
import { createPictures } from '../pictures/pictures.ts';
import { createCallStatistics } from '../service/call-statistics.ts';
import { createObservations } from '../service/observations.ts';
import { createPoll } from '../service/poll/poll.ts';
import type { Keeping } from '../shards/keeping.ts';
import { answerPeople, type Connected, type WithCommands } from './answer-people.ts';
import { allCommands, allPayloads } from './commands.ts';
import { copyStoreDaily, keepPublishing, showPresence, watchFreeSlots } from './jobs.ts';
import { type Discord, openDiscord } from './open-discord.ts';
import { openHistory, record } from './open-history.ts';
import { type Outside, openMemory } from './open-memory.ts';
import { openService } from './open-service.ts';
import { createSampler, openOperator } from './watch-for-operator.ts';
import { startWatches } from './watches.ts';

/** Time for commands still running, in ms. Without other processes the whole shutdown stays below eight seconds. */
const DRAIN = 5000;
const LAST = 1000;
/** What runs by itself starts this much later, in ms: the people who waited for the bot come first. */
const JOBS_AFTER = 400;

/** What it may take of the store: a guild counts for two hours after its invitation. */
const WELCOMED = { maxRows: 10_000, maxBytes: 1_000_000 };

/** Beside the bundle if that is running, else beside the sources. */
const isBundle = import.meta.url.endsWith('.js');
const catalogueFolder = new URL(isBundle ? './locales/' : '../i18n/locales/', import.meta.url);
const painter = new URL(isBundle ? './painter.js' : '../pictures/painter.ts', import.meta.url);

/**
 * Resolves when commands are being answered. `open` closes everything opened until then, or until a failure. `lost`
 * resolves with the reason when the bot can no longer run.
 */
export async function start(
  config: Config,
  outside: Outside,
  open: AsyncDisposableStack,
): Promise<{ readonly lost: Promise<unknown> }> {
  const { clock, log } = outside;
  const operator = await openOperator(config, outside, open);
  const kept = await openMemory(config, outside, open);
  // What comes while everything else is being closed is answered, too, before the store is gone.
  let answerLast = async (): Promise<void> => {};
  open.defer(() => answerLast());
  const discord = openDiscord(config, { ...outside, ...kept }, open);
  const { connection } = discord;
  const arrivals = createArrivals();
  connection.onInteraction(arrivals.receive);
  // All that follows is put together, and the commands are published, while Discord answers.
  const loggingIn = Promise.race([discord.keeper.start(), connection.lost]);
  loggingIn.catch(() => {});

  const calls = createCallStatistics(clock);
  const observations = createObservations();
  const remembering = await openHistory(config, { ...outside, ...kept }, open);
  const service = openService(config, { ...kept, ...outside, ...remembering, calls, observations }, open);
  const poll = createPoll({
    ...{ service, clock },
    failed: (error) => log.error({ err: error }, 'the reading for boards met an error'),
  });
  const translatorFor = createTranslators(createCatalogues(catalogueFolder));
  const read = { ...outside, ...kept, ...remembering, calls, service, poll, translatorFor };
  const boards = openBoards(config, { ...read, ...discord }, open);
  const commands = await allCommands();
  const publisher = openPublisher(config, { ...read, connection, commands });
  const pictures = createPictures({ painter, clock, log });
  open.defer(() => pictures.close());
  const answering = { ...read, connection, boards, commands, publisher, pictures };
  const people = answerPeople(config, { ...answering, onAnswered: operator?.count });
  // Concurrently, for a short shutdown.
  open.defer(async () => void (await Promise.all([boards.stop(), people.dispatch.drain(DRAIN)])));
  answerLast = () => people.dispatch.drain(LAST);
  open.defer(discord.handOver);
  arrivals.open(people.dispatch.handle);

  const refused = publishCommands(publisher, connection, outside, open);

  const why = await loggingIn;
  if (why !== undefined) throw why;
  await boards.start();
  log.info({ version: manifest.version, node: process.version, commands: commands.size }, 'ready');

  startSoon({ ...read, ...people, connection, observations, keeping: discord.keeper }, open);
  operator?.watch(createSampler({ ...read, ...discord, boards }, open));
  const lost = Promise.race([connection.lost, refused]);
  discord.running(lost);
  return { lost };
}

/** Publishes them now or later, which needs no login; resolves with the reason where that makes no sense. */
function publishCommands(
  publisher: Publisher,
  connection: Pick<Connected['connection'], 'applicationId'>,
  { clock, log }: Outside,
  open: AsyncDisposableStack,
): Promise<unknown> {
  const refused = Promise.withResolvers<unknown>();
  const publish = async () => {
    const published = await publisher.publish(connection.applicationId());
    log.info({ published }, 'commands');
    return published !== 'later';
  };
  open.defer(keepPublishing(publish, { clock, failed: refused.resolve }));
  return refused.promise;
}

function openBoards(
  config: Config,
  { store, poll, clock, log, translatorFor, connection, keeper }: Connected & Pick<Discord, 'keeper'>,
  open: AsyncDisposableStack,
) {
  const chat = createBoardChat({ guilds: connection, ...config.discord });
  open.defer(() => chat.close());
  const boards = createBoards({
    ...{ chat, records: store.boards, keeping: keeper, poll, clock, translatorFor },
    random: Math.random,
    processes: keeper.processes,
    failed: (error) => log.error({ err: error }, 'board error'),
  });
  keeper.onRelease(boards.release);
  keeper.onKept(boards.keptChanged);
  return boards;
}

function openPublisher(
  { discord: { guildId } }: Config,
  { connection, commands, translatorFor, log }: WithCommands,
): Publisher {
  const payloads = allPayloads(commands, translatorFor, guildId === null);
  return createPublisher(connection.rest, guildId, payloads, log);
}

/** What runs by itself. */
function startSoon(parts: Running & Parameters<typeof startWatches>[0], open: AsyncDisposableStack): void {
  const soon = setTimeout(() => {
    startJobs(parts, open);
    startWatches(parts, open);
    record(parts, open);
  }, JOBS_AFTER);
  open.defer(() => clearTimeout(soon));
}

interface Running extends Connected, Pick<ReturnType<typeof answerPeople>, 'viewerOf' | 'notify'> {
  readonly keeping: Keeping;
}

function startJobs(parts: Running, open: AsyncDisposableStack): void {
  const { store, service, poll, calls, clock, log, translatorFor, connection, viewerOf, notify, keeping } =
    parts;
  const watch = createFreeSlotWatch({
    ...{ service, subscriptions: store.subscriptions, now: clock.now, notify },
    keeps: () => keeping.keeps(null),
    translatorOf: async ({ person: id, guild, channel: channelId, locale }) =>
      (await viewerOf({ id, guildId: guild, channelId, mayManage: false, locale })).t,
    failed: (error) => log.error({ err: error }, 'free-slot watch failed'),
  });
  const line = createPresence({ set: connection.showStatus, clock });
  open.defer(showPresence(line, { poll, calls, service, clock, t: translatorFor('en-GB') }));
  open.defer(watchFreeSlots(watch, clock));
  const welcome = createWelcome({
    ...{ rest: connection.rest, notify, translatorFor, inLine: chatName, now: clock.now, log },
    welcomed: store.namespace('welcomed', WELCOMED),
    claim: store.claimInteraction,
  });
  connection.onGuild((guild) => void welcome(newGuild(guild)));
  if (store.copies !== null) open.defer(copyStoreDaily(store.copies, clock, log));
}
