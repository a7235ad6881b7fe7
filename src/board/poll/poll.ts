/** What all boards and the presence show, read once for all of them and only while one of them shows it. */
import type { BoardFacts } from '../../cards/board/board-facts.ts';
import type { Clock } from '../../clock.ts';
import type { Service } from '../../service/client.ts';
import { chatStatus, live, overview } from '../../service/endpoints.ts';
import type { LiveServer, LiveStatus } from '../../service/models/live-status.ts';
import { type Came, createPolledSource, type PolledSource } from './polled-source.ts';

/** `live`: the keyless files, which cost no budget. `overview` and `members` do. */
export type Source = 'live' | 'overview' | 'members';

export interface Poll {
  readonly facts: BoardFacts;
  /** Whether all that is needed has been asked for once, or has been waited for long enough. */
  isReady(): boolean;
  /** Reads these until the returned function is called; `changed` is called whenever something has come in, or has not. */
  watch(sources: readonly Source[], changed: () => void): () => void;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const LIVE = { every: 3 * SECOND, most: 12 * SECOND, never: MINUTE };
const BUDGETED = { every: MINUTE, most: 5 * MINUTE };
/** A permit may take its time; what is known by then is shown. */
const FIRST_WAIT = 10 * SECOND;

/** A file that has never been there although others are is looked for once in a while; any other one, soon. */
function livePace(came: Came, failures: number, isExpected: boolean): number {
  if (came === 'fresh') return LIVE.every;
  return Math.min(isExpected ? LIVE.most : LIVE.never, LIVE.every * 2 ** Math.min(10, failures - 1));
}

/** The governor's word counts: whoever gets no permit asks less often. */
function budgetedPace(came: Came, failures: number): number {
  return came === 'no-budget'
    ? Math.min(BUDGETED.most, BUDGETED.every * 2 ** Math.min(10, failures))
    : BUDGETED.every;
}

export function createPoll(parts: { readonly service: Service; readonly clock: Clock }): Poll {
  const { service, clock } = parts;
  const priority = 'background';
  const watchers = new Set<{ readonly sources: readonly Source[]; readonly changed: () => void }>();
  let startedAt: number | null = null;

  const changed = (): void => {
    for (const watcher of [...watchers]) watcher.changed();
  };
  const file = (server: LiveServer): PolledSource<LiveStatus> =>
    createPolledSource({
      clock,
      changed,
      doubtFirst: true,
      ask: async () => {
        const answer = await service.get(live, { server }, { priority });
        // The answer's own time stands beside the record; in it, no two records would say the same.
        return {
          ...answer,
          record: { ...answer.record, time: null },
          clockless: answer.record.time === null,
        };
      },
      pace: (came, failures, everKnown) => {
        const isAlone = Object.values(files).some(({ known }) => known !== null) && !everKnown;
        return livePace(came, failures, !isAlone);
      },
      isEmpty: ({ players }) => players.length === 0,
    });
  const files = { one: file('one'), two: file('two'), three: file('three'), four: file('four') };
  const servers = createPolledSource({
    clock,
    changed,
    doubtFirst: false,
    ask: () => service.get(overview, {}, { priority }),
    pace: budgetedPace,
    isEmpty: (record) => record.every(({ guests }) => (guests ?? 0) === 0),
  });
  const members = createPolledSource({
    clock,
    changed,
    doubtFirst: false,
    ask: () => service.get(chatStatus, {}, { priority }),
    pace: budgetedPace,
    isEmpty: (record) => (record.members ?? []).length === 0,
  });
  const polled: Readonly<Record<Source, readonly PolledSource<unknown>[]>> = {
    live: Object.values(files),
    overview: [servers],
    members: [members],
  };
  const sources: readonly Source[] = ['live', 'overview', 'members'];

  function isWatched(source: Source): boolean {
    return [...watchers].some((watcher) => watcher.sources.includes(source));
  }

  function adjust(): void {
    for (const source of sources) {
      for (const one of polled[source]) {
        if (isWatched(source)) one.start();
        else one.stop();
      }
    }
  }

  return {
    get facts() {
      const { one, two, three, four } = files;
      return {
        overview: servers.known,
        live: { one: one.known, two: two.known, three: three.known, four: four.known },
        chat: members.known,
      };
    },
    isReady() {
      if (startedAt === null) return false;
      if (clock.monotonic() - startedAt >= FIRST_WAIT) return true;
      return sources.every((source) => !isWatched(source) || polled[source].every(({ tried }) => tried));
    },
    watch(wanted, listener) {
      const watcher = { sources: wanted, changed: listener };
      watchers.add(watcher);
      startedAt ??= clock.monotonic();
      adjust();
      return () => {
        watchers.delete(watcher);
        adjust();
      };
    },
  };
}
