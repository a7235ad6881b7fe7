import type { BoardOptions } from '../../service/models/board.ts';
import { countedByFiles, type Judged, type JudgedFacts } from '../../service/models/facts.ts';
import { LiveServer, type LiveStatus, liveServer } from '../../service/models/live-status.ts';
import type { Overview } from '../../service/models/overview.ts';

/** Which of the facts a board shows. */
export type BoardView = Pick<BoardOptions, 'servers' | 'members' | 'names'>;

/**
 * The facts that a board shows: what is left out does not make it old. Of two sources that count the drivers of one
 * server, the newer one.
 */
export function inView(facts: JudgedFacts, { servers, members }: Pick<BoardView, 'servers' | 'members'>) {
  const isShown = (name: string | null): boolean =>
    servers === null || servers.includes(name?.toLowerCase() ?? '');
  const { overview, live, chat, offlineSince } = facts;
  const counted = (name: LiveServer) => {
    const file = freshFile(facts, name);
    return file && { asOf: file.asOf, players: file.record.players };
  };
  const { one, two, three, four } = live;
  return {
    overview: overview && {
      ...overview,
      record: countedByFiles(overview, counted).filter(({ name }) => isShown(name)),
    },
    live: {
      one: isShown('one') ? one : null,
      two: isShown('two') ? two : null,
      three: isShown('three') ? three : null,
      four: isShown('four') ? four : null,
    },
    chat: members === 'off' ? null : chat,
    offlineSince,
  } satisfies JudgedFacts;
}

function freshFile({ live }: Pick<JudgedFacts, 'live'>, name: LiveServer): Judged<LiveStatus> | null {
  const file = live[name];
  return file?.isStale === false ? file : null;
}

/** The facts that are shown, with their times: stale overviews and member lists are shown, stale live files are not. */
export function shownParts({ overview, chat, live }: JudgedFacts): readonly Judged<unknown>[] {
  const files = Object.values(live).filter((file) => file !== null && !file.isStale);
  return [overview, chat, ...files].filter((part) => part !== null);
}

/** The time of the oldest part shown; null if nothing is. */
export function oldestShown(facts: JudgedFacts): number | null {
  const times = shownParts(facts).map(({ asOf }) => asOf);
  return times.length === 0 ? null : Math.min(...times);
}

/** The times of what is shown, in unix ms; null for what is not. */
export function partTimes({ overview, chat, live }: JudgedFacts): {
  /** The oldest of the counts of drivers: those of the live files, and of the overview where there is no such file. */
  readonly drivers: number | null;
  readonly slots: number | null;
  readonly members: number | null;
} {
  const isUncounted = ({ name, online, guests }: Judged<Overview>['record'][number]): boolean => {
    const server = liveServer(name);
    return online === true && (guests ?? 0) > 0 && (server === null || freshFile({ live }, server) === null);
  };
  const counts = [
    ...LiveServer.options.flatMap((name) => freshFile({ live }, name) ?? []),
    ...(overview?.record.some(isUncounted) ? [overview] : []),
  ].map(({ asOf }) => asOf);
  return {
    drivers: counts.length === 0 ? null : Math.min(...counts),
    slots: overview?.asOf ?? null,
    members: chat?.asOf ?? null,
  };
}
