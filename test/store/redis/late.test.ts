/** A Redis that is not there yet when the bot starts, and one for which it makes no sense to wait. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test as base, describe, expect, onTestFinished, vi } from 'vitest';
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import { StartError } from '../../../src/base/errors.ts';
import { createLog } from '../../../src/base/log.ts';
import { openRedisStores } from '../../../src/store/redis/open.ts';
import type { Stores } from '../../../src/store/stores.ts';
import { createManualClock, type ManualClock } from '../../support/manual-clock.ts';
import { createRedis, type RedisServer, TestClient } from '../../support/redis.ts';
import { hasRedis } from '../../support/requirements.ts';

const PASSWORD = 'p@ss/w0rd%';
const PATIENCE = 15_000;

interface Start {
  /** Not running yet. */
  readonly redis: RedisServer;
  /** Connected once Redis runs. */
  readonly admin: TestClient;
  open(options?: { userinfo?: string; database?: string; scheme?: string; clock?: Clock }): Promise<Stores>;
  /** What the log says, in order, without any secret to hide: none may reach it in the first place. */
  said(): readonly string[];
  readonly logged: readonly string[];
  /** Resolves with the line that says that the start waits. */
  waiting(): Promise<void>;
}

const test = base.extend<{ start: Start; clock: ManualClock }>({
  start: async ({ task: _ }, use) => {
    const redis = await createRedis();
    const admin = new TestClient(redis.port);
    const logged: string[] = [];
    const log = createLog({
      level: 'debug',
      secrets: [],
      stream: { write: (line) => void logged.push(line) },
    });
    const opened: Stores[] = [];
    const said = () => logged.flatMap((line) => /"msg":"(.*)"/.exec(line)?.[1] ?? []);
    await use({
      ...{ redis, admin, logged, said },
      async open({ userinfo = '', database = '', scheme = 'redis', clock = systemClock } = {}) {
        const url = `${scheme}://${userinfo}127.0.0.1:${redis.port}/${database}`;
        const stores = await openRedisStores(url, { log, clock });
        opened.push(stores);
        return stores;
      },
      waiting: () => vi.waitFor(() => expect(said()).toEqual(['waiting for Redis']), 20_000),
    });
    for (const stores of opened) await stores.close();
    admin.close();
    await redis.end();
  },
  /** A time that stands still: what ends does so by itself. */
  clock: async ({ task: _ }, use) => {
    await use(createManualClock());
  },
});

async function allow(admin: TestClient, user: string, password: string): Promise<void> {
  await admin.ready();
  await admin.command('ACL', 'SETUSER', user, 'on', `>${password}`, '~*', '+@all');
}

const userinfo = (user: string, password: string): string => `${user}:${encodeURIComponent(password)}@`;

/** Says this to whatever comes, at the address of the Redis. */
async function answerAll(port: number, text: string): Promise<void> {
  const server = createServer((socket) => socket.on('error', () => {}).on('data', () => socket.write(text)));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
}

