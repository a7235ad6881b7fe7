/** The stored watches as one process works on them: their states and readings, and the news that they have to send. */
import { forEachInSlices } from '../../../src/base/for-each-yielding.ts';
import type { Observation } from '../../../src/service/endpoints.ts';
import { subjectKeyOf } from '../../../src/service/look-ups.ts';
import { foldName } from '../../../src/service/models/identifiers.ts';
import type { News } from '../cards/alert-text.ts';
import {
  type AlertRule,
  findSayable,
  isHeld,
  newWatchState,
  notAhead,
  observeReading,
  type WatchState,
  withHeld,
  withoutPending,
} from './observe.ts';
import { readCondition, ruleOf, type WatchFacts, type WatchReading } from './readings.ts';
import { findDueLookUp, isKept, isLookedUp, isUnsettled, subjectKey, turnOfProfiles } from './subjects.ts';
import { placeKey, type Watch } from './watch.ts';
import type { Watches } from './watches.ts';

interface WatchEntry {
  watch: Watch;
  /** Equal for all watches that wait for the same thing. */
  readonly asks: string;
  /** See `subjectKey`. */
  readonly subject: string;
  state: WatchState;
  /** Met by the last reading. */
  news: ReadonlyMap<string, News>;
  /** The stored state has news that Discord has not accepted. */
  isHeldInStore: boolean;
}

/** The news that one watch may send now. */
export interface PendingAlert {
  readonly watch: Watch;
  readonly due: readonly {
    readonly name: string;
    readonly news: News;
    /** When it was true, in unix milliseconds. */
    readonly at: number;
  }[];
  /** When the first of it became due, in unix milliseconds. */
  readonly since: number;
}

export type WatchMemory = ReturnType<typeof createWatchMemory>;

