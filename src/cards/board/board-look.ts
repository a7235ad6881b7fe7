/** Judges the facts of a board or of `/servers`: which are shown, how old they are, and why. */

import { judgeFreshness, type Stale } from '../../service/models/dated.ts';
import {
  countedByFiles,
  type Fact,
  type Facts,
  type Judged,
  type JudgedFacts,
  judgeFacts,
  newestMoment,
  noFacts,
} from '../../service/models/facts.ts';
import { LiveServer, type LiveStatus, liveServer } from '../../service/models/live-status.ts';
import type { OverviewServer } from '../../service/models/overview.ts';
import { rowsOf } from '../servers/server-lines.ts';
import type { BoardMode, BoardOptions } from './board.ts';

/** The options that select the facts of a board. */
export type BoardView = Pick<BoardOptions, 'servers' | 'members' | 'names'>;

export interface BoardLook {
  readonly mode: BoardMode;
  /** The reasons why parts are old, or missing. */
  readonly whys: readonly Stale[];
  /** Since when what is old stands still, in unix ms; else the time of the oldest part. */
  readonly since: number | null;
  /** Unix ms: of the oldest part shown; of the last data of all where nothing may be shown. */
  readonly checked: number | null;
  /** Times of each part; null if nothing may be shown. */
  readonly times: PartTimes | null;
  /** The facts of the view that may be shown. */
  readonly shown: JudgedFacts;
}

/**
 * The live files, which alone carry their own time, speak for the whole service: if all of them have stopped, so has
 * everything else, whenever it arrived. If they cannot be read, and the service has answered something else since, they
 * speak for themselves alone. The newest; null: none speaks.
 */
function witnessOf({ overview, chat, live }: Facts): Fact<unknown> | null {
  const files = Object.values(live).flatMap((file) => (file === null || file.clockless === true ? [] : file));
  const [last] = files.toSorted((a, b) => b.asOf - a.asOf);
  if (last === undefined) return null;
  const others = [overview, chat].flatMap((polled) => polled?.asOf ?? []);
  const isContradicted = others.some((now) => judgeFreshness({ asOf: last.asOf }, 'live', now) !== 'live');
  return isContradicted && files.every(({ unread }) => unread !== undefined) ? null : last;
}

/** The mode follows the oldest part shown, and the witness beyond that. `now` in unix milliseconds. */
export function lookOf(facts: Facts, view: BoardView, now: number): BoardLook {
  const shown = inView(judgeFacts(facts, now), view);
  const files = Object.values(shown.live).filter((file) => file !== null);
  // Stale overviews and member lists are shown, stale live files are not.
  const fresh = files.filter(({ isStale }) => !isStale);
  const parts = [shown.overview, shown.chat, ...fresh].filter((part) => part !== null);
  const witness = witnessOf(facts);
  const witnessed = witness === null ? 'live' : judgeFreshness({ asOf: witness.asOf }, 'live', now);
  if (witnessed === 'no-data' || (parts.length === 0 && files.length === 0)) {
    const last = witnessed === 'no-data' ? witness : (facts.overview ?? facts.chat);
    const whys = last === null ? missing(facts, view) : reasonsOf([last], last === witness);
    const since = last?.asOf ?? newestMoment(facts);
    return { mode: 'no-data', whys, since, checked: since, times: null, shown: noFacts };
  }
  const old = parts.filter(({ isStale }) => isStale);
  // Not one of a quiet server, which states no time of its own, nor one of a server that is offline.
  const waiting = rowsOf(shown).flatMap(({ server, live }) =>
    live?.isStale === true && server?.online !== false ? reasonsOf([live], live.clockless !== true) : [],
  );
  const isWhollyOld = witnessed === 'stale' || old.length === parts.length;
  const mode = isWhollyOld ? 'stale' : old.length + waiting.length > 0 ? 'partly-stale' : 'live';
  const stopped = witnessed === 'stale' && witness !== null ? [witness] : parts.length === 0 ? files : [];
  // A file that arrived after all had stopped is no newer than they are.
  const atMost = (time: number): number => Math.min(time, ...stopped.map(({ asOf }) => asOf));
  const { drivers, rest } = partTimes(shown);
  const checked = Math.min(...[...parts, ...stopped].map(({ asOf }) => asOf));
  return {
    mode,
    since: stopped.length > 0 ? Math.max(...stopped.map(({ asOf }) => asOf)) : checked,
    checked,
    whys:
      stopped.length > 0
        ? reasonsOf(stopped, true)
        : [...reasonsOf(old), ...waiting, ...missing(facts, view)],
    times: { drivers: drivers && atMost(drivers), rest: rest && atMost(rest) },
    shown:
      witnessed === 'stale' ? { ...shown, overview: asOld(shown.overview), chat: asOld(shown.chat) } : shown,
  };
}

