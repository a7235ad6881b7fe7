/** Waiting for a bot: connected, with its commands published. */
export interface BotArrival {
  /** Called whenever one of the two may have changed. */
  check(): void;
  whenThere(): Promise<void>;
  /** Ends all waits with an error. */
  close(): void;
}

export function createBotArrival(isThere: () => boolean): BotArrival {
  const waiting = new Set<PromiseWithResolvers<void>>();

  function check(): void {
    if (!isThere()) return;
    for (const { resolve } of waiting) resolve();
    waiting.clear();
  }

  return {
    check,
    whenThere() {
      const wait = Promise.withResolvers<void>();
      waiting.add(wait);
      // A bot that was just killed counts as connected until its closed socket is noticed.
      setImmediate(check);
      return wait.promise;
    },
    close() {
      for (const { reject } of waiting) reject(new Error('the chat server was closed'));
    },
  };
}
