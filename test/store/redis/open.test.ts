/** What only a store across a network can do: be out of reach, hang, refuse. */
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { systemClock as clock } from '../../../src/base/clock.ts';
import { StoreError } from '../../../src/base/errors.ts';
import { createLog } from '../../../src/base/log.ts';
import { openRedisStores } from '../../../src/store/redis/open.ts';
import type { Stores } from '../../../src/store/stores.ts';
import { createRedis, type RedisServer, TestClient } from '../../support/redis.ts';
import { hasRedis } from '../../support/requirements.ts';

describe.runIf(hasRedis)('Redis (needs redis-server)', () => {
  let redis: RedisServer;
  const logged: string[] = [];
  let opened: Stores[] = [];

  // Without any secret to hide: none may reach the log in the first place.
  const log = createLog({ level: 'debug', secrets: [], stream: { write: (line) => void logged.push(line) } });

  async function open(userinfo = '', database = ''): Promise<Stores> {
    const url = `redis://${userinfo}127.0.0.1:${redis.port}/${database}`;
    const stores = await openRedisStores(url, { log, clock });
    opened.push(stores);
    return stores;
  }

  beforeAll(async () => {
    redis = await createRedis();
    await redis.start();
  });
  afterEach(async () => {
    for (const stores of opened) await stores.close();
    opened = [];
    logged.length = 0;
  });
  afterAll(() => redis.end());

  /** What an operation does, and after how many milliseconds. */
  async function tried(work: () => Promise<unknown>) {
    const begun = performance.now();
    const error = await work().then(
      () => null,
      (failure: unknown) => failure,
    );
    return { error, after: performance.now() - begun };
  }

  const awayAndBack = () =>
    logged.flatMap((line) => /"msg":"Redis is (?:unreachable|back)/.exec(line)?.[0].slice(16) ?? []);

  test('that is killed fails at once, is reported once, and is back after its return', async () => {
    const store = await open();
    const keyv = store.namespace('answers', { maxRows: 10, maxBytes: 10_000_000 });
    await keyv.set('x', 1);
    await redis.stop();
    for (let round = 0; round < 20; round += 1) {
      const { error, after } = await tried(() => keyv.get('x'));
      expect(error).toBeInstanceOf(StoreError);
      expect(after).toBeLessThan(2000);
    }
    // Long enough for the pauses between attempts to grow.
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await redis.start();
    await vi.waitFor(() => keyv.set('x', 2), { timeout: 20_000, interval: 20 });
    expect(await keyv.get('x')).toBe(2);
    expect(awayAndBack()).toEqual(['unreachable', 'back']);
  });

  test('that hangs makes nobody wait for long, and is back after its return', async () => {
    const store = await open();
    const keyv = store.namespace('answers', { maxRows: 10, maxBytes: 10_000_000 });
    await keyv.set('x', 1);
    redis.freeze();
    for (const work of [
      () => keyv.get('x'),
      () => keyv.set('x', 2),
      () => store.documents.read('people', '1'),
    ]) {
      const { error, after } = await tried(work);
      expect(error).toBeInstanceOf(StoreError);
      expect(after).toBeLessThan(2000);
    }
    // By then the connection has been given up for a new one, which is not answered either.
    await vi.waitFor(() => expect(awayAndBack()).toEqual(['unreachable']), { timeout: 20_000 });
    redis.thaw();
    await vi.waitFor(() => keyv.get('x'), { timeout: 20_000, interval: 20 });
    await vi.waitFor(() => expect(awayAndBack()).toEqual(['unreachable', 'back']), 20_000);
  });

  test('that has answered in time is heard, however long this process was held up', async () => {
    const store = await open();
    const keyv = store.namespace('answers', { maxRows: 10, maxBytes: 10_000_000 });
    await keyv.set('x', 1);
    redis.freeze();
    const answer = keyv.get('x');
    // The command is on its way.
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    redis.thaw();
    const until = performance.now() + 700;
    while (performance.now() < until);
    expect(await answer).toBe(1);
  });

  test('that has no memory left says so', async () => {
    const admin = new TestClient(redis.port);
    await admin.ready();
    const { documents } = await open();
    await admin.command('CONFIG', 'SET', 'maxmemory', '1');
    const { error } = await tried(() => documents.commit([], [{ collection: 'x', key: '1', text: 'x' }]));
    await admin.command('CONFIG', 'SET', 'maxmemory', '0');
    admin.close();
    expect(error).toMatchObject({ name: 'StoreError', trouble: 'full' });
  });

  test.for([
    ['99', /newer version/],
    ['0', /older version/],
  ] as const)('that version %s wrote is refused and left as it is', async ([format, why]) => {
    const admin = new TestClient(redis.port);
    await admin.ready();
    await admin.command('SET', 'pitwall:format', format);
    await expect(open()).rejects.toThrow(why);
    expect(await admin.command('GET', 'pitwall:format')).toBe(format);
    await admin.command('DEL', 'pitwall:format');
    admin.close();
  });

  test('that version 1 wrote goes on as version 2, so that processes of version 1 end', async () => {
    const admin = new TestClient(redis.port);
    await admin.ready();
    await admin.command('SET', 'pitwall:format', '1');
    await open();
    expect(await admin.command('GET', 'pitwall:format')).toBe('2');
    await admin.command('DEL', 'pitwall:format');
    admin.close();
  });

  test('that another version takes meanwhile is no longer used', async () => {
    const admin = new TestClient(redis.port);
    await admin.ready();
    const { takenOver: taken } = await open();
    await admin.command('SET', 'pitwall:format', '99');
    expect(await taken).toMatchObject({ exitCode: 78, message: expect.stringContaining('newer version') });
    await admin.command('DEL', 'pitwall:format');
    admin.close();
  });

  test('that has lost all its data is reported once, and works for those who start', async () => {
    const admin = new TestClient(redis.port);
    await admin.ready();
    await open();
    await admin.command('FLUSHALL');
    await vi.waitFor(async () => expect(await admin.command('GET', 'pitwall:format')).toBe('2'), 20_000);
    expect(logged.filter((line) => line.includes('lost all'))).toHaveLength(1);
    admin.close();
  });

  test('that may forget or evict is reported at the start', async () => {
    const admin = new TestClient(redis.port);
    await admin.ready();
    await open();
    expect(logged).toEqual([]);
    await admin.command('CONFIG', 'SET', 'maxmemory', '1gb', 'maxmemory-policy', 'allkeys-lru');
    await admin.command('CONFIG', 'SET', 'appendonly', 'no');
    await open();
    expect(logged.join()).toMatch(/noeviction.*appendonly yes/s);
    await admin.command('CONFIG', 'SET', 'maxmemory', '0', 'maxmemory-policy', 'noeviction');
    await admin.command('CONFIG', 'SET', 'appendonly', 'yes');
    admin.close();
  });

  test('that is writing its log anew writes it once more after a deletion', async () => {
    const store = await open();
    const admin = new TestClient(redis.port);
    await admin.ready();
    const persistence = async () => String(await admin.command('INFO', 'persistence'));
    const rewrites = async () => Number(/aof_rewrites:(\d+)/.exec(await persistence())?.[1]);
    await vi.waitFor(
      async () => expect(await persistence()).not.toMatch(/in_progress:1|scheduled:1/),
      20_000,
    );
    await admin.command('SET', 'of another program', '1');
    // Microseconds a key, so that the first one is under way.
    await admin.command('CONFIG', 'SET', 'rdb-key-save-delay', '200000');
    const before = await rewrites();
    await admin.command('BGREWRITEAOF');
    expect(await store.history.scrub()).toEqual([]);
    expect([(await rewrites()) - before, logged]).toEqual([2, []]);
    await admin.command('CONFIG', 'SET', 'rdb-key-save-delay', '0');
    admin.close();
  });
});