function asOld<T>(part: Judged<T> | null): Judged<T> | null {
  return part && { ...part, isStale: true };
}

/** A live file that is answered all the time and grows old stands still. */
function reasonsOf(old: readonly Fact<unknown>[], isLive = false): readonly Stale[] {
  return old.flatMap(({ stale, unread }) => stale ?? unread ?? (isLive ? 'frozen' : []));
}

/** A service that refuses to list members does so for good, which says nothing of the rest. */
function missing({ faults }: Facts, { members }: BoardView): readonly Stale[] {
  const isOffered = members !== 'off' && faults?.chat !== 'rejected' && faults?.chat !== 'unauthorised';
  return [faults?.overview ?? [], isOffered ? (faults?.chat ?? []) : []].flat();
}

/**
 * The facts that a board shows: what is left out does not make it old. Of two sources that count the drivers of one
 * server, its live file.
 */
function inView(facts: JudgedFacts, { servers, members }: Pick<BoardView, 'servers' | 'members'>) {
  const isShown = (name: string | null): boolean =>
    servers === null || servers.includes(name?.toLowerCase() ?? '');
  const { overview, live, chat, withoutFile, offlineSince } = facts;
  const counted = (name: LiveServer) => {
    const file = freshFile(live, name);
    return file && { players: file.record.players };
  };
  const { one, two, three, four } = live;
  return {
    overview: overview && {
      ...overview,
      record: countedByFiles(overview.record, counted).filter(({ name }) => isShown(name)),
    },
    live: {
      one: isShown('one') ? one : null,
      two: isShown('two') ? two : null,
      three: isShown('three') ? three : null,
      four: isShown('four') ? four : null,
    },
    chat: members === 'off' ? null : chat,
    withoutFile,
    offlineSince,
  } satisfies JudgedFacts;
}

function freshFile(live: JudgedFacts['live'], name: LiveServer): Judged<LiveStatus> | null {
  const file = live[name];
  return file?.isStale === false ? file : null;
}

/** In unix ms; null for what is not shown. */
interface PartTimes {
  /** The oldest count of drivers on the servers that have live files; the overview counts where such a file is missing. */
  readonly drivers: number | null;
  /** The older of overview and members. */
  readonly rest: number | null;
}

function partTimes({ overview, chat, live }: JudgedFacts): PartTimes {
  const isUncounted = ({ name, online, guests }: OverviewServer): boolean => {
    const server = liveServer(name);
    return online === true && (guests ?? 0) > 0 && server !== null && freshFile(live, server) === null;
  };
  const counts = [
    ...LiveServer.options.flatMap((name) => freshFile(live, name) ?? []),
    ...(overview?.record.some(isUncounted) ? [overview] : []),
  ].map(({ asOf }) => asOf);
  const others = [overview, chat].flatMap((part) => part?.asOf ?? []);
  return {
    drivers: counts.length === 0 ? null : Math.min(...counts),
    rest: others.length === 0 ? null : Math.min(...others),
  };
}
