/** What runs by itself. */
import { setTimeout as pause } from 'node:timers/promises';
import { createFreeSlotWatch } from '../alerts/free-slot-watch.ts';
import type { RecentNamesMemory } from '../app/names/recent-names.ts';
import type { Clock } from '../base/clock.ts';
import { HOUR, MINUTE } from '../base/duration.ts';
import type { Log } from '../base/log.ts';
import { chatName } from '../cards/kit/lines.ts';
import { createStatusLine, showDrivers } from '../discord/status-line.ts';
import { createWelcome, newGuild } from '../discord/welcome.ts';
import type { Parts } from './parts.ts';
import type { Runtime } from './runtime.ts';
import type { DailyCopy } from './stores.ts';

/** All in milliseconds. */
const SAVE_NAMES_EVERY = MINUTE;
const REFRESH_HIDDEN_EVERY = MINUTE;
const LOOK_FOR_COPY_EVERY = HOUR;
/** Free slots and alerts. */
export const WATCH_EVERY = 15_000;
/** At shutdown, for work under way. */
const PATIENCE = 500;

/** What it may take of the store: a guild counts for two hours after its invitation. */
const WELCOMED = { maxRows: 10_000, maxBytes: 1_000_000 };

/** Ends the job, briefly waiting for work under way. */
type Job = () => Promise<void> | void;

type Timers = Pick<Clock, 'after'>;

export function startJobs(parts: Parts, runtime: Runtime): void {
  const { store, connection, dataService, translatorFor } = parts;
  const { clock, log, resources } = runtime;
  const line = createStatusLine(connection.showStatus, clock);
  resources.defer(showDrivers(line, { ...dataService, clock, t: translatorFor('en-GB') }));
  resources.defer(watchFreeSlots(parts, runtime));
  connection.onGuild(welcomeGuilds(parts, runtime));
  if (store.copies !== null) resources.defer(copyStoreDaily(store.copies, clock, log));
}

function watchFreeSlots(
  { store, dataService, cluster, notify, viewerOf }: Parts,
  { clock, log }: Runtime,
): Job {
  const watch = createFreeSlotWatch({
    service: dataService.service,
    subscriptions: store.subscriptions,
    now: clock.now,
    notify,
    holdsLease: () => cluster.holds(null),
    translatorOf: async ({ person: id, guild, channel: channelId, locale }) =>
      (await viewerOf({ id, guildId: guild, channelId, mayManage: false, locale })).t,
    failed: (error) => log.error({ err: error }, 'free-slot watch failed'),
  });
  return repeat(watch, WATCH_EVERY, clock);
}

function welcomeGuilds({ store, connection, notify, translatorFor }: Parts, { clock, log }: Runtime) {
  const welcome = createWelcome({
    rest: connection.rest,
    notify,
    translatorFor,
    inLine: chatName,
    now: clock.now,
    log,
    welcomed: store.namespace('welcomed', WELCOMED),
    claim: store.claimInteraction,
  });
  return (guild: Parameters<typeof newGuild>[0]) => void welcome(newGuild(guild));
}

/** Saves recently seen names, so that they survive a restart. */
export function saveNames(names: RecentNamesMemory): Job {
  const saving = setInterval(() => void names.save(), SAVE_NAMES_EVERY);
  return () => {
    clearInterval(saving);
    return names.save();
  };
}

/** Another process may have hidden a driver. */
export function refreshHidden(hidden: { refresh(): Promise<void> }, failed: (error: unknown) => void): Job {
  const refreshing = setInterval(() => void hidden.refresh().catch(failed), REFRESH_HIDDEN_EVERY);
  return () => clearInterval(refreshing);
}

/** `round`: runs one round of the alerts; never rejects. */
export function runWatches(round: () => Promise<void>, clock: Timers): Job {
  return repeat(round, WATCH_EVERY, clock);
}

function copyStoreDaily(copies: DailyCopy, clock: Clock, log: Log): Job {
  const copy = async (): Promise<void> => {
    try {
      if (await copies.make(clock.now())) log.info('store copied');
    } catch (error) {
      log.error({ err: error }, 'store copy failed');
    }
  };
  return repeat(copy, LOOK_FOR_COPY_EVERY, clock);
}

/** Runs at once, then every `every` ms. */
function repeat(work: () => Promise<void>, every: number, clock: Timers): Job {
  let last = work();
  const again = (): void => {
    cancel = clock.after(every, again);
    last = work();
  };
  let cancel = clock.after(every, again);
  return () => {
    cancel();
    return Promise.race([last, pause(PATIENCE)]);
  };
}
