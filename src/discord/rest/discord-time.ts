/** Discord's clock, by the `Date` of its answers. */
import { SnowflakeUtil } from 'discord.js';
import { readHttpDate } from '../../base/calendar.ts';
import { type Clock, MAX_CLOCK_SKEW_MS } from '../../base/clock.ts';
import { HOUR, MINUTE, SECOND } from '../../base/duration.ts';

/** Clocks that part by more than this (ms) show that one was set, or that the machine slept. */
const STEP_MS = SECOND;
/** How long the best answer counts, in ms, and how long any answer does. */
const BEST_FOR_MS = 10 * MINUTE;
const TRUSTED_FOR_MS = HOUR;

/** A clock that is wrong by more than this (ms) decides nothing that cannot be undone. */
const MAX_TRUSTED_SKEW_MS = 3 * HOUR;
/** The skew is the median of the last answers: a single wrong one changes nothing. */
const MAX_SKEW_ANSWERS = 5;
const MIN_SKEW_ANSWERS = 3;

export type DiscordTime = ReturnType<typeof createDiscordTime>;

/**
 * `ask` makes a request whose answer is heard. It is made if the clocks of this machine have changed since the last one.
 * `skewed`: called when the wall clock begins to be wrong by more than {@link MAX_CLOCK_SKEW_MS}, with the skew in ms, and with null
 * when it is right again.
 */
export function createDiscordTime(
  clock: Pick<Clock, 'now' | 'monotonic'>,
  ask: () => Promise<unknown>,
  skewed: (skewMs: number | null) => void = () => {},
) {
  /** `ahead`: of the wall clock. `drift`: of the wall clock from the monotonic one. */
  let best: { readonly ahead: number; readonly drift: number; readonly at: number } | null = null;
  const drift = (): number => clock.now() - clock.monotonic();
  const hasStepped = (): boolean => best === null || Math.abs(drift() - best.drift) > STEP_MS;

  /** How far Discord was ahead by the last answers, the newest last, and how the clocks of this machine parted by then. */
  const aheads: number[] = [];
  let driftThen = 0;
  let isSkewed = false;

  /**
   * Returns how far the wall clock is ahead of Discord's at this moment, in ms, negative if it is behind: by the last answers,
   * and by what this machine's clocks have done since, so that it is right as soon as the wall clock is set. Null before the
   * first answer.
   */
  function clockSkew(): number | null {
    const middle = aheads.toSorted((a, b) => a - b)[Math.floor(aheads.length / 2)];
    return middle === undefined ? null : drift() - driftThen - middle;
  }

  /** Asks Discord for its time if a clock of this machine was set, the machine has slept, or no answer is known. Never rejects. */
  async function askTime(): Promise<void> {
    if (best === null || hasStepped()) await ask().catch(() => {});
  }

  function judgeClock(aheadMs: number): void {
    // The clock was set: what earlier answers said of it is over.
    if (best !== null && hasStepped()) aheads.length = 0;
    aheads.push(aheadMs);
    if (aheads.length > MAX_SKEW_ANSWERS) aheads.shift();
    driftThen = drift();
    const skew = aheads.length < MIN_SKEW_ANSWERS ? null : clockSkew();
    if (skew === null || Math.abs(skew) > MAX_CLOCK_SKEW_MS === isSkewed) return;
    isSkewed = !isSkewed;
    skewed(isSkewed ? skew : null);
  }

  return {
    clockSkew,
    /**
     * Resolves with whether the wall clock is at most hours away from Discord's; null if that is not known. Asks Discord only if
     * a clock was set or the machine has slept.
     */
    async isClockRight(): Promise<boolean | null> {
      await askTime();
      const skew = clockSkew();
      return skew === null ? null : Math.abs(skew) < MAX_TRUSTED_SKEW_MS;
    },
    /** Called with the `Date` header of each answer. */
    noteDate(date: string | null): void {
      const statedTime = readHttpDate(date);
      if (statedTime === null) return;
      const aheadMs = statedTime - clock.now();
      judgeClock(aheadMs);
      const isOld = best === null || clock.monotonic() - best.at > BEST_FOR_MS;
      // The header leaves out the part of a second: the largest difference comes closest.
      if (isOld || hasStepped() || best === null || aheadMs >= best.ahead)
        best = { ahead: aheadMs, drift: drift(), at: clock.monotonic() };
    },
    /**
     * Resolves with how long ago Discord made what has this id, in ms: at least so long, at most about a second longer. Null if
     * Discord cannot be asked for its time.
     */
    async ageOf(id: string): Promise<number | null> {
      await askTime();
      if (best === null || hasStepped()) return null;
      if (clock.monotonic() - best.at > TRUSTED_FOR_MS) void ask().catch(() => {});
      return clock.now() + best.ahead - SnowflakeUtil.timestampFrom(id);
    },
  };
}
