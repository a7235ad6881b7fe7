import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { StoreError } from '../../../src/base/errors.ts';
import { createLog } from '../../../src/base/log.ts';
import {
  type BoardSettings,
  type Fence,
  newBoardOptions,
  newState,
} from '../../../src/board/board-records.ts';
import type { Stores } from '../../../src/bot/stores.ts';
import { type Cluster, createCluster } from '../../../src/shards/cluster.ts';
import { unfenced } from '../../../src/shards/shard-leases.ts';
import { createClusterUpdate } from '../../../src/shards/update-cluster.ts';
import { openRedisStores } from '../../../src/store/redis/open.ts';
import { createRedis, type RedisServer } from '../../support/redis.ts';
import { hasRedis } from '../../support/requirements.ts';

const GUILD = '281474976710656001';

const board = (channelId: string, madeAt: number): BoardSettings => ({
  ...{ guildId: GUILD, channelId, madeBy: '', locale: 'en', madeAt, removed: false },
  options: newBoardOptions,
});

describe.runIf(hasRedis)('a board in Redis (needs redis-server)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pitwall-proof-'));
  let redis: RedisServer;
  let stores: Stores;
  let keeper: Cluster;

  beforeAll(async () => {
    redis = await createRedis(folder);
    await redis.start();
    const log = createLog({ level: 'silent', secrets: [] });
    stores = await openRedisStores(`redis://127.0.0.1:${redis.port}`, { log, clock: systemClock });
    keeper = createCluster({
      ...{ me: 'one', agree: createClusterUpdate(stores.fleet), clock: systemClock },
      gateway: async () => ({ shards: 4, concurrency: 4 }),
      share: () => ({ kind: 'leased', count: null }),
      driver: { connect: async () => {}, disconnect: async () => {} },
      waiting: () => {},
      processes: () => {},
      failed: (error) => {
        throw error;
      },
    });
    await keeper.join();
    await vi.waitFor(() => expect(keeper.holds(GUILD)).toBe(true), 5000);
    await stores.boards.saveSettings(board('7', 0));
  });
  afterAll(async () => {
    await keeper.leave(true);
    await stores.close();
    await redis.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  });

  const posted = async () => (await stores.boards.all()).map(({ state }) => state.posted);
  const proof = (): Fence => keeper.fenceOf(GUILD) ?? expect.fail('it keeps no boards');

  test('is written by the process with the lease of its shard, and by no other', async () => {
    await stores.boards.saveState('7', { ...newState, posted: '1' }, proof());
    expect(await posted()).toEqual(['1']);
    const others: Fence[] = [
      { ...proof(), fence: proof().fence - 1 },
      { ...proof(), holder: 'two' },
      { ...proof(), shard: '0/8' },
    ];
    for (const other of others) {
      const failure = stores.boards.saveState('7', { ...newState, posted: '2' }, other);
      await expect(failure).rejects.toThrow(StoreError);
      await expect(stores.boards.remove('7', other)).rejects.toThrow(StoreError);
    }
    expect(await posted()).toEqual(['1']);
  });

  test('is not written by a process that has left', async () => {
    const before = proof();
    await keeper.leave(true);
    await expect(stores.boards.saveState('7', { ...newState, posted: '3' }, before)).rejects.toThrow(
      StoreError,
    );
    expect(await posted()).toEqual(['1']);
  });

  test('is found with its state among many, once each and the oldest first', async () => {
    const ids = Array.from({ length: 2500 }, (_, index) => String(100 + index));
    for (const id of ids) {
      await stores.boards.saveSettings(board(id, Number(id)));
      if (id.endsWith('0')) await stores.boards.saveState(id, { ...newState, posted: id }, unfenced);
    }
    const all = await stores.boards.all();
    expect(all.map(({ settings }) => settings.channelId)).toEqual(['7', ...ids]);
    expect(all.flatMap(({ state }) => state.posted ?? [])).toEqual([
      '1',
      ...ids.filter((id) => id.endsWith('0')),
    ]);
  });
});
