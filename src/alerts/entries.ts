/** The stored watches with their states, as one process works on them. */

import { json } from '../base/json.ts';
import type { News } from '../cards/watch/alert-text.ts';
import { foldName } from '../text/fold-name.ts';
import { newWatchState, WatchState } from './observe.ts';
import { isLookedUp, subjectKey } from './subjects.ts';
import type { Watch, Watches } from './watches.ts';

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
  /** Those that are neither paused nor forbidden. */
  atWork(): readonly Entry[];
  /** The same by car and driver; see `subjectKey`. */
  bySubject(): ReadonlyMap<string, readonly Entry[]>;
  /** A state that passes soon is not worth a write: after a restart it is read again. */
  save(): Promise<void>;
  forget(): void;
}

const StoredState = json(WatchState);

/** `hidden`: drivers who must not be watched, in the spelling of `foldName`. */
export function createEntries(store: Watches, hidden: () => Promise<ReadonlySet<string>>): Entries {
  let version: number | null = null;
  let entries: ReadonlyMap<string, Entry> = new Map();
  let unwatched: ReadonlySet<string> = new Set();
  /** Several times a round somebody asks for them, and they rarely change. */
  let atWork: readonly Entry[] = [];
  let bySubject: ReadonlyMap<string, readonly Entry[]> = new Map();

  function pick(): void {
    atWork = [...entries.values()].filter(
      ({ watch: { paused, condition } }) =>
        paused === null && !(condition.kind === 'driver' && unwatched.has(foldName(condition.player))),
    );
    bySubject = Map.groupBy(atWork, ({ watch }) => subjectKey(watch));
  }

  return {
    async refresh() {
      const [now, hiddenNow] = [await store.version(), await hidden()];
      const unwatchedNow = new Set([...hiddenNow, ...[...(await store.forbidden())].map(foldName)]);
      const isOther = now !== version || unwatchedNow.symmetricDifference(unwatched).size > 0;
      if (now !== version) {
        const [watches, states] = [await store.all(), await store.states()];
        const entryOf = (watch: Watch): Entry => ({
          ...(entries.get(watch.id) ?? newEntry(states.get(watch.id))),
          watch,
        });
        entries = new Map(watches.map((watch) => [watch.id, entryOf(watch)]));
        version = now;
      }
      unwatched = unwatchedNow;
      if (isOther) pick();
    },
    get: (id) => entries.get(id),
    atWork: () => atWork,
    bySubject: () => bySubject,
    async save() {
      const dirty = [...entries.values()].filter(({ isDirty, watch }) => isDirty && isLookedUp(watch));
      if (dirty.length === 0) return;
      for (const entry of dirty) entry.isDirty = false;
      await store.saveStates(new Map(dirty.map(({ watch, state }) => [watch.id, JSON.stringify(state)])));
    },
    forget() {
      version = null;
      entries = new Map();
      pick();
    },
  };
}

function newEntry(stored: string | undefined): Omit<Entry, 'watch'> {
  const state = StoredState.safeParse(stored).data ?? newWatchState;
  return { state, news: new Map(), isDirty: false };
}
