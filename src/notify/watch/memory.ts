/** All watches with their states, as the one process that works through them knows them. */
import type { News } from '../../cards/watch/alert-text.ts';
import type { Observation } from '../../service/endpoints.ts';
import { json } from '../../service/json.ts';
import { sameSpelling } from '../../service/models/identifiers.ts';
import type { Watch, Watches } from '../../store/watches.ts';
import type { Subject, SubjectKind } from './look-ups.ts';
import { newWatchState, observe, sayable, WatchState, withoutPending } from './observe.ts';
import { readingOf, ruleOf, type Snapshot, type WatchFacts } from './readings.ts';

/** What one watch may say now. */
export interface Waiting {
  readonly watch: Watch;
  readonly due: readonly Due[];
  /** When the first of it became due, in unix milliseconds. */
  readonly since: number;
}

interface Due {
  readonly name: string;
  readonly news: News;
  /** When it was true, in unix milliseconds. */
  readonly at: number;
}

interface Entry {
  watch: Watch;
  state: WatchState;
  /** What the last reading met. */
  news: ReadonlyMap<string, News>;
  /** Whether the stored state is older. */
  isDirty: boolean;
}

const MINUTE = 60_000;
/** How old a record may become before it is looked up again, in ms: of a car, of one's own, of who may be online. */
const EVERY = { car: 10 * MINUTE, mine: 180 * MINUTE, driver: 5 * MINUTE };

const StoredState = json(WatchState);

export type WatchMemory = ReturnType<typeof createWatchMemory>;

