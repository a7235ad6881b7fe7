/** Periodic jobs. */
import { setTimeout as pause } from 'node:timers/promises';
import { currentFiles } from '../app/current-files.ts';
import type { RecentNamesMemory } from '../app/names/recent-names.ts';
import type { Clock } from '../base/clock.ts';
import { HOUR, MINUTE } from '../base/duration.ts';
import type { Log } from '../base/log.ts';
import { leftOut } from '../cards/servers/left-out.ts';
import { presenceText } from '../cards/servers/presence-text.ts';
import type { Translator } from '../i18n/translator.ts';
import type { CallStatistics } from '../service/call-statistics.ts';
import type { Service } from '../service/client.ts';
import type { Poll } from '../service/poll/poll.ts';
import type { DailyCopy } from './stores.ts';

/** All in milliseconds. */
const SAVE_NAMES_EVERY = MINUTE;
const REFRESH_HIDDEN_EVERY = MINUTE;
const LOOK_FOR_COPY_EVERY = HOUR;
/** Free slots and alerts. */
export const WATCH_EVERY = 15_000;
const FIRST_PUBLISH_PAUSE = 1000;
const LONGEST_PUBLISH_PAUSE = HOUR;
/** At shutdown, for work under way. */
const PATIENCE = 500;

/** Ends the job, briefly waiting for work under way. */
type Job = () => Promise<void> | void;

type Timers = Pick<Clock, 'after'>;

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

/** `watch`: runs one round; never rejects. */
export function watchFreeSlots(watch: () => Promise<void>, clock: Timers): Job {
  return repeat(watch, WATCH_EVERY, clock);
}

/** `round`: runs one round of the alerts; never rejects. */
export function runWatches(round: () => Promise<void>, clock: Timers): Job {
  return repeat(round, WATCH_EVERY, clock);
}

export function copyStoreDaily(copies: DailyCopy, clock: Clock, log: Log): Job {
  const copy = async (): Promise<void> => {
    try {
      if (await copies.make(clock.now())) log.info('store copied');
    } catch (error) {
      log.error({ err: error }, 'store copy failed');
    }
  };
  return repeat(copy, LOOK_FOR_COPY_EVERY, clock);
}

/**
 * Publishes the commands, and tries again after growing pauses until Discord accepts them (`publish` resolves with
 * true). Gives up where `publish` throws, and passes that on.
 */
export function keepPublishing(
  publish: () => Promise<boolean>,
  { clock, failed }: { readonly clock: Timers; readonly failed: (error: unknown) => void },
): Job {
  let cancel = (): void => {};
  let ended = false;
  async function attempt(pause: number): Promise<void> {
    const isDone = await publish();
    if (isDone || ended) return;
    cancel = clock.after(pause, () => void tryAgain(Math.min(2 * pause, LONGEST_PUBLISH_PAUSE)));
  }
  const tryAgain = (pause: number): Promise<void> => attempt(pause).catch(failed);
  void tryAgain(FIRST_PUBLISH_PAUSE);
  return () => {
    ended = true;
    cancel();
  };
}

interface PresenceParts {
  readonly poll: Poll;
  readonly calls: Pick<CallStatistics, 'faultOf'>;
  readonly service: Service;
  readonly clock: Clock;
  readonly t: Translator;
}

/** Where the line below the bot's name is shown. */
interface StatusLine {
  show(text: string): void;
}

/** Keeps the bot's activity line current. */
export function showPresence(line: StatusLine, { poll, calls, service, clock, t }: PresenceParts): Job {
  const show = async (): Promise<void> => {
    if (!poll.isReady(['overview'])) return;
    const { overview } = poll.facts;
    const unlisted = overview === null ? [] : leftOut(overview.record);
    const files = await currentFiles(unlisted, { service, now: clock.now() }, 'background');
    const elsewhere = files.map(({ players }) => players.length);
    const fault = calls.faultOf('overview');
    line.show(presenceText({ overview, elsewhere, fault, now: clock.now() }, t));
  };
  return poll.watch(['overview'], () => void show());
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
