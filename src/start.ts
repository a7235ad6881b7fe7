/** Builds the parts in one direction: store → data service → Discord → boards → commands → login → jobs. */
import { setTimeout as pause } from 'node:timers/promises';
import manifest from '../package.json' with { type: 'json' };
import { createBoards } from './board/manager.ts';
import { createPoll } from './board/poll/poll.ts';
import type { Config } from './config.ts';
import { createArrivals } from './discord/arrivals.ts';
import { createBoardChat } from './discord/board-channel.ts';
import { type Connection, createConnection } from './discord/client.ts';
import { describeCommands } from './discord/describe-commands.ts';
import { loadCommands } from './discord/load.ts';
import { createLoginPacing } from './discord/login-pacing.ts';
import { createStatusLine } from './discord/presence.ts';
import { createPublisher, type Publisher } from './discord/publish.ts';
import { languages } from './i18n/languages.ts';
import { createTranslators } from './i18n/translator.ts';
import { copyStoreDaily, forgetFailedLogins, keepPublishing, showPresence, watchFreePlaces } from './jobs.ts';
import type { Log } from './log.ts';
import { createFreePlaceWatch } from './notify/free-place-watch.ts';
import { createPictures } from './pictures/pictures.ts';
import { createCallStatistics } from './service/call-statistics.ts';
import { answerPeople, type Connected, type WithCommands } from './start/answer-people.ts';
import { openHistory, record } from './start/open-history.ts';
import { type Outside, openMemory } from './start/open-memory.ts';
import { openService } from './start/open-service.ts';
import { createSampler, openOperator } from './start/watch-for-operator.ts';

/** Time for commands still running, in ms. The whole shutdown stays below eight seconds. */
const DRAIN = 5000;
/** What it may take of the store. */
const LOGINS = { maxRows: 1, maxBytes: 10_000 };

/** Beside the bundle if that is running, else beside the sources. */
const isBundle = import.meta.url.endsWith('.js');
const commandFolder = new URL(isBundle ? './commands/' : '../commands/', import.meta.url);
const painter = new URL(isBundle ? './painter.js' : './pictures/painter.ts', import.meta.url);

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
  const connection = createConnection({ ...config.discord, log });
  open.defer(() => connection.close());
  const pacing = createLoginPacing(kept.store.namespace('logins', LOGINS), clock);
  await waitFor(await pacing.begin(), log);
  const arrivals = createArrivals();
  // All that follows is put together while Discord answers.
  const loggingIn = connection.logIn(arrivals.receive);
  loggingIn.catch(() => {});

  const calls = createCallStatistics(clock);
  const remembering = await openHistory(config, { ...outside, ...kept }, open);
  const service = openService(config, { ...kept, ...outside, ...remembering, calls }, open);
  const poll = createPoll({
    ...{ service, clock },
    failed: (error) => log.error({ err: error }, 'the reading for boards met an error'),
  });
  const translatorFor = createTranslators();
  const read = { ...outside, ...kept, ...remembering, calls, service, poll, translatorFor };
  const boards = openBoards(config, { ...read, connection }, open);
  const commands = await loadCommands(commandFolder);
  const publisher = openPublisher(config, { ...read, connection, commands });
  const pictures = createPictures({ painter, clock, log });
  open.defer(() => pictures.close());
  const answering = { ...read, connection, boards, commands, publisher, pictures };
  const people = answerPeople(config, { ...answering, onAnswered: operator?.count });
  // Concurrently, for a short shutdown.
  open.defer(async () => void (await Promise.all([boards.stop(), people.dispatch.drain(DRAIN)])));
  arrivals.open(people.dispatch.handle);

  const applicationId = await loggedIn(loggingIn, connection, pacing);
  const refused = Promise.withResolvers<unknown>();
  const publish = async () => {
    const published = await publisher.publish(applicationId);
    log.info({ published }, 'commands');
    return published !== 'later';
  };
  open.defer(keepPublishing(publish, { clock, failed: refused.resolve }));
  await boards.start();
  log.info({ version: manifest.version, node: process.version, commands: commands.size }, 'ready');

  startJobs({ ...read, ...people, connection }, open);
  await record(read, open);
  operator?.watch(createSampler({ ...read, connection, boards }, open));
  open.defer(forgetFailedLogins(pacing));
  return { lost: Promise.race([connection.lost, refused.promise]) };
}

/** A login that Discord did not even answer is not counted. */
async function loggedIn(
  loggingIn: Promise<string>,
  connection: Connection,
  pacing: ReturnType<typeof createLoginPacing>,
): Promise<string> {
  try {
    return await loggingIn;
  } catch (error) {
    if (!connection.isReached()) await pacing.withdraw();
    throw error;
  }
}

function openBoards(
  config: Config,
  { store, poll, clock, log, translatorFor, connection }: Connected,
  open: AsyncDisposableStack,
) {
  const chat = createBoardChat({ client: connection.client, ...config.discord });
  open.defer(() => chat.close());
  return createBoards({
    ...{ chat, records: store.boards, poll, clock, translatorFor },
    random: Math.random,
    processes: () => 1,
    failed: (error) => log.error({ err: error }, 'board error'),
  });
}

function openPublisher(
  { discord: { guildId } }: Config,
  { connection, commands, translatorFor, log }: WithCommands,
): Publisher {
  const payloads = describeCommands(commands, translatorFor, languages, guildId === null);
  return createPublisher(connection.rest, guildId, payloads, log);
}

interface Running extends Connected, Pick<ReturnType<typeof answerPeople>, 'viewerOf' | 'notify'> {}

function startJobs(parts: Running, open: AsyncDisposableStack): void {
  const { store, service, poll, calls, clock, log, translatorFor, connection, viewerOf, notify } = parts;
  const watch = createFreePlaceWatch({
    ...{ service, subscriptions: store.subscriptions, now: clock.now, notify },
    translatorOf: async ({ person: id, guild, channel: channelId, locale }) =>
      (await viewerOf({ id, guildId: guild, channelId, mayManage: false, locale })).t,
    failed: (error) => log.error({ err: error }, 'free-slot watch failed'),
  });
  const line = createStatusLine(connection.client, clock);
  open.defer(showPresence(line, { poll, calls, service, clock, t: translatorFor('en-GB') }));
  open.defer(watchFreePlaces(watch));
  if (store.copies !== null) open.defer(copyStoreDaily(store.copies, clock, log));
}

async function waitFor(ms: number, log: Log): Promise<void> {
  if (ms === 0) return;
  log.warn({ seconds: Math.ceil(ms / 1000) }, 'the last logins did not last; the next one waits');
  await pause(ms);
}
