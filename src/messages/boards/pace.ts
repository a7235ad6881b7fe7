/** One pace for the edits and checks of all boards: they take tickets, and are served evenly in that order. */
import type { Clock } from '../../base/clock.ts';
import { MINUTE, SECOND } from '../../base/duration.ts';
import { BUSY_GAP_MS } from './edit-rule.ts';

/** How often a quiet board's times are refreshed, in ms; less often from that number of boards on. */
export const TIMES_REFRESH = { usualMs: MINUTE, manyBoards: 161, manyMs: 5 * MINUTE };
/** Discord allows a bot 50 requests a second over all processes; people's commands and searches need the others. */
const TURNS_A_SECOND = 40;
/** A round over all boards that takes no longer than this is as fast as one board is by itself (ms, whole seconds). */
const USUAL_ROUND_MS = Math.ceil(BUSY_GAP_MS / SECOND) * SECOND;
/** In ms; with many boards each checks less often, to limit the total rate. */
const CHECK = { every: 15_000, perBoard: 300 };
/** How many may be served at once after the process was held up; the other missed turns are not made up for. */
const MAX_TURNS_AT_ONCE = 4;
/**
 * Requests that Discord may be counting at once, of the fifty that it allows in a second; those that wait for no turn need the
 * others. Held up on their way, they arrive together. Where answers take longer than 150 ms, turns are fewer for it.
 */
const MAX_REQUESTS_AT_ONCE = 46;

/** How far the tickets are: the others follow at even distances. */
export interface TurnState {
  readonly ticket: number;
  /** Time of the monotonic clock, in ms. */
  readonly at: number;
  /** From one ticket to the next, in ms. */
  readonly gap: number;
  /** Discord takes another request now. */
  readonly hasRoom: boolean;
}

export function computeTurn(ticket: number, served: TurnState): number {
  return served.at + (ticket - served.ticket) * served.gap;
}

export function createPace(parts: {
  readonly clock: Clock;
  /** How many boards this process runs. */
  readonly boards: () => number;
  /** How many processes share Discord's limit. */
  readonly processes: () => number;
  /** How many requests of this process Discord may be counting now. */
  readonly requestsNow: () => number;
}) {
  const gap = (): number => (1000 / TURNS_A_SECOND) * parts.processes();
  const room = (): number =>
    Math.max(1, Math.floor(MAX_REQUESTS_AT_ONCE / parts.processes())) - parts.requestsNow();
  let issued = 0;
  let ticket = 0;
  let at = Number.NEGATIVE_INFINITY;

  function serve(): void {
    const now = parts.clock.monotonic();
    const dueTurns = Math.floor((now - at) / gap());
    // Turns that Discord leaves no room for are over.
    if (dueTurns > 0 && room() <= 0 && issued > ticket) at = now;
    const next = Math.min(issued - ticket, dueTurns, MAX_TURNS_AT_ONCE, room());
    if (next <= 0) return;
    at = dueTurns > MAX_TURNS_AT_ONCE ? now : at + next * gap();
    ticket += next;
  }

  return {
    take(): number {
      serve();
      issued += 1;
      serve();
      return issued;
    },
    served(): TurnState {
      serve();
      return { ticket, at, gap: gap(), hasRoom: room() > 0 };
    },
    /** How long a round over all boards takes at most, in ms; null where that is as fast as usual. */
    round(): number | null {
      const takes = parts.boards() * gap();
      return takes > USUAL_ROUND_MS ? takes : null;
    },
    /** How often each board whose content stays the same refreshes its times, in ms. */
    refreshEvery(): number {
      const isMany = parts.boards() * parts.processes() >= TIMES_REFRESH.manyBoards;
      return isMany ? TIMES_REFRESH.manyMs : TIMES_REFRESH.usualMs;
    },
    /** How often each board checks that its message still exists, in ms. */
    checkEvery: () => Math.max(CHECK.every, parts.boards() * CHECK.perBoard),
  };
}
