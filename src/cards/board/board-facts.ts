import type { ChatStatus } from '../../service/models/chat-status.ts';
import { LiveServer, type LiveStatus } from '../../service/models/live-status.ts';
import type { Overview } from '../../service/models/overview.ts';
import { ageOf, type Pace } from '../kit/age.ts';

/** The last good record of one source. */
export interface Known<T> {
  readonly record: T;
  /** Unix milliseconds: the data's own clock. */
  readonly asOf: number;
  /** The record has no clock of its own; `asOf` is when it last became different. */
  readonly clockless?: boolean;
}

/** What is known of everything that a board shows; null for what has not come yet. */
export interface BoardFacts {
  readonly overview: Known<Overview> | null;
  readonly live: Readonly<Record<LiveServer, Known<LiveStatus> | null>>;
  readonly chat: Known<ChatStatus> | null;
}

/** A record, and whether it is so old that the reader must know. */
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
 * Judges each source by itself: one that stands still (a frozen live file, a spent budget) is shown as old, and is
 * left out in the end. `now` in unix milliseconds.
 */
export function judged(facts: BoardFacts, now: number): JudgedFacts {
  const judge = <T>(known: Known<T> | null, pace: Pace): Judged<T> | null => {
    const age = known === null ? 'gone' : ageOf(pace, known.asOf, now);
    return known === null || age === 'gone' ? null : { ...known, old: age === 'old' };
  };
  // A quiet server looks the same for minutes: without a clock of its own that is not yet standing still.
  const file = (known: Known<LiveStatus> | null): Judged<LiveStatus> | null =>
    judge(known, known?.clockless === true ? 'polled' : 'live');
  const { one, two, three, four } = facts.live;
  return {
    overview: judge(facts.overview, 'polled'),
    live: { one: file(one), two: file(two), three: file(three), four: file(four) },
    chat: judge(facts.chat, 'polled'),
  };
}

/**
 * What is shown of the facts, each with its time: an old overview and an old member list still are, an old live file
 * is not.
 */
export function shownParts({ overview, chat, live }: JudgedFacts): readonly Judged<unknown>[] {
  const files = Object.values(live).filter((file) => file !== null && !file.old);
  return [overview, chat, ...files].filter((part) => part !== null);
}

/** The time of the oldest part shown; null where nothing is. */
export function oldestShown(facts: JudgedFacts): number | null {
  const times = shownParts(facts).map(({ asOf }) => asOf);
  return times.length === 0 ? null : Math.min(...times);
}

/** The live file's server of that name, where there is one. */
export function liveServer(name: string | null): LiveServer | null {
  return LiveServer.safeParse(name?.toLowerCase()).data ?? null;
}
