/** Two real bots with one shared store and one key between them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base, describe, expect, vi } from 'vitest';
import { type LocalChat, startChatServer } from '../../src/sandbox/chat/chat-server.ts';
import { type DataService, startDataService } from '../../src/sandbox/service/data-service.ts';
import { type Bot, createBot } from '../support/bot.ts';
import { createRedis, hasRedis, type RedisServer, TestClient } from '../support/redis.ts';
import { type Guest, guest } from '../support/sandbox.ts';

const PASSWORD = 'of the store %&';

interface Pair {
  readonly dataService: DataService;
  readonly redis: Pick<RedisServer, 'start' | 'stop'>;
  /** The first two are at the same chat server, the third at another one. */
  readonly bots: readonly [Bot, Bot, Bot];
  /** The same person at both. */
  readonly here: Guest;
  readonly there: Guest;
}

async function startBot(chat: LocalChat, dataService: DataService, url: string) {
  const bot = await createBot(chat, dataService, { STORE_URL: url });
  await bot.start();
  // The chat server is ready with the first bot that it has.
  await vi.waitFor(() => expect(bot.output).toContain('"msg":"ready"'), { timeout: 15_000 });
  return bot;
}

/** A server with a password, which it forgets with a restart unless it is told again. */
async function startGuarded(folder: string) {
  const redis = await createRedis(folder);
  const start = async (): Promise<void> => {
    await redis.start();
    const admin = new TestClient(redis.port);
    await admin.ready();
    await admin.command('CONFIG', 'SET', 'appendfsync', 'always');
    await admin.command('ACL', 'SETUSER', 'pitwall', 'on', `>${PASSWORD}`, '~*', '+@all');
    admin.close();
  };
  await start();
  return { ...redis, start };
}

const test = base.extend<{ pair: Pair }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads a fixture's needs from this pattern
  pair: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'pitwall-two-'));
    const redis = await startGuarded(folder);
    const dataService = await startDataService();
    const chat = await startChatServer();
    const other = await startChatServer();
    const url = `redis://pitwall:${encodeURIComponent(PASSWORD)}@127.0.0.1:${redis.port}/1`;
    const bots = await Promise.all([chat, chat, other].map((at) => startBot(at, dataService, url)));
    const [first, second, third] = bots;
    if (first === undefined || second === undefined || third === undefined)
      throw new Error('three were started');
    const person = chat.people[0] ?? '';
    await use({
      dataService,
      redis,
      bots: [first, second, third],
      here: guest(chat, person),
      there: guest(other, person),
    });
    for (const bot of bots) await bot[Symbol.asyncDispose]();
    await chat.close();
    await other.close();
    await dataService.close();
    await redis.stop();
    rmSync(folder, { recursive: true, force: true });
  },
});

const profiles = ({ requests }: DataService) => requests.filter(({ path }) => path.includes('profile'));

describe.runIf(hasRedis)('processes that share a store (needs redis-server)', () => {
  test('make one request of what is asked in all of them at once, and each question is answered once', async ({
    pair: { dataService, here, there, bots },
  }) => {
    const [player = '', another = ''] = dataService.drivers;
    const asked = [here, there, here, there].map((person) => person.ask('profile', { player }));
    const answers = await Promise.all(asked);
    for (const { message, acknowledged } of answers) {
      expect(acknowledged).toMatch(/replied|deferred/);
      expect(message.embeds[0]?.author?.name).toBe(player);
    }
    expect(new Set(answers.map(({ message }) => message.id)).size).toBe(4);
    expect(profiles(dataService)).toHaveLength(1);

    // What one has learned the others know.
    await there.ask('profile', { player: another });
    await here.ask('profile', { player: another });
    expect(profiles(dataService)).toHaveLength(2);
    for (const { output } of bots) expect(output).not.toContain('"a bug"');
  }, 40_000);

  test('know what was told to any of them, and go on when one is killed', async ({
    pair: { dataService, here, there, bots },
  }) => {
    const [driver = ''] = dataService.drivers;
    expect((await there.ask('link', { player: driver })).text).toContain(driver);
    expect((await here.ask('profile', {})).message.embeds[0]?.author?.name).toBe(driver);
    await bots[0].stop('SIGKILL');
    expect((await here.ask('profile', {})).message.embeds[0]?.author?.name).toBe(driver);
    expect((await here.ask('unlink', {})).text).toMatch(/no longer/);
    expect((await there.ask('profile', {})).text).toMatch(/\/link/);
    expect(profiles(dataService)).toHaveLength(1);
  }, 40_000);

  test('answer what they know while the store is away, send nothing, and go on by themselves', async ({
    pair: { dataService, redis, here, there, bots },
  }) => {
    const [known = '', fresh = ''] = dataService.drivers;
    await here.ask('profile', { player: known });
    await there.ask('profile', { player: known });
    const before = dataService.requests.length;

    await redis.stop();
    // Of two processes at one chat the one that has not seen it yet may be the first to answer, with its regrets.
    expect((await there.ask('profile', { player: known })).message.embeds[0]?.author?.name).toBe(known);
    expect((await there.ask('link', { player: known })).text).toMatch(/out of reach/);
    expect((await there.ask('profile', { player: fresh })).text).toMatch(/Try again/);
    expect(dataService.requests).toHaveLength(before);

    await redis.start();
    const begun = performance.now();
    await vi.waitFor(
      async () => {
        const { message } = await there.ask('profile', { player: dataService.drivers[2] ?? '' });
        expect(message.embeds[0]?.author?.name).toBe(dataService.drivers[2]);
      },
      { timeout: 5000 },
    );
    expect(performance.now() - begun).toBeLessThan(5000);

    for (const bot of bots) {
      const output = bot.output.split('\n');
      expect(output.filter((line) => line.includes('the shared store is out of reach'))).toHaveLength(1);
      expect(output.filter((line) => line.includes('the shared store is back'))).toHaveLength(1);
      expect(bot.output).not.toContain('"a bug"');
      expect(bot.output).not.toContain(PASSWORD);
      expect(bot.output).not.toContain(encodeURIComponent(PASSWORD));
      expect(await bot.stop()).toBe(0);
    }
  }, 60_000);
});
