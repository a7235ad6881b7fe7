/** The shards that this process is connected to, brought in line with those that it should be. */
import type { Clock } from '../base/clock.ts';
import { type Shard, shardNamed } from './shard.ts';

/** Gateway connections, one for each shard. */
export interface ShardDriver {
  /** Resolves when the shard has received its guilds; rejects where it cannot be connected, or is no longer to be. */
  connect(shard: Shard): Promise<void>;
  disconnect(shard: Shard): Promise<void>;
}

interface Connections {
  /** Shards that are connected, by their names. */
  readonly connected: ReadonlySet<string>;
  /** Connects the missing ones, so many at a time, and disconnects the others. */
  want(shards: readonly string[], atOnce: number): void;
  /** Resolves when the first shard is connected, or where none is wanted; rejects with the reason where none can be. */
  first(): Promise<void>;
}

/** The wait after a failure, in ms. */
const RETRY = 5000;

interface ConnectionsParts {
  readonly driver: ShardDriver;
  readonly clock: Clock;
  /** One is connected, or has failed. */
  readonly changed: () => void;
  readonly failed: (error: unknown) => void;
}

export function createConnections({ driver, clock, changed, failed }: ConnectionsParts): Connections {
  const connected = new Set<string>();
  const connecting = new Map<string, Promise<void>>();
  let wanted: readonly string[] = [];
  const resting = new Set<string>();
  let limit = 1;
  let failure: unknown = null;

  async function connect(shard: string): Promise<void> {
    try {
      await driver.connect(shardNamed(shard));
      if (wanted.includes(shard)) connected.add(shard);
    } catch (error) {
      if (wanted.includes(shard)) rest(shard, error);
    } finally {
      connecting.delete(shard);
      fill();
      changed();
    }
  }

  /** It is tried again after a while. */
  function rest(shard: string, error: unknown): void {
    failure = error;
    failed(error);
    resting.add(shard);
    const retry = (): void => {
      resting.delete(shard);
      fill();
    };
    clock.after(RETRY, retry);
  }

  function fill(): void {
    for (const shard of wanted) {
      if (connecting.size >= limit) return;
      if (!connected.has(shard) && !connecting.has(shard) && !resting.has(shard))
        connecting.set(shard, connect(shard));
    }
  }

  function drop(shard: string): void {
    connected.delete(shard);
    driver.disconnect(shardNamed(shard)).catch(failed);
  }

  return {
    connected,
    want(shards, atOnce) {
      wanted = shards;
      limit = atOnce;
      for (const shard of [...connected, ...connecting.keys()]) if (!shards.includes(shard)) drop(shard);
      fill();
    },
    async first() {
      while (connected.size === 0 && connecting.size > 0) await Promise.race(connecting.values());
      if (connected.size === 0 && failure !== null) throw failure;
    },
  };
}
