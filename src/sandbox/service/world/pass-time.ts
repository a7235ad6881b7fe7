import type { Life } from './life.ts';
import { DAY, SECOND } from './time.ts';

/** Maximum gap to simulate, for instance after a suspend. */
const LONGEST_GAP = DAY;

export interface PassingTime {
  /** Advances to the second of `now` (unix milliseconds). A step back changes nothing. */
  runTo(now: number): void;
  /** Advances by `seconds` at once, at this moment of the clock: what was to come comes that much sooner. */
  advance(seconds: number): void;
  /** Unix milliseconds. */
  readonly clock: number;
  /** The clock's time of a moment of the world: what happens in a leap happens at once. */
  clockAt(moment: number): number;
  /** The world's time, in unix milliseconds. */
  readonly now: number;
}

export function passTime(life: Life, began: number): PassingTime {
  let clock = began;
  let ahead = 0;
  /** Leaps of the world's time: start and length, in ms. */
  const leaps: { readonly from: number; readonly by: number }[] = [];
  life.runTo(clock);
  return {
    get clock() {
      return clock;
    },
    clockAt: (moment) =>
      leaps.reduce((at, { from, by }) => at - Math.min(by, Math.max(0, moment - from)), moment),
    get now() {
      return clock + ahead;
    },
    runTo(until) {
      const second = Math.max(clock, Math.floor(until / SECOND) * SECOND);
      if (second - clock > LONGEST_GAP) life.skip(second - clock - LONGEST_GAP);
      clock = second;
      life.runTo(clock + ahead);
    },
    advance(seconds) {
      const by = Math.round(seconds) * SECOND;
      leaps.push({ from: clock + ahead, by });
      ahead += by;
      life.runTo(clock + ahead);
    },
  };
}
