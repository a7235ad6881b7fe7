import type { Judged, JudgedFacts } from '../../service/models/facts.ts';

/** Which of the facts a board shows. */
export interface BoardView {
  /** The service's names, in lower case; null for all of them. */
  readonly servers: readonly string[] | null;
  /** `folded`: as counts, with the names of those who drive. */
  readonly members: 'on' | 'folded' | 'off';
  /** `coloured`: of those who drive, as in the game, too. */
  readonly names: 'coloured' | 'on' | 'off';
}

/** What a new board shows, and `/servers`. */
export const usualView: BoardView = { servers: null, members: 'folded', names: 'coloured' };

/** The facts without those that are not shown: what is left out does not make a board old. */
export function inView(facts: JudgedFacts, { servers, members }: Pick<BoardView, 'servers' | 'members'>) {
  const isShown = (name: string | null): boolean =>
    servers === null || servers.includes(name?.toLowerCase() ?? '');
  const { overview, live, chat } = facts;
  const { one, two, three, four } = live;
  return {
    overview:
      overview === null || servers === null
        ? overview
        : { ...overview, record: overview.record.filter(({ name }) => isShown(name)) },
    live: {
      one: isShown('one') ? one : null,
      two: isShown('two') ? two : null,
      three: isShown('three') ? three : null,
      four: isShown('four') ? four : null,
    },
    chat: members === 'off' ? null : chat,
  } satisfies JudgedFacts;
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
