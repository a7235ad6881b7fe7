/** Connects the shards of a process, and keeps trying where Discord does not connect one. */
import type { Clock } from '../base/clock.ts';
import type { Shard } from './shard.ts';

/** Gateway connections, one for each shard. */
export interface ShardDriver {
  /** Resolves when the shard has received its guilds; rejects where it cannot be connected, or is no longer to be. */
  connect(shard: Shard): Promise<void>;
  disconnect(shard: Shard): Promise<void>;
}

interface ConnectParts {
  readonly driver: ShardDriver;
  readonly clock: Pick<Clock, 'after'>;
  readonly failed: (error: unknown) => void;
}

/** The wait after a failure, in ms. */
const RETRY_MS = 5000;

/** Begins at once, with at most `atOnce` shards under way. */
export function connectShards(shards: readonly Shard[], atOnce: number, parts: ConnectParts) {
  const { driver, clock, failed } = parts;
  const first = Promise.withResolvers<void>();
  const stopping = new AbortController();
  const queue = [...shards];
  let [underWay, tries] = [0, 0];

  async function connectOne(shard: Shard): Promise<void> {
    try {
      await driver.connect(shard);
      first.resolve();
    } catch (error) {
      if (stopping.signal.aborted) return;
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
    if (stopping.signal.aborted || underWay >= atOnce) return;
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
    /** Resolves when the first shard is connected; rejects if none could be. */
    first: (): Promise<void> => first.promise,
    /** Disconnects all shards, and connects none from now on. */
    async end(): Promise<void> {
      stopping.abort();
      await Promise.all(shards.map((shard) => driver.disconnect(shard).catch(failed)));
    },
  };
}
