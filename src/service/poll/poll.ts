/** The data that stays current by itself, read once for all who watch it and only while one of them does. */
import type { Clock } from '../../base/clock.ts';
import { doublePause, MINUTE, SECOND } from '../../base/duration.ts';
import type { Service } from '../client.ts';
import { chatStatus, live, overview } from '../endpoints.ts';
import type { Stale } from '../models/dated.ts';
import { type Facts, withoutFile } from '../models/facts.ts';
import type { LiveServer, LiveStatus } from '../models/live-status.ts';
import { createPolledSource, type PolledSource } from './polled-source.ts';

/** `live`: the keyless files, which cost no budget. `overview` and `members` do. */
export type Source = 'live' | 'overview' | 'members';

export interface Poll {
  readonly facts: Facts;
  /** Tells whether every source in use (or of these) has been tried, or waited for long enough. */
  isReady(of?: readonly Source[]): boolean;
  /**
   * Polls these sources until the returned function is called; `changed` is called after each answer or failure
   * of one of them.
   * `liveEvery`: for a watcher that does not need the live files as often as boards do, in ms.
   */
  watch(sources: readonly Source[], changed: () => void, liveEvery?: number): () => void;
  /** A person waits for the first frame: untried sources are requested at once, with a person's priority. */
  hurry(): void;
}

/** Longest wait for the first poll, since a permit may take a while. Afterwards the known part is shown. */
const FIRST_WAIT_MS = 10_000;
/** Longest wait for the first poll while a person waits and some source has a record. */
const HURRIED_WAIT_MS = 600;
const allSources: readonly Source[] = ['live', 'overview', 'members'];
/** A change must show within four seconds; the file changes every second and costs no budget. */
const LIVE_INTERVAL_MS = 2 * SECOND;
const FAILED_LIVE_INTERVAL_MS = { failed: 12 * SECOND, neverSeen: MINUTE };
const BUDGETED_INTERVAL_MS = { first: MINUTE, longest: 5 * MINUTE };
/**
 * Longest time that an answer takes: an answer younger than the poll by up to this belongs to the poll, not to the next
 * one. A still younger answer comes from another process.
 */
const MAX_LATENESS_MS = 10 * SECOND;
/** Age up to which a poll takes the answer of another process. */
const RECENT_ENOUGH_MS = BUDGETED_INTERVAL_MS.first - MAX_LATENESS_MS;

interface PollSettings {
  readonly service: Service;
  readonly clock: Clock;
  /** A bug; polling continues. */
  readonly failed: (error: unknown) => void;
}

export function createPoll(settings: PollSettings): Poll {
  const { clock } = settings;
  const watchers = new Set<{
    readonly sources: readonly Source[];
    readonly changed: () => void;
    readonly liveEvery: number;
  }>();
  const changed = (...of: readonly Source[]): void => {
    checkWait();
    for (const watcher of [...watchers]) {
      if (watcher.sources.some((source) => of.includes(source))) watcher.changed();
    }
  };
  const liveEvery = (): number => {
    const live = [...watchers].filter((watcher) => watcher.sources.includes('live'));
    return live.length === 0 ? LIVE_INTERVAL_MS : Math.min(...live.map((watcher) => watcher.liveEvery));
  };
  const sources = createSources(settings, changed, liveEvery);
  const polled: Readonly<Record<Source, readonly PolledSource<unknown>[]>> = {
    live: Object.values(sources.files),
    overview: [sources.overview],
    members: [sources.members],
  };
  const wait = createWait(clock);
  const isWatched = (source: Source): boolean =>
    [...watchers].some((watcher) => watcher.sources.includes(source));
  const watched = (of = allSources): readonly PolledSource<unknown>[] =>
    of.filter(isWatched).flatMap((source) => polled[source]);

  function checkWait(): void {
    wait.check(watched().every(({ wasTried }) => wasTried));
  }

  function adjust(): void {
    for (const source of allSources) {
      for (const polledSource of polled[source]) {
        if (isWatched(source)) polledSource.start();
        else polledSource.stop();
      }
    }
    for (const file of polled.live) file.repace();
    checkWait();
  }

  return {
    get facts() {
      return factsOf(sources);
    },
    isReady(of = allSources) {
      const neededSources = watched(of);
      return (
        watchers.size > 0 &&
        (wait.isEnoughFor(neededSources) || neededSources.every(({ wasTried }) => wasTried))
      );
    },
    watch(watchedSources, listener, liveInterval = LIVE_INTERVAL_MS) {
      const watcher = { sources: watchedSources, changed: listener, liveEvery: liveInterval };
      watchers.add(watcher);
      adjust();
      return () => {
        watchers.delete(watcher);
        adjust();
      };
    },
    hurry() {
      wait.hurry();
      for (const source of watched()) source.hurry();
      clock.after(HURRIED_WAIT_MS, () => changed(...allSources));
    },
  };
}

