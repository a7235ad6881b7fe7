import { MINUTE } from '../base/duration.ts';

export interface PresenceParts {
  /** Sets the bot's activity line. Discord does not confirm it. */
  readonly set: (text: string) => void;
  readonly clock: { now(): number };
}

export interface Presence {
  /** Call it with the current text as often as needed; it is shown from time to time. */
  show(text: string): void;
}

/** In ms. Discord allows five changes in twenty seconds; nobody reads a line that changes more often than this. */
const PACE = MINUTE;

/**
 * The bot's activity line: changes at most once a minute, and only if the text is new. A text that comes too early
 * is dropped, since the caller soon comes with a newer one.
 */
export function createPresence({ set, clock }: PresenceParts): Presence {
  let shown: string | null = null;
  let next = -Infinity;
  return {
    show(text) {
      const now = clock.now();
      // A wall clock set back must not block changes for longer than the interval.
      if (text === shown || (now < next && next - now <= PACE)) return;
      set(text);
      shown = text;
      next = now + PACE;
    },
  };
}
