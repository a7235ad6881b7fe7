/** Work that nobody asks for. */
import { HOUR, SECOND } from '../base/duration.ts';
import { logFailures } from '../base/log.ts';
import { repeatEvery } from '../base/repeat-every.ts';
import type { Runtime } from '../base/runtime.ts';
import { createWelcome } from '../discord/send/welcome.ts';
import { wantLeaders } from '../history/look-up-leaders.ts';
import { startRecorder } from '../history/recorder.ts';
import type { Bot } from './bot.ts';
import { createLeftGuilds } from './left-guilds.ts';
import { createStatusLine, showDrivers } from './status-line.ts';

/** In ms. */
const LEFT_CHECK_INTERVAL_MS = HOUR;
/** How soon it is noticed that the bot was removed from a server, in ms. */
const LEFT_CHECK_DELAY_MS = 5 * SECOND;
const COPY_INTERVAL_MS = HOUR;
const NOTICES_INTERVAL_MS = 15 * SECOND;

export function startJobs(bot: Bot, runtime: Runtime): void {
  const { store, connection, dataService, translatorFor, notify, notices } = bot;
  const { clock, log, resources } = runtime;
  const show = createStatusLine(connection.showStatus, clock);
  resources.defer(showDrivers(show, { ...dataService, clock, t: translatorFor('en-GB') }));
  const welcome = createWelcome({ notices, notify, translatorFor, now: clock.now, log });
  connection.onGuild(welcome, logFailures(log, 'the welcome'));
  recordHistory(bot, runtime);
  sendNotices(bot, runtime);
  cleanLeftGuilds(bot, runtime);
  if (store.copies !== null) copyStoreDaily(store.copies, runtime);
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

/** Tries again to send what is stored as certainly not sent. */
function sendNotices({ notices, shards }: Bot, { clock, log, resources }: Runtime): void {
  const failed = (error: unknown): void => log.error({ err: error }, 'notices failed');
  // One process sends the notices of all.
  const sendDueNotices = async (): Promise<void> => {
    if (shards.mayAct(null)) await notices.round();
  };
  const sending = repeatEvery(clock, NOTICES_INTERVAL_MS, sendDueNotices, failed);
  notices.onAgain(sending.runWithin);
  resources.defer(sending.stop);
  void sending.now();
}

/** Deletes what belongs to servers that were left long ago. */
function cleanLeftGuilds(
  { store: { documents }, repositories, features, connection, shards, application }: Bot,
  { clock, log, resources }: Runtime,
): void {
  const { boards, guildSettings: settings } = repositories;
  const belongings = { boards, settings, ...features.belongings };
  const { mayAct: holds } = shards;
  const check = createLeftGuilds({ documents, belongings, connection, holds, application, clock, log });
  const checking = repeatEvery(clock, LEFT_CHECK_INTERVAL_MS, check, (error) =>
    log.error({ err: error }, 'servers that were left are not checked'),
  );
  resources.defer(
    connection.onAccess((guild) => {
      if (connection.stayedSince(guild) === Number.POSITIVE_INFINITY) checking.runWithin(LEFT_CHECK_DELAY_MS);
    }),
  );
  resources.defer(checking.stop);
  void checking.now();
}

function copyStoreDaily(
  copies: NonNullable<Bot['store']['copies']>,
  { clock, log, resources }: Runtime,
): void {
  const copy = async (): Promise<void> => {
    if (await copies.make(clock.now())) log.info('store copied');
  };
  const copying = repeatEvery(clock, COPY_INTERVAL_MS, copy, (error) =>
    log.error({ err: error }, 'store copy failed'),
  );
  resources.defer(copying.stop);
  void copying.now();
}
