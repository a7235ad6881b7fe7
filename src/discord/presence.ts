import { ActivityType, type Client, Events } from 'discord.js';

export interface PresenceParts {
  /** Shows the line below the bot's name. Chat does not answer to it. */
  readonly set: (text: string) => void;
  readonly clock: { now(): number };
}

export interface Presence {
  /** Tells what is true now, as often as one likes: from time to time it is shown. */
  show(text: string): void;
  /** Chat has forgotten what was shown, as it does whenever the bot logs in anew. */
  forgotten(): void;
}

/** Chat takes five changes in twenty seconds; a line that changes more often than this is not read. */
const PACE = 60_000;

/**
 * The bot's presence: changes at most once a minute, and only where there is something new to say. A text that comes
 * too early is dropped rather than kept for later, since whoever polls comes again with a newer one.
 */
export function createPresence({ set, clock }: PresenceParts): Presence {
  let shown: string | null = null;
  let next = -Infinity;
  return {
    show(text) {
      const now = clock.now();
      // A wall clock that was set back must not silence the bot for longer than the pace.
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
