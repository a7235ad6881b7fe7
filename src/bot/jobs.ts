/** Work that nobody asks for. */
import { HOUR, SECOND } from '../base/duration.ts';
import { createJob, startJobs } from '../base/job.ts';
import { logFailures } from '../base/log.ts';
import type { Runtime } from '../base/runtime.ts';
import { wantLeaders } from '../community/history/look-up-leaders.ts';
import { startRecorder } from '../community/history/recorder.ts';
import { createWelcome } from '../discord/send/welcome.ts';
import type { Bot } from './bot.ts';
import { createLeftGuilds } from './left-guilds.ts';
import { createStatusLine, showDrivers } from './status-line.ts';

const LEFT_CHECK_INTERVAL_MS = HOUR;
/** How soon it is noticed that the bot was removed from a server, in ms. */
const LEFT_CHECK_DELAY_MS = 5 * SECOND;
const COPY_INTERVAL_MS = HOUR;
const NOTICES_INTERVAL_MS = 15 * SECOND;

export function startBotJobs(bot: Bot, runtime: Runtime): void {
  const { store, connection, dataService, translatorFor, outbox, shards } = bot;
  const { clock, log, resources } = runtime;
  const { copies } = store;
  const show = createStatusLine(connection.showStatus, clock);
  resources.defer(showDrivers(show, { ...dataService, clock, t: translatorFor('en-GB') }));
  const welcome = createWelcome({ outbox, translatorFor, now: clock.now, log });
  connection.onGuild(welcome, logFailures(log, 'the welcome'));
  recordHistory(bot, runtime);

  /** Tries again to send what is stored as certainly not sent. One process sends the notices of all. */
  const sendUnsent = async (): Promise<void> => void (shards.mayAct(null) && (await outbox.round()));
  const unsentNotices = createJob(clock, NOTICES_INTERVAL_MS, sendUnsent, logFailures(log, 'notices'));
  outbox.onRetry(unsentNotices.runWithin);
  const leftGuilds = createJob(clock, LEFT_CHECK_INTERVAL_MS, checkLeftGuilds(bot, runtime), (error) =>
    log.error({ err: error }, 'servers that were left are not checked'),
  );
  resources.defer(
    connection.onAccess((guild) => {
      if (connection.stayedSince(guild) === Number.POSITIVE_INFINITY)
        leftGuilds.runWithin(LEFT_CHECK_DELAY_MS);
    }),
  );
  const copy = async (): Promise<void> =>
    void ((await copies?.make(clock.now())) && log.info('store copied'));
  const storeCopy = createJob(clock, COPY_INTERVAL_MS, copy, logFailures(log, 'store copy'));
  startJobs(resources, [unsentNotices, leftGuilds, ...(copies === null ? [] : [storeCopy])]);
}

function recordHistory(bot: Bot, runtime: Runtime): void {
  const { store, hidden, history, lookUps, dataService, shards } = bot;
  const holds = (): boolean => shards.owns(null);
  const { isHidden, isLinked } = hidden;
  startRecorder({ history: store.history, isHidden, isLinked, lookUps, dataService, holds }, runtime);
  const { clock, log, resources } = runtime;
  const failed = (error: unknown): void => log.error({ err: error }, 'leaders not read');
  resources.defer(wantLeaders({ ...dataService, history, clock, holds, failed }));
}

/** Returns a check for what belongs to servers that were left long ago, which deletes it. */
function checkLeftGuilds(
  { store: { documents }, repositories, features, connection, shards, application }: Bot,
  { clock, log }: Runtime,
): () => Promise<void> {
  const { boards, guildSettings: settings } = repositories;
  const belongings = { boards, settings, ...features.belongings };
  const { mayAct: holds } = shards;
  return createLeftGuilds({ documents, belongings, connection, holds, application, clock, log });
}
