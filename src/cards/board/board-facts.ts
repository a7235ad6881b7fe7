import type { ChatStatus } from '../../service/models/chat-status.ts';
import { LiveServer, type LiveStatus } from '../../service/models/live-status.ts';
import type { Overview } from '../../service/models/overview.ts';

/** The last good record of one source. */
export interface Known<T> {
  readonly record: T;
  /** Unix milliseconds: the data's own clock. */
  readonly asOf: number;
}

/** What is known of everything that a board shows; null for what nobody has told yet. */
export interface BoardFacts {
  readonly overview: Known<Overview> | null;
  readonly live: Readonly<Record<LiveServer, Known<LiveStatus> | null>>;
  readonly chat: Known<ChatStatus> | null;
}

/** A record, and whether it lags so far behind the others that the reader must be told. */
export interface Judged<T> extends Known<T> {
  readonly old: boolean;
}

export interface JudgedFacts {
  readonly overview: Judged<Overview> | null;
  readonly live: Readonly<Record<LiveServer, Judged<LiveStatus> | null>>;
  readonly chat: Judged<ChatStatus> | null;
}

/** Milliseconds. A live file changes every second; what costs budget is asked for about once a minute. */
const OLD = { live: 45_000, polled: 3 * 60_000 };
/** Milliseconds after which a record is no longer shown at all. */
const GONE = 15 * 60_000;

/** The time of the newest fact; null where there is none. */
export function newest({ overview, live, chat }: BoardFacts): number | null {
  const times = [overview, chat, ...Object.values(live)].flatMap((known) => known?.asOf ?? []);
  return times.length === 0 ? null : Math.max(...times);
}

/**
 * Judges each source by the newest of all, since a card has no clock: one that stands still while the others go on
 * (a frozen live file, a spent budget) is told as old, and is left out in the end. When all stand still together,
 * that is for the caller to tell, who has a clock.
 */
export function judged(facts: BoardFacts): JudgedFacts {
  const latest = newest(facts) ?? 0;
  const judge = <T>(known: Known<T> | null, limit: number): Judged<T> | null => {
    if (known === null || latest - known.asOf > GONE) return null;
    return { ...known, old: latest - known.asOf > limit };
  };
  return {
    overview: judge(facts.overview, OLD.polled),
    live: {
      one: judge(facts.live.one, OLD.live),
      two: judge(facts.live.two, OLD.live),
      three: judge(facts.live.three, OLD.live),
      four: judge(facts.live.four, OLD.live),
    },
    chat: judge(facts.chat, OLD.polled),
  };
}

/** The live file's server of that name, where there is one. */
export function liveServer(name: string | null): LiveServer | null {
  return LiveServer.safeParse(name?.toLowerCase()).data ?? null;
}
