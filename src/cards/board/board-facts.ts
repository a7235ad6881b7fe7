import type { ChatStatus } from '../../service/models/chat-status.ts';
import { LiveServer, type LiveStatus } from '../../service/models/live-status.ts';
import type { Overview } from '../../service/models/overview.ts';
import { ageOf, type Pace } from '../kit/age.ts';

/** The last good record of one source. */
export interface Known<T> {
  readonly record: T;
  /** The data's own time, in unix milliseconds. */
  readonly asOf: number;
  /** The record carries no time of its own; `asOf` is when it last changed. */
  readonly clockless?: boolean;
  /** The last attempt to read it again failed. */
  readonly unread?: boolean;
}

/** The latest facts for a board; null for those not loaded yet. */
export interface BoardFacts {
  readonly overview: Known<Overview> | null;
  readonly live: Readonly<Record<LiveServer, Known<LiveStatus> | null>>;
  readonly chat: Known<ChatStatus> | null;
}

/** A record, and whether it is old enough to say so. */
export interface Judged<T> extends Known<T> {
  readonly old: boolean;
}

export interface JudgedFacts {
  readonly overview: Judged<Overview> | null;
  readonly live: Readonly<Record<LiveServer, Judged<LiveStatus> | null>>;
  readonly chat: Judged<ChatStatus> | null;
}

/** The time of the newest fact; null where there is none. */
export function newest({ overview, live, chat }: BoardFacts): number | null {
  const times = [overview, chat, ...Object.values(live)].flatMap((known) => known?.asOf ?? []);
  return times.length === 0 ? null : Math.max(...times);
}

/**
 * Judges each source separately: one that has stopped (a frozen live file, a spent budget) is shown as old, and
 * finally left out. `now` in unix milliseconds.
 */
export function judged(facts: BoardFacts, now: number): JudgedFacts {
  const judge = <T>(known: Known<T> | null, pace: Pace): Judged<T> | null => {
    const age = known === null ? 'gone' : ageOf(pace, known.asOf, now);
    return known === null || age === 'gone' ? null : { ...known, old: age === 'old' };
  };
  // A quiet server looks the same for minutes: without a time of its own, that does not mean it has stopped.
  const file = (known: Known<LiveStatus> | null): Judged<LiveStatus> | null =>
    judge(known, known?.clockless === true ? 'polled' : 'live');
  const { one, two, three, four } = facts.live;
  return {
    overview: judge(facts.overview, 'polled'),
    live: { one: file(one), two: file(two), three: file(three), four: file(four) },
    chat: judge(facts.chat, 'polled'),
  };
}

/** The facts that are shown, with their times: old overviews and member lists are shown, old live files are not. */
export function shownParts({ overview, chat, live }: JudgedFacts): readonly Judged<unknown>[] {
  const files = Object.values(live).filter((file) => file !== null && !file.old);
  return [overview, chat, ...files].filter((part) => part !== null);
}

/** The time of the oldest part shown; null if nothing is. */
export function oldestShown(facts: JudgedFacts): number | null {
  const times = shownParts(facts).map(({ asOf }) => asOf);
  return times.length === 0 ? null : Math.min(...times);
}

/** The server of that name if it has a live file. */
export function liveServer(name: string | null): LiveServer | null {
  return LiveServer.safeParse(name?.toLowerCase()).data ?? null;
}