/** `unwatchedNow`: drivers who must not be watched, in the spelling of `foldName`. */
export function createWatchMemory(store: Watches, unwatchedNow: () => Promise<ReadonlySet<string>>) {
  let storedWatches: readonly Watch[] | null = null;
  let entries: ReadonlyMap<string, WatchEntry> = new Map();
  let unwatched: ReadonlySet<string> = new Set();
  /** Entries that are neither paused nor forbidden, without reminders. */
  let atWork: readonly WatchEntry[] = [];
  /** Working watches by car and driver; see `subjectKey`. */
  let bySubject: ReadonlyMap<string, readonly WatchEntry[]> = new Map();
  let reminders: readonly Watch[] = [];
  let unsaved = new Set<WatchEntry>();
  /** When the last record of each car and each driver was true, in unix milliseconds. */
  const knownAt = new Map<string, number>();
  /** Known without a look-up. */
  let polled: Omit<WatchFacts, 'car' | 'profile'> | null = null;
  /** Between two look-ups of a profile, in ms. */
  let between = 0;

  const isAtWork = ({ watch: { paused, once, condition } }: WatchEntry): boolean =>
    paused === null &&
    once === null &&
    !(condition.kind === 'driver' && unwatched.has(foldName(condition.player)));

  function pick(): void {
    atWork = [...entries.values()].filter(isAtWork);
    bySubject = Map.groupBy(
      atWork.filter(({ subject }) => subject !== ''),
      ({ subject }) => subject,
    );
    for (const key of knownAt.keys()) if (!bySubject.has(key)) knownAt.delete(key);
    between = turnOfProfiles([...bySubject.keys()]);
    reminders = storedWatches?.filter(({ once }) => once !== null) ?? [];
  }

  /** Reads the stored states of watches that this process has not seen before. */
  async function takeStored(watches: readonly Watch[]): Promise<void> {
    const unseen = watches.filter(({ id }) => !entries.has(id));
    const states = await store.statesAt(new Set(unseen.map(placeKey)));
    const readings = entries.size === 0 ? await store.lastReadings() : new Map<string, WatchState>();
    const next = new Map<string, WatchEntry>();
    await forEachInSlices(watches, (watch) => {
      const entry = entries.get(watch.id) ?? newEntry(watch, readings, states.get(watch.id));
      entry.watch = watch;
      next.set(watch.id, entry);
    });
    entries = next;
    storedWatches = watches;
  }

  /**
   * The stored state of this one is older. One that passes soon is not worth a write, unless Discord has not taken its news:
   * after a restart it is read again.
   */
  function changed(entry: WatchEntry): void {
    if (isKept(entry.watch) || entry.isHeldInStore || isHeld(entry.state)) unsaved.add(entry);
  }

  const ruleFor = ({ watch: { condition } }: WatchEntry): AlertRule =>
    ruleOf(condition, polled?.namesDrivers === false ? between : null);

  /** Reads each entry by these records; worked out once for all that wait for the same. */
  function reader(records: Pick<WatchFacts, 'car' | 'profile'>): (entry: WatchEntry) => void {
    const facts = polled === null ? null : { ...polled, ...records };
    const readings = new Map<string, WatchReading | null>();
    return (entry) => {
      if (facts === null) return;
      const { asks, watch } = entry;
      if (!readings.has(asks)) readings.set(asks, readCondition(watch.condition, facts));
      take(entry, readings.get(asks) ?? null);
    };
  }

  function take(entry: WatchEntry, reading: WatchReading | null): void {
    if (reading !== null && entry.watch.condition.kind === 'outage' && isSettled(entry, reading)) {
      entry.news = reading.news;
      return;
    }
    const state = reading === null ? entry.state : observeReading(entry.state, reading, ruleFor(entry));
    if (reading === null || state === entry.state) return;
    Object.assign(entry, { state, news: reading.news });
    if (isKept(entry.watch)) changed(entry);
  }

  /** Writes what has changed. */
  async function save(): Promise<void> {
    const saved = unsaved;
    unsaved = new Set();
    try {
      if (saved.size > 0) await store.saveStates([...saved]);
      for (const entry of saved) entry.isHeldInStore = isHeld(entry.state);
    } catch (error) {
      unsaved = unsaved.union(saved);
      throw error;
    }
  }

  /** Changes and writes the states of those alerts whose watches are still there. */
  async function write(
    alerts: readonly PendingAlert[],
    change: (entry: WatchEntry, names: readonly string[], since: number) => WatchState,
  ): Promise<void> {
    for (const { watch, due, since } of alerts) {
      const entry = entries.get(watch.id);
      if (entry === undefined) continue;
      entry.state = change(
        entry,
        due.map(({ name }) => name),
        since,
      );
      changed(entry);
    }
    await save();
  }

  return {
    /** Takes over what has changed in the store. */
    async refresh() {
      const [watches, forbidden] = [await store.all(), await unwatchedNow()];
      const isOther = watches !== storedWatches || forbidden.symmetricDifference(unwatched).size > 0;
      if (watches !== storedWatches) await takeStored(watches);
      unwatched = forbidden;
      if (isOther) pick();
    },
    /** Returns those that are neither paused nor forbidden, without reminders. */
    atWork: (): readonly Pick<WatchEntry, 'watch'>[] => atWork,
    reminders: () => reminders,
    save,
    /**
     * Writes the last readings of what passes soon: a start within minutes of them is no outage, and goes on. Once for all that
     * wait for the same, as the oldest of them has it.
     */
    async saveReadings(): Promise<void> {
      // Before the first round, those of the last process are all that is known.
      if (storedWatches === null) return;
      const passing = atWork.filter(({ watch, state }) => !isKept(watch) && state.at !== null);
      await store.saveReadings(
        new Map(passing.toReversed().map(({ asks, state }) => [asks, { ...state, pending: [] }])),
      );
    },
    forget() {
      storedWatches = null;
      entries = new Map();
      unsaved = new Set();
      pick();
    },
    async takeFacts(facts: Omit<WatchFacts, 'car' | 'profile'>) {
      const { now } = facts;
      polled = facts;
      await forEachInSlices(bySubject, ([key, all]) => {
        const times = all.map(({ state }) => state.at ?? 0);
        knownAt.set(key, Math.min(now, Math.max(knownAt.get(key) ?? 0, ...times)));
      });
      const read = reader({ car: null, profile: null });
      await forEachInSlices(atWork, (entry) => {
        entry.state = notAhead(entry.state, now);
        read(entry);
      });
    },
    takeObservation(observation: Observation, asOf: number): void {
      const { kind, record } = observation;
      const key = subjectKeyOf(observation);
      if (key === null || (knownAt.get(key) ?? Number.POSITIVE_INFINITY) >= asOf) return;
      knownAt.set(key, asOf);
      const records = {
        car: kind === 'car' ? { record, asOf } : null,
        profile: kind === 'profile' ? { record, asOf } : null,
      };
      bySubject.get(key)?.forEach(reader(records));
    },
    /** The subjects to look up, each once. */
    subjects: () =>
      [...bySubject].flatMap(([key, all]) => {
        const lookedUp = all.filter(({ watch }) => isLookedUp(watch) || polled?.namesDrivers === false);
        return findDueLookUp(lookedUp, knownAt.get(key) ?? null) ?? [];
      }),
    /** Watches with news. News that has waited for too long is dropped. */
    async waiting(now: number): Promise<readonly PendingAlert[]> {
      const all: PendingAlert[] = [];
      await forEachInSlices(atWork, (entry) => {
        const pendingAlert = takeWaiting(entry, now, ruleFor(entry));
        if (pendingAlert !== null) all.push(pendingAlert);
      });
      return all;
    },
    /** Returns the alerts as they are now, without those that are no longer to be sent. */
    stillWaiting: (alerts: readonly PendingAlert[], now: number): readonly PendingAlert[] =>
      alerts.flatMap(({ watch: { id } }) => {
        const entry = entries.get(id);
        if (entry === undefined || !isAtWork(entry)) return [];
        return takeWaiting(entry, now, ruleFor(entry)) ?? [];
      }),
    /** Remembers over a restart that the alerts wait for Discord. */
    hold: (alerts: readonly PendingAlert[]) => write(alerts, ({ state }, names) => withHeld(state, names)),
    /**
     * Marks alerts as said, before they are claimed: a killed process must not say them again, and a claim that a failing store
     * does not take back keeps them from being said.
     */
    say: (alerts: readonly PendingAlert[], now: number) =>
      write(alerts, (entry, names) => withoutPending(entry.state, names, now, ruleFor(entry))),
    /** Marks alerts as still to be sent: they were not sent, or another process sends them. */
    unsay: (alerts: readonly PendingAlert[]) =>
      write(alerts, ({ state }, names, since) => ({
        ...state,
        pending: [...state.pending, ...names.map((name) => ({ name, since, held: true }))],
      })),
  };
}

