import { ActivityType, type Client, Events } from 'discord.js';

export interface PresenceParts {
  /** Sets the bot's activity line. Discord does not confirm it. */
  readonly set: (text: string) => void;
  readonly clock: { now(): number };
}

export interface Presence {
  /** Call it with the current text as often as needed; it is shown from time to time. */
  show(text: string): void;
  /** Discord has dropped the activity, as it does at every new login. */
  forgotten(): void;
}

/** In ms. Discord allows five changes in twenty seconds; nobody reads a line that changes more often than this. */
const PACE = 60_000;

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
    forgotten() {
      shown = null;
    },
  };
}

/** The line of a live connection; where that is down, it is sent again when it is back. */
export interface StatusLine {
  show(text: string): void;
  /** Calls back when Discord has forgotten it, and it should be shown again. */
  onForgotten(listener: () => void): void;
}

export function createStatusLine(client: Client, clock: PresenceParts['clock']): StatusLine {
  const set = (state: string): void =>
    void client.user?.setActivity({ name: 'status', type: ActivityType.Custom, state });
  const presence = createPresence({ set, clock });
  return {
    show: presence.show,
    onForgotten(listener) {
      client.on(Events.ShardReady, () => {
        presence.forgotten();
        listener();
      });
    },
  };
}
