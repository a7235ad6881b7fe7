import type { MessageView } from '../protocol.ts';

/** A command that was sent and has no reply yet. */
export interface Pending {
  /** How many messages precede it: it stays where it was sent. */
  readonly after: number;
  readonly channelId: string;
  readonly command: string;
  failure: string | null;
}

interface PendingCommands {
  in(channelId: string): readonly Pending[];
  add(pending: Omit<Pending, 'failure'>): Pending;
  remove(pending: Pending): void;
  /** Ends a pending command; with a `failure` it stays until it is removed, even if it seemed answered. */
  settle(pending: Pending, failure: string | null): void;
  /** The first one that this new message of the bot may be the reply to is no longer pending. */
  answered(message: MessageView): void;
}

export function createPendingCommands(): PendingCommands {
  let all: readonly Pending[] = [];

  function remove(pending: Pending | undefined): void {
    all = all.filter((other) => other !== pending);
  }

  return {
    in: (channelId) => all.filter((pending) => pending.channelId === channelId),
    add(sent) {
      const pending: Pending = { ...sent, failure: null };
      all = [...all, pending];
      return pending;
    },
    remove,
    settle(pending, failure) {
      pending.failure = failure;
      if (failure === null) remove(pending);
      else if (!all.includes(pending)) all = [...all, pending];
    },
    answered({ usedBy }) {
      const name = usedBy?.command ?? null;
      remove(all.find(({ command, failure }) => failure === null && (name === null || command === name)));
    },
  };
}