describe.runIf(hasRedis)('a start waits for a Redis (needs redis-server)', () => {
  test('that comes up later, and says so once', async ({ start }) => {
    const { redis, open, waiting, said, logged } = start;
    const opening = open();
    await waiting();
    await redis.start();
    expect((await (await opening).documents.read('people', '1')).text).toBeNull();
    expect(said()).toEqual(['waiting for Redis', 'Redis is there']);
    expect(JSON.parse(logged[0] ?? '')).toMatchObject({ level: 'warn', seconds: PATIENCE / 1000 });
  });

  test('that takes the connection and answers nothing for a while', async ({ start, clock }) => {
    const { redis, admin, open, waiting, said } = start;
    await redis.start();
    await allow(admin, 'guarded', PASSWORD);
    redis.freeze();
    const opening = open({ clock, userinfo: userinfo('guarded', PASSWORD) });
    clock.pass(1000);
    await waiting();
    redis.thaw();
    expect((await (await opening).documents.read('people', '1')).text).toBeNull();
    expect(said()).toEqual(['waiting for Redis', 'Redis is there']);
  });

  test('that is connected and takes longer than half a second for the first command', async ({ start }) => {
    const { redis, admin, open, waiting, said } = start;
    await redis.start();
    await admin.ready();
    await admin.command('CLIENT', 'PAUSE', '60000', 'WRITE');
    const opening = open();
    await waiting();
    await admin.command('CLIENT', 'UNPAUSE');
    expect((await (await opening).documents.read('people', '1')).text).toBeNull();
    expect(said()).toEqual(['waiting for Redis', 'Redis is there']);
  });

  test('that is there says nothing of it', async ({ start, clock }) => {
    const { redis, open, said } = start;
    await redis.start();
    await open({ clock });
    clock.pass(PATIENCE);
    expect(said()).toEqual([]);
  });

  test('for 15 seconds, and then ends with one line that says what to do', async ({ start, clock }) => {
    const { open, waiting, said, logged } = start;
    const opening = open({ clock, userinfo: userinfo('', PASSWORD) });
    const ended = expect(opening).rejects.toThrow(/STORE_URL: Redis cannot be reached \(ECONNREFUSED\)/);
    await waiting();
    clock.pass(PATIENCE);
    await ended;
    await expect(opening).rejects.toBeInstanceOf(StartError);
    // It may be there at the next try.
    await expect(opening).rejects.toMatchObject({ exitCode: 75 });
    expect(said()).toEqual(['waiting for Redis']);
    expect(logged.join()).not.toMatch(/p@ss|p%40ss/);
  });

  test('that is there and does not answer for 15 seconds, and then ends as well', async ({
    start,
    clock,
  }) => {
    const { redis, admin, open, waiting } = start;
    await redis.start();
    await admin.ready();
    await admin.command('CLIENT', 'PAUSE', '60000', 'WRITE');
    const ended = expect(open({ clock })).rejects.toMatchObject({ exitCode: 75 });
    await waiting();
    clock.pass(PATIENCE);
    await ended;
  });
});

describe.runIf(hasRedis)('a start does not wait for a Redis (needs redis-server)', () => {
  test('that does not accept the password, which is reported to nobody', async ({ start, clock }) => {
    const { redis, admin, open, logged } = start;
    await redis.start();
    await allow(admin, 'guarded', PASSWORD);
    const opening = open({ clock, userinfo: userinfo('guarded', 'wrong one') });
    await expect(opening).rejects.toThrow(/STORE_URL: Redis rejects the user name/);
    await expect(opening).rejects.toBeInstanceOf(StartError);
    const stores = await open({ userinfo: userinfo('guarded', PASSWORD) });
    expect((await stores.documents.read('people', '1')).text).toBeNull();
    expect(logged.join()).not.toMatch(/p@ss|p%40ss|wrong one|wrong%20one/);
  });

  test('that comes up later and then does not accept the password', async ({ start, clock }) => {
    const { redis, open, waiting } = start;
    const opening = open({ clock, userinfo: userinfo('', PASSWORD) });
    const ended = expect(opening).rejects.toThrow(/STORE_URL: Redis rejects the user name/);
    await waiting();
    await answerAll(redis.port, '-WRONGPASS invalid username-password pair\r\n');
    await ended;
  });

  test.for([
    {
      what: 'that wants a password, and was given none',
      rights: ['resetpass', '>x', '+@all'],
      says: 'rejects',
    },
    { what: 'whose user may not write', rights: ['nopass', '+@read', '+@connection'], says: 'may not' },
  ])('$what', async ({ rights, says }, { start, clock }) => {
    const { redis, admin, open } = start;
    await redis.start();
    await admin.ready();
    await admin.command('ACL', 'SETUSER', 'default', 'reset', 'on', '~*', ...rights);
    await expect(open({ clock })).rejects.toThrow(says);
  });

  test('that has no database of that number', async ({ start, clock }) => {
    await start.redis.start();
    const opening = start.open({ clock, database: '9999' });
    await expect(opening).rejects.toThrow(/STORE_URL: Redis has no database with this number/);
  });

  test('that speaks no TLS', async ({ start, clock }) => {
    await answerAll(start.redis.port, '-ERR unknown command\r\n');
    const opening = start.open({ clock, scheme: 'rediss' });
    await expect(opening).rejects.toThrow(/STORE_URL: no TLS connection to Redis \(ERR_SSL_\w+\)/);
  });
});
