/** Builds the parts in one direction: store → data service → Discord → boards → commands → login → jobs. */
import { setTimeout as pause } from 'node:timers/promises';
import manifest from '../package.json' with { type: 'json' };
import { createBoards } from './board/manager.ts';
import { createPoll } from './board/poll/poll.ts';
import type { Config } from './config.ts';
import { createBoardChat } from './discord/board-channel.ts';
import { type Connection, createConnection } from './discord/client.ts';
import { describeCommands } from './discord/describe-commands.ts';
import { loadCommands } from './discord/load.ts';
import { createLoginPacing } from './discord/login-pacing.ts';
import { createStatusLine } from './discord/presence.ts';
import { createPublisher, type Publisher } from './discord/publish.ts';
import { languages } from './i18n/languages.ts';
import { createTranslators } from './i18n/translator.ts';
import { copyStoreDaily, forgetFailedLogins, publishAgain, showPresence, watchFreePlaces } from './jobs.ts';
import type { Log } from './log.ts';
import { createFreePlaceWatch } from './notify/free-place-watch.ts';
import { createPictures } from './pictures/pictures.ts';
import { createCallStatistics } from './service/call-statistics.ts';
import { answerPeople, type Connected, type WithCommands } from './start/answer-people.ts';
import { type Outside, openMemory } from './start/open-memory.ts';
import { openService } from './start/open-service.ts';

/** Time for commands still running, in ms. The whole shutdown stays below eight seconds. */
const DRAIN = 5000;
/** What it may take of the store. */
const LOGINS = { maxRows: 1, maxBytes: 10_000 };

/** Beside the bundle if that is running, else beside the sources. */
const isBundle = import.meta.url.endsWith('.js');
const commandFolder = new URL(isBundle ? './commands/' : '../commands/', import.meta.url);
const painter = new URL(isBundle ? './painter.js' : './pictures/painter.ts', import.meta.url);

/** Resolves when commands are being answered. `open` closes everything opened until then, or until a failure. */
export async function start(
  config: Config,
  outside: Outside,
  open: AsyncDisposableStack,
): Promise<Pick<Connection, 'lost'>> {
  const { clock, log } = outside;
  const kept = await openMemory(config, outside, open);
  const calls = createCallStatistics(clock);
  const service = openService(config, { ...kept, ...outside, calls }, open);
  const poll = createPoll({
    ...{ service, clock },
    failed: (error) => log.error({ err: error }, 'the reading for boards met an error'),
  });
  const translatorFor = createTranslators();
  const read = { ...outside, ...kept, calls, service, poll, translatorFor };

  const connection = createConnection({ ...config.discord, log });
  open.defer(() => connection.close());
  const boards = openBoards(config, { ...read, connection }, open);
  const commands = await loadCommands(commandFolder);
  const publisher = await createCommandPublisher(config, { ...read, connection, commands });
  const pictures = createPictures({ painter, clock, log });
  open.defer(() => pictures.close());
  const people = answerPeople(config, { ...read, connection, boards, commands, publisher, pictures });
  const published = await publisher.publish();

  const pacing = createLoginPacing(kept.store.namespace('logins', LOGINS), clock);
  await waitFor(await pacing.begin(), log);
  // Concurrently, for a short shutdown.
  open.defer(async () => void (await Promise.all([boards.stop(), people.dispatch.drain(DRAIN)])));
  await connection.logIn(people.dispatch.handle);
  await boards.start();
  log.info({ version: manifest.version, node: process.version, commands: commands.size, published }, 'ready');

  startJobs({ ...read, ...people, connection }, open);
  open.defer(forgetFailedLogins(pacing));
  if (published === 'later') open.defer(publishAgain(async () => (await publisher.publish()) !== 'later'));
  return connection;
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
    failed: (error) => log.error({ err: error }, 'board error'),
  });
}

async function createCommandPublisher(
  { discord: { guildId } }: Config,
  { connection, commands, translatorFor, log }: WithCommands,
): Promise<Publisher> {
  const place = { applicationId: await connection.applicationId(), guildId };
  const payloads = describeCommands(commands, translatorFor, languages, guildId === null);
  return createPublisher(connection.rest, place, payloads, log);
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