/** `hidden`: drivers who must not be watched, in the spelling of `sameSpelling`. */
export function createWatchMemory(store: Watches, hidden: () => Promise<ReadonlySet<string>>) {
  let version: number | null = null;
  let entries = new Map<string, Entry>();
  /** The watches of each car and each driver. */
  let bySubject: ReadonlyMap<string, readonly Entry[]> = new Map();
  let profiles = 0;
  let unwatched: ReadonlySet<string> = new Set();
  /** When the last record of each car and each driver was true, in unix milliseconds. */
  let knownAt = new Map<string, number>();
  let snapshot: Snapshot | null = null;
  let naming: boolean | null = null;

  const isAtWork = ({ watch: { paused, condition } }: Entry): boolean =>
    paused === null && !(condition.kind === 'driver' && unwatched.has(sameSpelling(condition.player)));
  const atWork = (): readonly Entry[] => [...entries.values()].filter(isAtWork);

  function read(entry: Entry, records: Pick<WatchFacts, 'car' | 'profile'>): void {
    if (snapshot === null) return;
    const { condition } = entry.watch;
    const reading = readingOf(condition, { snapshot, namesDrivers: naming, ...records });
    if (reading === null) return;
    const state = observe(entry.state, reading, ruleFor(entry));
    if (state === entry.state) return;
    entry.news = reading.news;
    entry.state = state;
    entry.isDirty = true;
  }

  /** Profiles that say who is online are read in turn, so that with many of them each waits longer. */
  function ruleFor({ watch: { condition } }: Entry) {
    const between = naming === false ? Math.max(EVERY.driver, profiles * MINUTE) : null;
    return ruleOf(condition, between);
  }

  return {
    /** Takes over what has changed in the store. */
    async refresh(): Promise<void> {
      const [now, hiddenNow] = [await store.version(), await hidden()];
      if (now !== version) {
        const [watches, states] = [await store.all(), await store.states()];
        entries = new Map(
          watches.map((watch) => {
            const before = entries.get(watch.id);
            return [
              watch.id,
              before === undefined ? entryOf(watch, states.get(watch.id)) : { ...before, watch },
            ];
          }),
        );
        bySubject = Map.groupBy([...entries.values()], ({ watch }) => subjectKey(watch) ?? '');
        profiles = [...bySubject.keys()].filter((key) => key.startsWith('profile ')).length;
        knownAt = new Map(
          [...bySubject].map(([key, all]) => [key, Math.max(knownAt.get(key) ?? 0, newest(all))]),
        );
        version = now;
      }
      unwatched = new Set([...hiddenNow, ...(await store.forbidden())]);
    },
    /** Whether any watch needs the live files or the overview. */
    needsPolls: (): boolean =>
      atWork().some(({ watch }) => !isLookedUp(watch) && watch.condition.kind !== 'digest'),
    /** Those that wait for the end of a week. */
    digests: (): readonly Watch[] =>
      atWork().flatMap(({ watch }) => (watch.condition.kind === 'digest' ? [watch] : [])),
    takeFacts(facts: Snapshot, namesDrivers: boolean | null): void {
      snapshot = facts;
      naming = namesDrivers;
      for (const entry of atWork()) read(entry, { car: null, profile: null });
    },
    takeObservation({ kind, record }: Observation, asOf: number): void {
      const key = `${kind} ${sameSpelling(kind === 'car' ? record.vin : record.username)}`;
      const watching = bySubject.get(key);
      if (watching === undefined || (knownAt.get(key) ?? 0) >= asOf) return;
      knownAt.set(key, asOf);
      const records =
        kind === 'car' ? { car: { record, asOf }, profile: null } : { car: null, profile: { record, asOf } };
      for (const entry of watching) if (isAtWork(entry)) read(entry, records);
    },
    /** What has to be looked up, each once. */
    subjects(): readonly Subject[] {
      return [...bySubject].flatMap(([key, all]): readonly Subject[] => {
        const watching = all.filter(
          (entry) => isAtWork(entry) && (isLookedUp(entry.watch) || naming === false),
        );
        const [first] = watching;
        const subject = first === undefined ? null : subjectIn(first.watch);
        if (subject === null) return [];
        return [
          {
            ...subject,
            every: Math.min(...watching.map(({ watch }) => everyOf(watch))),
            isUrgent: watching.some(isUnsettled),
            knownAt: knownAt.get(key) ?? null,
          },
        ];
      });
    },
    /** Those with something to say. What has waited for too long is dropped. */
    waiting(now: number): readonly Waiting[] {
      return atWork().flatMap((entry): readonly Waiting[] => {
        const { watch, state, news } = entry;
        if (state.pending.length === 0) return [];
        const rule = ruleFor(entry);
        entry.state = withoutPending(state, [], now, rule);
        const due = sayable(state, now, rule).flatMap((name) => {
          const one = news.get(name);
          return one === undefined ? [] : [{ name, news: one, at: state.at ?? now }];
        });
        const since = Math.min(...state.pending.map((one) => one.since));
        return due.length === 0 ? [] : [{ watch, due, since }];
      });
    },
    said({ watch: { id }, due }: Waiting, now: number): void {
      const entry = entries.get(id);
      if (entry === undefined) return;
      const names = due.map(({ name }) => name);
      entry.state = withoutPending(entry.state, names, now, ruleFor(entry));
      entry.isDirty = true;
    },
    /** What passes is not worth a write: after a restart it is read anew. */
    async save(): Promise<void> {
      const dirty = [...entries.values()].filter(({ isDirty, watch }) => isDirty && isLookedUp(watch));
      if (dirty.length === 0) return;
      for (const entry of dirty) entry.isDirty = false;
      await store.saveStates(new Map(dirty.map(({ watch, state }) => [watch.id, JSON.stringify(state)])));
    },
    forget(): void {
      version = null;
      entries = new Map();
      bySubject = new Map();
      knownAt = new Map();
    },
  };
}

function entryOf(watch: Watch, stored: string | undefined): Entry {
  const state = StoredState.safeParse(stored).data ?? newWatchState;
  return { watch, state, news: new Map(), isDirty: false };
}

function newest(entries: readonly Entry[]): number {
  return Math.max(...entries.map(({ state }) => state.at ?? 0));
}

/** Whether only a look-up can tell; the others are read from what is polled. */
function isLookedUp({ condition: { kind } }: Watch): boolean {
  return kind === 'car' || kind === 'mine';
}

function subjectIn({ condition }: Watch): { readonly kind: SubjectKind; readonly name: string } | null {
  switch (condition.kind) {
    case 'car':
      return { kind: 'car', name: condition.vin };
    case 'mine':
    case 'driver':
      return { kind: 'profile', name: condition.player };
    case 'server':
    case 'duty':
    case 'digest':
      return null;
  }
}

function subjectKey(watch: Watch): string | null {
  const subject = subjectIn(watch);
  return subject === null ? null : `${subject.kind} ${sameSpelling(subject.name)}`;
}

function everyOf({ condition: { kind } }: Watch): number {
  return kind === 'car' || kind === 'mine' ? EVERY[kind] : EVERY.driver;
}

/** Whether the last reading differs from what two readings have said. */
function isUnsettled({ state: { known, before } }: Entry): boolean {
  return known === null || known.length !== before.length || known.some((name) => !before.includes(name));
}
