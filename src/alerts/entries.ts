/** The stored watches with their states, as one process works on them. */
import type { News } from '../cards/watch/alert-text.ts';
import { foldName } from '../text/fold-name.ts';
import { newWatchState, type WatchState } from './observe.ts';
import { isLookedUp, subjectKey } from './subjects.ts';
import type { Watch } from './watch.ts';
import type { Watches } from './watches.ts';

export interface Entry {
  readonly watch: Watch;
  state: WatchState;
  /** What the last reading met. */
  news: ReadonlyMap<string, News>;
  /** Whether the stored state is older. */
  isDirty: boolean;
}

export interface Entries {
  /** Takes over what has changed in the store. */
  refresh(): Promise<void>;
  get(id: string): Entry | undefined;
  /** Those that are neither paused nor forbidden, without reminders. */
  atWork(): readonly Entry[];
  reminders(): readonly Watch[];
  /** The same by car and driver; see `subjectKey`. */
  bySubject(): ReadonlyMap<string, readonly Entry[]>;
  /** A state that passes soon is not worth a write: after a restart it is read again. */
  save(): Promise<void>;
  forget(): void;
}

/** `unwatchedNow`: drivers who must not be watched, in the spelling of `foldName`. */
export function createEntries(store: Watches, unwatchedNow: () => Promise<ReadonlySet<string>>): Entries {
  let stored: readonly Watch[] | null = null;
  let entries: ReadonlyMap<string, Entry> = new Map();
  let unwatched: ReadonlySet<string> = new Set();
  /** Several times a round somebody asks for them, and they rarely change. */
  let atWork: readonly Entry[] = [];
  let bySubject: ReadonlyMap<string, readonly Entry[]> = new Map();

  function pick(): void {
    atWork = [...entries.values()].filter(
      ({ watch: { paused, once, condition } }) =>
        paused === null &&
        once === null &&
        !(condition.kind === 'driver' && unwatched.has(foldName(condition.player))),
    );
    bySubject = Map.groupBy(atWork, ({ watch }) => subjectKey(watch));
  }

  return {
    async refresh() {
      const [watches, forbidden] = [await store.all(), await unwatchedNow()];
      const isOther = watches !== stored || forbidden.symmetricDifference(unwatched).size > 0;
      if (watches !== stored) {
        const states = await store.states();
        const entryOf = (watch: Watch): Entry => ({
          ...(entries.get(watch.id) ?? newEntry(states.get(watch.id))),
          watch,
        });
        entries = new Map(watches.map((watch) => [watch.id, entryOf(watch)]));
        stored = watches;
      }
      unwatched = forbidden;
      if (isOther) pick();
    },
    get: (id) => entries.get(id),
    atWork: () => atWork,
    reminders: () => [...entries.values()].map(({ watch }) => watch).filter(({ once }) => once !== null),
    bySubject: () => bySubject,
    async save() {
      const dirty = [...entries.values()].filter(({ isDirty, watch }) => isDirty && isLookedUp(watch));
      if (dirty.length === 0) return;
      for (const entry of dirty) entry.isDirty = false;
      await store.saveStates(dirty);
    },
    forget() {
      stored = null;
      entries = new Map();
      pick();
    },
  };
}

function newEntry(state = newWatchState): Omit<Entry, 'watch'> {
  return { state, news: new Map(), isDirty: false };
}
