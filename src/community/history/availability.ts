/** Decides which servers are up and whether the data service answers. Pure; all times in unix milliseconds. */
import { SECOND } from '../../base/duration.ts';
import { type Facts, judgeFacts } from '../../service/models/facts.ts';
import { LiveServer, liveServer } from '../../service/models/live-status.ts';
import type { Overview } from '../../service/models/overview.ts';
import { MAX_BRIDGE_MS } from './runs.ts';

/** The data service, among the names of servers. */
export const DATA_SERVICE = '';

interface Seen {
  readonly isUp: boolean;
  /** Since when, as far as that can be told. */
  readonly since: number;
}

/**
 * How far a file is behind the newest one where it stands still, in ms. When all of them stop at once, those that are
 * polled first look no older than this.
 */
const MAX_BEHIND_MS = 45 * SECOND;

/**
 * By name, without those of which nothing can be said. A server is down where the overview says so, or where its live file
 * stands still or is gone while others move. Where nothing moves, only the data service is down. `isDown`: whether a name
 * was down when it was last known.
 */
export function judgeAvailability(
  facts: Facts,
  isDown: (name: string) => boolean,
  now: number,
): ReadonlyMap<string, Seen> {
  const { live, overview } = judgeFacts(facts, now);
  const files = LiveServer.options.flatMap((name) => {
    const fact = facts.live[name];
    if (fact === null) return [];
    // One without a time of its own may be quiet.
    const moves = fact.clockless === true ? fact.unread === undefined : live[name]?.isStale === false;
    return [{ name, asOf: fact.asOf, moves }];
  });
  const isCurrent = overview?.isStale === false;
  const downSince = (since: number): Seen => ({ isUp: false, since });
  if (files.length > 0 ? !files.some(({ moves }) => moves) : !isCurrent) {
    const times = files.length > 0 ? files.map(({ asOf }) => asOf) : [facts.overview?.asOf ?? []].flat();
    // Since the start nothing has been read, which says nothing new.
    if (times.length === 0 && !isDown(DATA_SERVICE)) return new Map();
    return new Map([[DATA_SERVICE, downSince(times.length === 0 ? now : Math.max(...times))]]);
  }

  const newest = Math.max(...files.filter(({ moves }) => moves).map(({ asOf }) => asOf));
  const isRecent = facts.overview !== null && now - facts.overview.asOf <= MAX_BRIDGE_MS;
  const last = onlineByName(isRecent ? facts.overview.record : []);
  const listed = onlineByName(isCurrent ? overview.record : []);
  const seenOf = (name: string): Seen | null => {
    const online = listed.get(name);
    const file = files.find((other) => other.name === name);
    const isStill = file !== undefined && !file.moves && newest - file.asOf > MAX_BEHIND_MS;
    // The file has not been there since the start either.
    const isGone = file === undefined && online === undefined && liveServer(name) !== null && isDown(name);
    if (online === false || isStill || isGone) return downSince(isStill ? file.asOf : now);
    // The server was down although its file moved.
    if (!isCurrent && isDown(name) && last.get(name) === false) return null;
    const isUp = file === undefined ? online === true : file.moves;
    return isUp ? { isUp, since: now } : null;
  };
  const names = new Set([...LiveServer.options, ...listed.keys()]);
  const servers = [...names].flatMap((name) => {
    const observed = seenOf(name);
    return observed === null ? [] : [[name, observed] as const];
  });
  return new Map([[DATA_SERVICE, { isUp: true, since: now }], ...servers]);
}

/** Returns the state by the bot's name of the server, in lower case as in the live files. Null: the state is unreadable. */
function onlineByName(overview: Overview): ReadonlyMap<string, boolean | null> {
  return new Map(
    overview.flatMap(({ name, online }) => (name ? [[liveServer(name) ?? name, online] as const] : [])),
  );
}
