/** Connects the shards of a process, and keeps trying where Discord does not connect one. */
import { type Clock, sleep } from '../base/clock.ts';
import { MINUTE } from '../base/duration.ts';
import { nameOf, type Shard } from './shard.ts';

/** Gateway connections, one for each shard. */
export interface ShardDriver {
  /** Resolves when the shard has received its guilds; rejects where it cannot be connected, or is no longer to be. */
  connect(shard: Shard): Promise<void>;
  disconnect(shard: Shard): Promise<void>;
}

/** The logins that Discord allows the bot. */
export interface SessionLimits {
  /** Discord's `max_concurrency`: how many shards may log in at a time. */
  readonly concurrency: number;
  /** Logins left until the reset. */
  readonly remaining: number;
  /** Milliseconds until there are as many as in the beginning. */
  readonly resetIn: number;
}

interface ConnectParts {
  readonly driver: ShardDriver;
  readonly clock: Pick<Clock, 'after'>;
  readonly limits: () => Promise<SessionLimits>;
  /** Called when a shard is connected. */
  readonly changed: () => void;
  readonly failed: (error: unknown) => void;
  /** Called when a login waits because Discord allows few more. */
  readonly waiting: (shard: Shard, ms: number) => void;
}

interface ShardConnections {
  /** Resolves when the first shard is connected; rejects if none could be. */
  first(): Promise<void>;
  /** Disconnects all shards, and connects none from now on. */
  end(): Promise<void>;
  isConnected(shard: Shard): boolean;
  /** The connected shards. */
  connected(): readonly Shard[];
}

/** The wait after a failure, in ms. */
const RETRY_MS = 5000;
/** Logins that are never spent: Discord resets the token of a bot that logs in once too often. */
const RESERVED_LOGINS = 20;

/** Begins at once, with at most `atOnce` shards under way. */
export function connectShards(
  shards: readonly Shard[],
  atOnce: number,
  parts: ConnectParts,
): ShardConnections {
  const { driver, clock, limits, changed, failed, waiting } = parts;
  const connected = new Map<string, Shard>();
  const first = Promise.withResolvers<void>();
  const ended = new AbortController();
  const queue = [...shards];
  let [underWay, tries] = [0, 0];

  async function awaitLogin(shard: Shard): Promise<void> {
    for (;;) {
      const { remaining, resetIn } = await limits();
      if (remaining > RESERVED_LOGINS) return;
      const wait = Math.max(MINUTE, resetIn);
      waiting(shard, wait);
      await sleep(clock, wait, ended.signal);
    }
  }

  async function connectOne(shard: Shard): Promise<void> {
    try {
      await awaitLogin(shard);
      ended.signal.throwIfAborted();
      await driver.connect(shard);
      if (ended.signal.aborted) return;
      connected.set(nameOf(shard), shard);
      first.resolve();
      changed();
    } catch (error) {
      if (ended.signal.aborted) return;
      failed(error);
      // The start waits for one shard, and fails with the last of the first tries.
      tries += 1;
      if (tries === shards.length) first.reject(error);
      clock.after(RETRY_MS, () => {
        queue.push(shard);
        connectNext();
      });
    }
  }

  function connectNext(): void {
    if (ended.signal.aborted || underWay >= atOnce) return;
    const shard = queue.shift();
    if (shard === undefined) return;
    underWay += 1;
    void connectOne(shard).finally(() => {
      underWay -= 1;
      connectNext();
    });
    connectNext();
  }

  first.promise.catch(() => {});
  connectNext();
  return {
    first: () => first.promise,
    async end() {
      ended.abort();
      connected.clear();
      await Promise.all(shards.map((shard) => driver.disconnect(shard).catch(failed)));
    },
    isConnected: (shard) => connected.has(nameOf(shard)),
    connected: () => [...connected.values()],
  };
}
