import { randomUUID } from 'node:crypto';
import type { Claims } from '../base/claims.ts';
import type { ShardsSetting } from '../base/config/shards-setting.ts';
import { SECOND } from '../base/duration.ts';
import type { Runtime } from '../base/runtime.ts';
import type { Documents } from '../store/documents.ts';
import { type Cluster, createCluster } from './cluster.ts';
import { createClusterUpdate } from './cluster-state.ts';
import type { ShardDriver } from './connections.ts';
import { createIdentifyQueue, type SessionLimits } from './identify-queue.ts';
import { nameOf } from './shard.ts';

/** The connection to Discord, as far as shards need it. */
interface ShardConnection extends ShardDriver {
  gateway(): Promise<SessionLimits & { readonly shards: number }>;
  /** Shares Discord's limit on requests with this many processes. */
  sharedBy(processes: number): void;
  close(): Promise<void>;
}

interface OpenedCluster<Connection> {
  readonly connection: Connection;
  readonly cluster: Cluster;
  /** The bot runs: its end is an orderly one from now on, unless `lost` has resolved. */
  running(lost: Promise<unknown>): void;
  /** To be called before anything else is closed. */
  handOver(): Promise<void>;
}

interface ClusterOptions<Connection> {
  readonly documents: Documents;
  readonly claims: Claims;
  readonly setting: ShardsSetting;
  /** No other process has this store: then this one has all shards. */
  readonly isAlone: boolean;
  readonly connectionWith: (identify: ReturnType<typeof createIdentifyQueue>) => Connection;
}

/** The connection to Discord and this process's part in the cluster; nothing is connected before that is joined. */
export function openCluster<Connection extends ShardConnection>(
  { documents, claims, setting, isAlone, connectionWith }: ClusterOptions<Connection>,
  { clock, log, resources }: Runtime,
): OpenedCluster<Connection> {
  const me = randomUUID();
  const update = createClusterUpdate(documents);
  const identify = createIdentifyQueue({
    me,
    update,
    clock,
    limits: () => connection.gateway(),
    waiting: (shard, ms, why) =>
      log.warn({ shard: nameOf(shard), seconds: Math.ceil(ms / SECOND), why }, 'login to Discord waits'),
  });
  const connection = connectionWith(identify);
  resources.defer(() => connection.close());
  const cluster = createCluster({
    me,
    update,
    clock,
    claims,
    isSole: isAlone,
    driver: connection,
    gateway: connection.gateway,
    setting,
    processes: connection.sharedBy,
    waiting: (ms, failed) =>
      log.warn(
        { seconds: Math.ceil(ms / SECOND), again: new Date(clock.now() + ms).toISOString(), failed },
        'processes crashed soon after their login to Discord; the next login waits, since a bot that logs in a thousand times a day loses its token',
      ),
    failed: (error) => log.warn({ err: error }, 'shards of Discord'),
  });
  let isInOrder = false;
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
