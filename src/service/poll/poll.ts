/** The data that stays current by itself, read once for all who watch it and only while one of them does. */
import type { Facts } from '../models/facts.ts';
import type { PolledSource } from './polled-source.ts';
import { createSources, LIVE_EVERY, type Source, type Sources, type SourcesSettings } from './sources.ts';

export interface Poll {
  readonly facts: Facts;
  /** Every source in use, or of these, has been tried, or waited for long enough. */
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

/** In ms: a permit may take a while; after this, whatever is known is shown. */
const FIRST_WAIT = 10_000;
/** The same when a person waits and something is known. */
const HURRIED_WAIT = 600;
const all: readonly Source[] = ['live', 'overview', 'members'];

export function createPoll(settings: Omit<SourcesSettings, 'changed' | 'liveEvery'>): Poll {
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
    return live.length === 0 ? LIVE_EVERY : Math.min(...live.map((watcher) => watcher.liveEvery));
  };
  const sources = createSources({ ...settings, changed, liveEvery });
  const polled = bySource(sources);
  const wait = createWait(clock);
  const isWatched = (source: Source): boolean =>
    [...watchers].some((watcher) => watcher.sources.includes(source));
  const watched = (of = all): readonly PolledSource<unknown>[] =>
    of.filter(isWatched).flatMap((source) => polled[source]);

  function checkWait(): void {
    wait.check(watched().every(({ tried }) => tried));
  }

  function adjust(): void {
    for (const source of all) {
      for (const one of polled[source]) {
        if (isWatched(source)) one.start();
        else one.stop();
      }
    }
    for (const file of polled.live) file.repace();
    checkWait();
  }

  return {
    get facts() {
      return factsOf(sources);
    },
    isReady(of = all) {
      const needed = watched(of);
      return watchers.size > 0 && (wait.isEnoughFor(needed) || needed.every(({ tried }) => tried));
    },
    watch(wanted, listener, every = LIVE_EVERY) {
      const watcher = { sources: wanted, changed: listener, liveEvery: every };
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
      clock.after(HURRIED_WAIT, () => changed(...all));
    },
  };
}

/** How long untried sources are waited for. */
function createWait(clock: SourcesSettings['clock']) {
  /** When the wait began, and when a person joined it. */
  let since = Number.POSITIVE_INFINITY;
  let hurriedAt = Number.POSITIVE_INFINITY;
  return {
    /** `isComplete`: every source has been tried. */
    check(isComplete: boolean): void {
      since = isComplete ? Number.POSITIVE_INFINITY : Math.min(since, clock.monotonic());
      if (isComplete) hurriedAt = Number.POSITIVE_INFINITY;
    },
    hurry(): void {
      hurriedAt = Math.min(hurriedAt, clock.monotonic());
    },
    isEnoughFor(needed: readonly PolledSource<unknown>[]): boolean {
      const now = clock.monotonic();
      const isHurried = now - hurriedAt >= HURRIED_WAIT && needed.some(({ known }) => known !== null);
      return isHurried || now - since >= FIRST_WAIT;
    },
  };
}

function bySource(sources: Sources): Readonly<Record<Source, readonly PolledSource<unknown>[]>> {
  const { files, overview, members } = sources;
  return { live: Object.values(files), overview: [overview], members: [members] };
}

function factsOf({ files: { one, two, three, four }, overview, members }: Sources): Facts {
  return {
    overview: overview.known,
    live: { one: one.known, two: two.known, three: three.known, four: four.known },
    chat: members.known,
    faults: {
      overview: overview.known === null ? overview.fault : undefined,
      chat: members.known === null ? members.fault : undefined,
    },
  };
}