/** The reading says the same as two before: an outage of hours is not worth a write every round. */
function isSettled(entry: WatchEntry, { met }: WatchReading): boolean {
  const { before } = entry.state;
  return !isUnsettled(entry) && met.length === before.length && met.every((name) => before.includes(name));
}

/** The entry's news of now; news that has waited for too long is dropped from it. */
function takeWaiting(entry: WatchEntry, now: number, rule: AlertRule): PendingAlert | null {
  const { watch, state } = entry;
  if (state.pending.length === 0) return null;
  const dueNews = findSayable(state, now, rule).flatMap((name) => {
    const news = entry.news.get(name);
    return news === undefined ? [] : [{ name, news, at: state.at ?? now }];
  });
  entry.state = withoutPending(state, [], now, rule);
  const oldestSince = Math.min(...state.pending.map((one) => one.since));
  return dueNews.length === 0 ? null : { watch, due: dueNews, since: oldestSince };
}

/** `readings`: of what passes soon, where another process has read it since the state was stored. */
function newEntry(
  watch: Watch,
  readings: ReadonlyMap<string, WatchState>,
  stored = newWatchState,
): WatchEntry {
  const asks = JSON.stringify(watch.condition);
  const last = readings.get(asks);
  const isNewer = last !== undefined && (last.at ?? 0) > (stored.at ?? 0);
  const state = isNewer ? { ...last, pending: stored.pending } : stored;
  return { watch, asks, subject: subjectKey(watch), state, news: new Map(), isHeldInStore: isHeld(state) };
}
