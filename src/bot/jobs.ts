/** What runs by itself. */
import { HOUR } from '../base/duration.ts';
import { every } from '../base/every.ts';
import type { Runtime } from '../base/runtime.ts';
import { chatName } from '../cards/kit/lines.ts';
import { createStatusLine, showDrivers } from '../discord/status-line.ts';
import { createWelcome, newGuild } from '../discord/welcome.ts';
import { startRecorder } from '../history/recorder.ts';
import type { DailyCopy } from '../store/stores.ts';
import type { Bot } from './bot.ts';

/** In ms. */
const LOOK_FOR_COPY_EVERY = HOUR;

export function startJobs(bot: Bot, runtime: Runtime): void {
  const { store, connection, dataService, translatorFor } = bot;
  const { clock, resources } = runtime;
  const line = createStatusLine(connection.showStatus, clock);
  resources.defer(showDrivers(line, { ...dataService, clock, t: translatorFor('en-GB') }));
  connection.onGuild(welcomeGuilds(bot, runtime));
  recordHistory(bot, runtime);
  if (store.copies !== null) copyStoreDaily(store.copies, runtime);
}

function recordHistory({ store, hidden, lookUps, dataService, cluster }: Bot, runtime: Runtime): void {
  const sources = {
    chunks: store.history,
    isHidden: hidden.isHidden,
    lookUps,
    dataService,
    holdsLease: () => cluster.fenceOf(null) !== null,
    onRelease: (release: () => Promise<void>) =>
      cluster.onRelease(async (has) => {
        if (has(null)) await release();
      }),
  };
  startRecorder(sources, runtime);
}

function welcomeGuilds({ store, connection, notify, translatorFor }: Bot, { clock, log }: Runtime) {
  const welcome = createWelcome({
    rest: connection.rest,
    notify,
    translatorFor,
    inLine: chatName,
    now: clock.now,
    log,
    claims: store.claims,
  });
  return (guild: Parameters<typeof newGuild>[0]) => void welcome(newGuild(guild));
}

function copyStoreDaily(copies: DailyCopy, { clock, log, resources }: Runtime): void {
  const copy = async (): Promise<void> => {
    if (await copies.make(clock.now())) log.info('store copied');
  };
  const copying = every(clock, LOOK_FOR_COPY_EVERY, copy, (error) =>
    log.error({ err: error }, 'store copy failed'),
  );
  resources.defer(copying.stop);
  void copying.now();
}