/** Each source with its polling interval. `liveEvery`: milliseconds between polls of one live file. */
function createSources(settings: PollSettings, changed: (source: Source) => void, liveEvery: () => number) {
  const { service } = settings;
  const file = (server: LiveServer): PolledSource<LiveStatus> =>
    createPolledSource({
      ...settings,
      changed: () => changed('live'),
      doubtFirst: true,
      ask: async (priority) => {
        const answer = await service.get(live, { server }, { priority });
        // The time is passed beside the record; inside it, no two records would be equal.
        const record = { ...answer.record, time: null };
        return { ...answer, record, stated: answer.record.time };
      },
      pace: (outcome, failures, everKnown) => {
        const every = liveEvery();
        if (outcome === null) return every;
        // A file that never existed while others do is polled rarely; any other failing file soon.
        const isAlone = !everKnown && Object.values(files).some(({ fact }) => fact !== null);
        return doublePause(
          {
            first: every,
            longest: isAlone ? FAILED_LIVE_INTERVAL_MS.neverSeen : FAILED_LIVE_INTERVAL_MS.failed,
          },
          failures - 1,
        );
      },
      isEmpty: ({ players }) => players.length === 0,
    });
  const files = { one: file('one'), two: file('two'), three: file('three'), four: file('four') };
  return {
    files,
    overview: createPolledSource({
      ...settings,
      changed: () => changed('overview'),
      doubtFirst: false,
      ask: (priority) => service.get(overview, {}, { priority, recentEnough: RECENT_ENOUGH_MS }),
      pace: budgetedPace,
      isEmpty: (record) => record.every(({ guests }) => (guests ?? 0) === 0),
    }),
    members: createPolledSource({
      ...settings,
      changed: () => changed('members'),
      doubtFirst: false,
      ask: (priority) => service.get(chatStatus, {}, { priority, recentEnough: RECENT_ENOUGH_MS }),
      pace: budgetedPace,
      isEmpty: ({ members }) => members.length === 0,
    }),
  };
}

/** Without budget, it is polled less often. */
function budgetedPace(outcome: Stale | null, failures: number): number {
  const isShort = outcome === 'over-budget' || outcome === 'refused';
  return isShort ? doublePause(BUDGETED_INTERVAL_MS, failures) : BUDGETED_INTERVAL_MS.first;
}

/** Limits the wait for untried sources. */
function createWait(clock: Clock) {
  /** When the wait began, and when a person joined it. */
  let waitingSince = Number.POSITIVE_INFINITY;
  let hurriedAt = Number.POSITIVE_INFINITY;
  return {
    /** `isComplete`: every source has been tried. */
    check(isComplete: boolean): void {
      waitingSince = isComplete ? Number.POSITIVE_INFINITY : Math.min(waitingSince, clock.monotonic());
      if (isComplete) hurriedAt = Number.POSITIVE_INFINITY;
    },
    hurry(): void {
      hurriedAt = Math.min(hurriedAt, clock.monotonic());
    },
    isEnoughFor(polled: readonly PolledSource<unknown>[]): boolean {
      const now = clock.monotonic();
      const isHurried = now - hurriedAt >= HURRIED_WAIT_MS && polled.some(({ fact }) => fact !== null);
      return isHurried || now - waitingSince >= FIRST_WAIT_MS;
    },
  };
}

function factsOf({ files, overview, members }: ReturnType<typeof createSources>): Facts {
  const { one, two, three, four } = files;
  return {
    overview: overview.fact,
    live: { one: one.fact, two: two.fact, three: three.fact, four: four.fact },
    chat: members.fact,
    withoutFile: withoutFile((server) => ({
      isThere: files[server].fact !== null,
      isMissing: files[server].isMissing,
    })),
    faults: {
      overview: overview.fact === null ? overview.fault : undefined,
      chat: members.fact === null ? members.fault : undefined,
    },
  };
}
