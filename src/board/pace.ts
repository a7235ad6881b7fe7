/** One pace for the edits and checks of all boards: evenly spread, each board's turn after those that asked before it. */
import type { Clock } from '../clock.ts';

/** Discord allows a bot 50 requests a second over all processes; people's commands and searches need the others. */
const TURNS_A_SECOND = 40;
/** A round over all boards that takes no longer than this is as fast as one board is by itself (ms). */
const USUAL = 4000;

export interface Pace {
  /** When the next request may be made: now, or after all those that were promised before (monotonic clock). */
  turn(): number;
  /** How long a round over all boards takes at most, in ms; null where that is as fast as usual. */
  round(): number | null;
}

export function createPace(parts: {
  readonly clock: Clock;
  /** How many boards this process keeps. */
  readonly boards: () => number;
  /** How many processes share Discord's limit. */
  readonly processes: () => number;
}): Pace {
  const gap = (): number => (1000 / TURNS_A_SECOND) * parts.processes();
  let last = Number.NEGATIVE_INFINITY;

  return {
    turn() {
      last = Math.max(parts.clock.monotonic(), last + gap());
      return last;
    },
    round() {
      const takes = parts.boards() * gap();
      return takes > USUAL ? takes : null;
    },
  };
}
