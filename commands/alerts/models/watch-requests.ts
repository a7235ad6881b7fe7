/** People's requests about alerts. */
import { HOUR } from '../../../src/base/duration.ts';
import type { Access } from '../../../src/cards/board/board.ts';
import type { Service } from '../../../src/service/client.ts';
import { foldName } from '../../../src/service/models/identifiers.ts';
import { confirmReminder } from '../cards/watch-text.ts';
import { refusedIn } from '../jobs/deliver.ts';
import { type AskOutages, lookNow } from '../jobs/look-now.ts';
import { type ConditionReading, initialState, newWatchState, type WatchState } from './observe.ts';
import { isKept } from './subjects.ts';
import { newWatchId, type Watch } from './watch.ts';
import type { Watches, WatchRecord } from './watches.ts';

/** The person's part of a watch. */
type NewWatch = Pick<Watch, 'person' | 'place' | 'condition' | 'locale' | 'zone' | 'atNight'>;

/** The person who asks, and the place. */
interface WatchAsker {
  readonly id: string;
  readonly guildId: string | null;
  readonly mayManage: boolean;
}

/** One message as soon as a server has a free slot. */
interface NewReminder extends Pick<Watch, 'person' | 'locale'> {
  readonly server: string;
  /** Channel in which the person asked. */
  readonly channel: string;
  /** End of the reminder, in unix milliseconds. */
  readonly until: number;
}

/** How long *Snooze* lasts, in ms. */
const SNOOZE_MS = 8 * HOUR;

/** Rejects where the store fails. */
export function createWatchRequests({
  watches,
  unwatched,
  access,
  outages,
}: {
  readonly watches: Watches;
  /** Drivers on whom no alert may be set, in the spelling of `foldName`. */
  readonly unwatched: () => Promise<ReadonlySet<string>>;
  /** Checks the bot's permissions in a channel. */
  readonly access: (guildId: string, channelId: string) => Access;
  readonly outages: AskOutages;
}) {
  async function visibleTo({ id, guildId, mayManage }: WatchAsker) {
    const ownWatches = await watches.directTo(id);
    return { own: ownWatches, here: guildId !== null && mayManage ? await watches.in(guildId) : [] };
  }

  /** A button may come back from anybody. */
  async function among(ids: readonly string[], asker: WatchAsker): Promise<readonly Watch[]> {
    const { own, here } = await visibleTo(asker);
    return [...own, ...here].filter(({ id }) => ids.includes(id));
  }

  return {
    /**
     * Looks up through `service` what is true already. Rejects with a `ServiceError` for a name that the service does not
     * know. The same watch again replaces the earlier one.
     */
    async create(asked: NewWatch, service: Service, now: number) {
      const refused = refusedIn(asked.place, access);
      if (refused !== null) return refused;
      const looked = await lookNow(asked.condition, { service, now, outages });
      const { condition, reading, isSlow, never = null } = looked;
      if (never !== null) return never;
      if (condition.kind === 'driver' && (await unwatched()).has(foldName(condition.player)))
        return { kind: 'forbidden', player: condition.player } as const;
      const watch = { ...asked, condition, id: newWatchId(), since: now, ...lasting };
      const added = await watches.add({ watch, state: firstState(watch, reading, now) });
      if (added !== 'added') return { kind: added };
      const already = reading === null ? null : [...reading.news.values()];
      return { kind: 'created', watch, isSlow, already } as const;
    },
    confirmReminder,
    /** Replaces the person's earlier one for that server. Resolves with its id, or the reason why it is refused. */
    async remind(asked: NewReminder, now: number) {
      const record = reminderOf(asked, now);
      const added = await watches.add(record);
      return added === 'added' ? { id: record.watch.id } : added;
    },
    /** The person's own by direct message, and those of the guild that they ask in if they manage it. */
    async list(asker: WatchAsker) {
      const [{ own, here }, nobody] = [await visibleTo(asker), await unwatched()];
      const listed = (watch: Watch) => ({
        ...watch,
        isForbidden: watch.condition.kind === 'driver' && nobody.has(foldName(watch.condition.player)),
      });
      return { own: own.map(listed), here: here.map(listed) };
    },
    /** Removes watches; resolves with those that existed and that the person may change, as {@link snooze} does. */
    async stop(ids: readonly string[], asker: WatchAsker) {
      const changeable = await among(ids, asker);
      for (const watch of changeable) await watches.remove(watch);
      return changeable;
    },
    async snooze(ids: readonly string[], asker: WatchAsker, now: number) {
      const changeable = await among(ids, asker);
      const snoozedUntil = now + SNOOZE_MS;
      for (const one of changeable) await watches.update(one, (watch) => ({ ...watch, snoozedUntil }));
      return changeable.map((watch) => ({ ...watch, snoozedUntil }));
    },
    /** Resumes whatever of the list is paused. */
    async resume(asker: WatchAsker) {
      const { own, here } = await visibleTo(asker);
      for (const one of [...own, ...here].filter(({ paused }) => paused !== null))
        await watches.update(one, (watch) => ({ ...watch, paused: null }));
    },
  };
}

/** Returns the state of a new watch. Without a reading, a lasting fact is news once it is known; a passing one may be old. */
function firstState(watch: Watch, reading: ConditionReading | null, now: number): WatchState {
  if (reading !== null) return initialState(reading, now);
  return isKept(watch) ? initialState({ met: [] }, now) : newWatchState;
}

const lasting = { snoozedUntil: null, paused: null, once: null };

function reminderOf({ person, locale, server, channel, until }: NewReminder, now: number): WatchRecord {
  const watch: Watch = {
    ...lasting,
    id: newWatchId(),
    person,
    place: { kind: 'direct' },
    condition: { kind: 'server', server, free: 1, drivers: null },
    locale,
    zone: null,
    atNight: true,
    since: now,
    once: { until, channel },
  };
  return { watch, state: newWatchState };
}
