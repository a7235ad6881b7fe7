/** Servers, their live files and the chat's members, as last read. */
import type { ChatStatus } from './chat-status.ts';
import { type Answer, type Dated, judgeFreshness, type Pace, type Stale } from './dated.ts';
import { LiveServer, type LiveStatus, liveServer } from './live-status.ts';
import type { Overview } from './overview.ts';

/** The last good record of one source. */
export interface Fact<T> extends Dated<T>, Partial<Pick<Answer<T>, 'stale'>> {
  /** The record carries no time of its own; `asOf` is when it last changed. */
  readonly clockless?: boolean;
  /** Why the last attempt to read it again gave nothing newer. */
  readonly unread?: Stale | undefined;
}

/** Null for what has not been read. */
export interface Facts {
  readonly overview: Fact<Overview> | null;
  readonly live: Readonly<Record<LiveServer, Fact<LiveStatus> | null>>;
  readonly chat: Fact<ChatStatus> | null;
  readonly withoutFile?: WithoutFile | undefined;
  readonly offlineSince?: OfflineSince | undefined;
  /** Why there is no overview, and no list of members. */
  readonly faults?: Readonly<Partial<Record<'overview' | 'chat', Stale | undefined>>>;
}

/** A record that may be shown. */
export interface Judged<T> extends Fact<T> {
  /** True if the fact is old enough to say so. */
  readonly isStale: boolean;
}

export interface JudgedFacts {
  readonly overview: Judged<Overview> | null;
  readonly live: Readonly<Record<LiveServer, Judged<LiveStatus> | null>>;
  readonly chat: Judged<ChatStatus> | null;
  readonly withoutFile?: WithoutFile | undefined;
  readonly offlineSince?: OfflineSince | undefined;
}

/** The servers for which the service has no live file, while it has others: that is no outage. */
type WithoutFile = readonly LiveServer[];

/** Returns the servers without a file. `isThere`: a file has been read; `isMissing`: the service says that there is none. */
export function withoutFile(
  stateOf: (server: LiveServer) => { readonly isThere: boolean; readonly isMissing: boolean },
): WithoutFile {
  const states = LiveServer.options.map((server) => ({ server, ...stateOf(server) }));
  if (!states.some(({ isThere }) => isThere)) return [];
  return states.flatMap(({ server, isThere, isMissing }) => (isMissing && !isThere ? [server] : []));
}

/** Returns the servers without a file, from answers and the reasons why there are none. */
export function withoutAnswer(files: Readonly<Record<LiveServer, object>>): WithoutFile {
  return withoutFile((server) => {
    const file = files[server];
    const isThere = !('fault' in file);
    return { isThere, isMissing: !isThere && 'isMissing' in file && file.isMissing === true };
  });
}

/** Start of each server's outage by server name, in unix milliseconds, if known; the same map until an entry changes. */
type OfflineSince = ReadonlyMap<string, number>;

export const noFacts = {
  overview: null,
  live: { one: null, two: null, three: null, four: null },
  chat: null,
} satisfies JudgedFacts;

/** The time of the newest fact; null where there is none. */
export function newestMoment({ overview, live, chat }: Facts): number | null {
  const times = [overview, chat, ...Object.values(live)].flatMap((fact) => fact?.asOf ?? []);
  return times.length === 0 ? null : Math.max(...times);
}

/**
 * The overview with the drivers of each server that runs as its live file has them. A file that is not old decides alone,
 * even right after the overview came: two sources that count differently would take turns, and every board would flicker.
 * `fileOf`: a file that is not old, which shows that its server runs.
 */
export function countedByFiles(
  record: Overview,
  fileOf: (server: LiveServer) => { readonly players: readonly unknown[] } | null,
): Overview {
  return record.map((server) => {
    const name = liveServer(server.name);
    const file = name === null || server.online === false ? null : fileOf(name);
    return file === null ? server : { ...server, online: true, guests: file.players.length };
  });
}

/**
 * Judges each source separately: one that has stopped (a frozen live file, a spent budget) is shown as stale, and
 * finally left out. `now` in unix milliseconds.
 */
export function judgeFacts(
  { overview, live, chat, withoutFile: without, offlineSince }: Facts,
  now: number,
): JudgedFacts {
  const judged = <T>(fact: Fact<T> | null, pace: Pace): Judged<T> | null => {
    const freshness = fact === null ? 'no-data' : judgeFreshness(fact, pace, now);
    return fact === null || freshness === 'no-data' ? null : { ...fact, isStale: freshness === 'stale' };
  };
  // A quiet server looks the same for minutes: without a time of its own, that does not mean it has stopped.
  const file = (fact: Fact<LiveStatus> | null): Judged<LiveStatus> | null =>
    judged(fact, fact?.clockless === true ? 'polled' : 'live');
  const { one, two, three, four } = live;
  return {
    overview: judged(overview, 'polled'),
    live: { one: file(one), two: file(two), three: file(three), four: file(four) },
    chat: judged(chat, 'polled'),
    withoutFile: without,
    offlineSince,
  };
}
