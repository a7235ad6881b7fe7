import { randomUUID } from 'node:crypto';
import type { ShardsSetting } from '../base/config/shards-setting.ts';
import type { Config } from '../base/config.ts';
import type { Log } from '../base/log.ts';
import type { Runtime } from '../base/runtime.ts';
import { type Connection, createConnection } from '../discord/connection.ts';
import { type Cluster, createCluster } from '../shards/cluster.ts';
import { createIdentifyQueue } from '../shards/identify-queue.ts';
import { allOf, nameOf } from '../shards/shard.ts';
import { createClusterUpdate } from '../shards/update-cluster.ts';
import type { Stores } from './stores.ts';

export interface Discord {
  readonly connection: Connection;
  readonly cluster: Cluster;
  /** The bot runs: its end is an orderly one from now on, unless `lost` has resolved. */
  running(lost: Promise<unknown>): void;
  /** To be called before anything else is closed. */
  handOver(): Promise<void>;
}

/** The connection to Discord, and this process's part of it; nothing is connected before the cluster is joined. */
export function openDiscord(
  config: Config,
  { documents }: Pick<Stores, 'documents'>,
  { clock, log, resources }: Runtime,
): Discord {
  const me = randomUUID();
  const update = createClusterUpdate(documents);
  let isInOrder = false;
  const connection = createConnection({
    ...config.discord,
    clock,
    log,
    identify: (shard, signal) => queue(shard, signal),
  });
  const queue = createIdentifyQueue({
    me,
    update,
    clock,
    limits: connection.gateway,
    waiting: (shard, ms, why) =>
      log.warn({ shard: nameOf(shard), seconds: Math.ceil(ms / 1000), why }, 'login to Discord waits'),
  });
  const cluster = createCluster({
    me,
    update,
    clock,
    driver: connection,
    gateway: connection.gateway,
    setting: (recommended) => settingOf(config, recommended),
    processes: connection.sharedBy,
    waiting: (ms, failed) => sayWaiting(log, ms, failed),
    failed: (error) => log.warn({ err: error }, 'shards of Discord'),
  });
  resources.defer(() => connection.close());
  resources.defer(() => cluster.leave(isInOrder));
  return {
    connection,
    cluster,
    running(lost) {
      isInOrder = true;
      void lost.then(() => {
        isInOrder = false;
      });
    },
    async handOver() {
      if (isInOrder) await cluster.handOver();
    },
  };
}

/** A file has one process, and that has all shards. */
function settingOf({ discord: { shards }, store }: Config, recommended: number): ShardsSetting {
  if (shards.kind === 'fixed' || store.kind === 'redis') return shards;
  return { kind: 'fixed', shards: allOf(shards.count ?? recommended) };
}

function sayWaiting(log: Log, ms: number, failed: number): void {
  const again = new Date(Date.now() + ms).toISOString();
  log.warn(
    { seconds: Math.ceil(ms / 1000), again, failed },
    'processes crashed soon after their login to Discord; the next login waits, since a bot that logs in a thousand times a day loses its token',
  );
}
