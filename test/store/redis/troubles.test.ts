/** What is wrong with a Redis, as the bot's last line and the doctor's finding say it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock as clock } from '../../../src/base/clock.ts';
import { StartError } from '../../../src/base/errors.ts';
import { createLog } from '../../../src/base/log.ts';
import { probeStore } from '../../../src/store/probe.ts';
import { openRedisStores } from '../../../src/store/redis/open.ts';
import { createRedis, leastRights, type RedisServer, TestClient } from '../../support/redis.ts';
import { hasRedis } from '../../support/requirements.ts';

const log = createLog({ level: 'silent', secrets: [] });

/** How the bot ends, and what the doctor says. */
async function tried(url: string) {
  const bot = await openRedisStores(url, { log, clock, timeoutMs: 1500 }).then(
    async (stores) => stores.close().then(() => null),
    (error: unknown) => error,
  );
  const { facts, close } = await probeStore({ kind: 'redis', url, password: [] });
  close();
  if (bot !== null && !(bot instanceof StartError)) throw bot;
  return { bot: bot?.message ?? null, code: bot?.exitCode ?? 0, doctor: 'trouble' in facts && facts.trouble };
}

describe.runIf(hasRedis)('a Redis (needs redis-server)', () => {
  let redis: RedisServer;
  let admin: TestClient;
  let cluster: RedisServer;

  beforeAll(async () => {
    redis = await createRedis({ appendonly: 'no' });
    await redis.start();
    admin = new TestClient(redis.port);
    await admin.ready();
    cluster = await createRedis({
      ...{ appendonly: 'no', 'cluster-enabled': 'yes', 'cluster-config-file': 'nodes' },
    });
    await cluster.start();
  });
  afterAll(async () => {
    admin.close();
    await redis.end();
    await cluster.end();
  });

  const without = (right: string) => leastRights('p').filter((one) => one !== right);
  const config = (...settings: string[]) => admin.command('CONFIG', 'SET', ...settings);
  const user = 'pitwall:p@';

  test.for([
    {
      what: 'whose password is another one',
      break: () => admin.command('ACL', 'SETUSER', ...leastRights('other'), '<p'),
      says: 'rejects the user name or password',
      code: 78,
    },
    {
      what: 'whose user may not run INFO',
      break: () => admin.command('ACL', 'SETUSER', ...without('+info')),
      says: 'its user may not run INFO; give it the rights listed in deploy/README.md',
      code: 78,
    },
    {
      what: 'whose user may not run a command of a script',
      break: () => admin.command('ACL', 'SETUSER', ...without('+eval')),
      says: 'its user may not run',
      code: 78,
    },
    {
      what: 'whose user has other keys',
      break: () => admin.command('ACL', 'SETUSER', ...without('~pitwall:*')),
      says: 'its user may not use the keys of Pitwall',
      code: 78,
    },
    {
      what: 'that has no memory left',
      break: () => config('maxmemory', '1'),
      mend: () => config('maxmemory', '0'),
      says: 'has no memory left; raise its maxmemory',
      code: 75,
    },
    {
      what: 'that is a replica',
      break: () => admin.command('REPLICAOF', '127.0.0.1', '1'),
      mend: () => admin.command('REPLICAOF', 'NO', 'ONE'),
      says: 'is a replica, which takes no writes',
      code: 75,
    },
    {
      what: 'that waits for its replicas',
      break: () => config('min-replicas-to-write', '1'),
      mend: () => config('min-replicas-to-write', '0'),
      says: 'takes no writes without its replicas',
      code: 75,
    },
    {
      what: 'that a newer version wrote',
      break: () => admin.command('SET', 'pitwall:format', '99'),
      mend: () => admin.command('DEL', 'pitwall:format'),
      says: 'a newer version of Pitwall wrote this',
      code: 78,
    },
  ])('$what', async ({ break: spoil, mend, says, code }) => {
    await admin.command('ACL', 'SETUSER', 'pitwall', 'reset');
    await admin.command('ACL', 'SETUSER', ...leastRights('p'));
    await spoil();
    const found = await tried(`redis://${user}127.0.0.1:${redis.port}`);
    await mend?.();
    expect(found).toEqual({ bot: expect.stringContaining(says), code, doctor: found.bot });
    expect(found.bot).not.toMatch(/[\n]|:p@/);
  });

  test('that is full says so at the next look, and is well again after it', async () => {
    const stores = await openRedisStores(`redis://127.0.0.1:${redis.port}`, { log, clock });
    await expect(stores.checkWrites()).resolves.toBeUndefined();
    await config('maxmemory', '1');
    await expect(stores.checkWrites()).rejects.toThrow('Redis has no memory left; raise its maxmemory');
    await config('maxmemory', '0');
    await expect(stores.checkWrites()).resolves.toBeUndefined();
    redis.freeze();
    await expect(stores.checkWrites()).rejects.toThrow('Redis does not answer');
    redis.thaw();
    await stores.close();
  });

  test.for([false, true])('that is a cluster, its slots assigned: %s', async (assigned) => {
    const clusterAdmin = new TestClient(cluster.port);
    await clusterAdmin.ready();
    if (assigned) await clusterAdmin.command('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
    clusterAdmin.close();
    const found = await tried(`redis://127.0.0.1:${cluster.port}`);
    expect(found).toMatchObject({
      bot: expect.stringContaining('a Redis Cluster, which Pitwall does not support'),
      code: 78,
      doctor: found.bot,
    });
  });

  test('with a number of a database in a cluster, and one that there is none of', async () => {
    expect(await tried(`redis://127.0.0.1:${cluster.port}/3`)).toMatchObject({
      bot: expect.stringContaining('Redis Cluster'),
      code: 78,
    });
    expect(await tried(`redis://127.0.0.1:${redis.port}/99`)).toMatchObject({
      bot: expect.stringContaining('no database with this number'),
      code: 78,
    });
  });
});
