import type { Claims } from '../base/claims.ts';
import { type Clock, sleep } from '../base/clock.ts';
import { MINUTE } from '../base/duration.ts';

/** How long a process that is about to stop leaves an interaction to another one, in ms. */
const COURTESY = 200;
/**
 * And one that cannot claim it, where another has answered already: long enough for that one to acknowledge, well below
 * Discord's three seconds.
 */
const ASIDE = 1000;
/** After this time (ms) Discord accepts no answer any more. */
const LIVES = 15 * MINUTE;

/** `isAlone`: whether nothing else receives the guild's interactions, so that nothing has to be claimed. */
export function createInteractionClaims(
  claims: Pick<Claims, 'claim'>,
  isAlone: (guildId: string | null) => boolean,
  clock: Pick<Clock, 'after'>,
) {
  let isAside = false;
  return {
    /**
     * This process answers an interaction, which Discord may have sent to others, too: the first to claim it does.
     * `isEnding`: a process that is about to stop lets others go first.
     */
    async claim(id: string, guildId: string | null, isEnding: boolean): Promise<boolean> {
      if (isAlone(guildId)) return true;
      if (isEnding) await sleep(clock, COURTESY);
      try {
        const isClaimed = await claims.claim(`interaction:${id}`, LIVES);
        isAside = false;
        return isClaimed;
      } catch {
        if (isAside) await sleep(clock, ASIDE);
        return true;
      }
    },
    /** Another process has answered one that was not claimed: the store is away for this one alone. */
    answeredElsewhere(): void {
      isAside = true;
    },
  };
}
