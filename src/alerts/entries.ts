/** The stored watches with their states, as one process works on them. */
import { inSlices } from '../base/in-slices.ts';
import type { News } from '../cards/watch/alert-text.ts';
import { foldName } from '../service/models/identifiers.ts';
import { placeKey, type Watch } from '../service/models/watch.ts';
import { newWatchState, type WatchState } from './observe.ts';
import { isKept, subjectKey } from './subjects.ts';
import type { Watches } from './watches.ts';

export interface WatchEntry {
  watch: Watch;
  /** The same for all that wait for the same. */
  readonly asks: string;
  /** See `subjectKey`. */
  readonly subject: string;
  state: WatchState;
  /** Met by the last reading. */
  news: ReadonlyMap<string, News>;
}

/** `unwatchedNow`: drivers who must not be watched, in the spelling of `foldName`. */
export function createEntries(store: Watches, unwatchedNow: () => Promise<ReadonlySet<string>>) {
  let stored: readonly Watch[] | null = null;
  let entries: ReadonlyMap<string, WatchEntry> = new Map();
  let unwatched: ReadonlySet<string> = new Set();
  /** Several times a round somebody asks for them, and they rarely change. */
  let atWork: readonly WatchEntry[] = [];
  let bySubject: ReadonlyMap<string, readonly WatchEntry[]> = new Map();
  let unsaved = new Set<WatchEntry>();

  function pick(): void {
    atWork = [...entries.values()].filter(
      ({ watch: { paused, once, condition } }) =>
        paused === null &&
        once === null &&
        !(condition.kind === 'driver' && unwatched.has(foldName(condition.player))),
    );
    bySubject = Map.groupBy(atWork, ({ subject }) => subject);
  }

  /** Reads the stored states of watches that this process has not seen before. */
  async function take(watches: readonly Watch[]): Promise<void> {
    const unseen = watches.filter(({ id }) => !entries.has(id));
    const states = await store.statesAt(new Set(unseen.map(placeKey)));
    const next = new Map<string, WatchEntry>();
    await inSlices(watches, (watch) => {
      const entry = entries.get(watch.id) ?? newEntry(watch, states.get(watch.id));
      entry.watch = watch;
      next.set(watch.id, entry);
    });
    entries = next;
    stored = watches;
  }

  return {
    /** Takes over what has changed in the store. */
    async refresh() {
      const [watches, forbidden] = [await store.all(), await unwatchedNow()];
      const isOther = watches !== stored || forbidden.symmetricDifference(unwatched).size > 0;
      if (watches !== stored) await take(watches);
      unwatched = forbidden;
      if (isOther) pick();
    },
    get: (id: string) => entries.get(id),
    /** Entries that are neither paused nor forbidden, without reminders. */
    atWork: () => atWork,
    reminders: () => [...entries.values()].map(({ watch }) => watch).filter(({ once }) => once !== null),
    /** Those at work by car and driver; see `subjectKey`. */
    bySubject: () => bySubject,
    /** The stored state of this one is older. One that passes soon is not worth a write: after a restart it is read again. */
    changed(entry: WatchEntry): void {
      if (isKept(entry.watch)) unsaved.add(entry);
    },
    /** Writes what has changed. */
    async save() {
      const saved = [...unsaved];
      unsaved = new Set();
      if (saved.length > 0) await store.saveStates(saved);
    },
    forget() {
      stored = null;
      entries = new Map();
      unsaved = new Set();
      pick();
    },
  };
}

function newEntry(watch: Watch, state = newWatchState): WatchEntry {
  const asks = JSON.stringify(watch.condition);
  return { watch, asks, subject: subjectKey(watch), state, news: new Map() };
}
