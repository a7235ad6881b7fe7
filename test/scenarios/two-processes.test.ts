/** Two real bots with one Redis and one key between them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChannelType } from 'discord-api-types/v10';
import { test as base, describe, expect, vi } from 'vitest';
import { type LocalChat, startChatServer } from '../../src/sandbox/chat/chat-server.ts';
import { type DataService, startDataService } from '../../src/sandbox/service/data-service.ts';
import { type Bot, createBot } from '../support/bot.ts';
import { readable } from '../support/readable.ts';
import { createRedis, hasRedis, type RedisServer, TestClient } from '../support/redis.ts';
import { type Guest, guest, questions } from '../support/sandbox.ts';

const PASSWORD = 'of the store %&';

interface Pair {
  readonly dataService: DataService;
  readonly redis: Pick<RedisServer, 'start' | 'stop'>;
  readonly chat: LocalChat;
  /** At the same chat server. */
  readonly bots: readonly [Bot, Bot];
  readonly here: Guest;
  /** A third bot, at another chat server, and the same person there. */
  elsewhere(): Promise<{ readonly bot: Bot; readonly there: Guest }>;
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
    const dataService = await startDataService({ slowness: 1000 });
    const chat = await startChatServer();
    const other = await startChatServer();
    const url = `redis://pitwall:${encodeURIComponent(PASSWORD)}@127.0.0.1:${redis.port}/1`;
    await using bots = new AsyncDisposableStack();
    const start = async (at: LocalChat) => bots.use(await startBot(at, dataService, url));
    const person = chat.people[0] ?? '';
    await use({
      dataService,
      redis,
      chat,
      bots: await Promise.all([start(chat), start(chat)]),
      here: guest(chat, person),
      elsewhere: async () => ({ bot: await start(other), there: guest(other, person) }),
    });
    await bots.disposeAsync();
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
    pair: { dataService, here, elsewhere, bots },
  }) => {
    const { there, bot } = await elsewhere();
    const [player = '', another = ''] = dataService.drivers;
    dataService.setFault('slow', true);
    const asked = Array.from({ length: 4 }, () => here.ask('profile', { player }));
    // At the same moment the ids of both chat servers would be the same, which happens nowhere else.
    await new Promise((resolve) => setTimeout(resolve, 100));
    asked.push(...Array.from({ length: 4 }, () => there.ask('profile', { player })));
    const answers = await Promise.all(asked);
    dataService.setFault('slow', false);
    for (const { message } of answers) expect(message.embeds[0]?.author?.name).toBe(player);
    expect(profiles(dataService)).toHaveLength(1);
    // Of the two at one chat each question was answered by one.
    const served = () => bots.map(({ output }) => output.match(/"msg":"answered"/g)?.length ?? 0);
    await vi.waitFor(() => expect(served().reduce((sum, each) => sum + each)).toBe(4));

    // What one has learned the others know.
    await there.ask('profile', { player: another });
    await here.ask('profile', { player: another });
    expect(profiles(dataService)).toHaveLength(2);
    for (const { output } of [...bots, bot]) expect(output).not.toContain('"a bug"');
  }, 40_000);

  test('know what was told to any of them, and go on when one is killed', async ({
    pair: { dataService, here, elsewhere, bots },
  }) => {
    const { there } = await elsewhere();
    const [driver = ''] = dataService.drivers;
    expect((await there.ask('link', { player: driver })).text).toContain(driver);
    expect((await here.ask('profile', {})).message.embeds[0]?.author?.name).toBe(driver);
    // Done twice, it would say that there was none.
    for (let round = 0; round < 5; round += 1) {
      expect((await here.ask('unlink', {})).text).toMatch(/is unlinked/);
      expect((await here.ask('link', { player: driver })).text).toContain(driver);
    }
    await bots[0].stop('SIGKILL');
    expect((await here.ask('profile', {})).message.embeds[0]?.author?.name).toBe(driver);
    expect((await here.ask('unlink', {})).text).toMatch(/is unlinked/);
    expect((await there.ask('profile', {})).text).toMatch(/\/link/);
    expect(profiles(dataService)).toHaveLength(1);
  }, 40_000);

  test('keep one board with one message, and when the one that keeps it dies the other goes on', async ({
    pair: { chat, here, bots },
  }) => {
    const channel = chat.channels.filter(({ type }) => type === ChannelType.GuildText).at(-1)?.id ?? '';
    const posted = () =>
      chat
        .visitor(here.id)
        .messages(channel)
        .filter(({ author }) => author.bot === true);
    const shown = () => posted().map(readable).join();
    expect((await here.ask('board create', { channel })).text).toMatch(/live board (?:is )?in/);
    await vi.waitFor(() => expect(shown()).toContain('🟢 live'), 20_000);
    const [board] = posted();
    expect(posted()).toHaveLength(1);

    // Two are started anew, one after the other, so that whoever kept it has died once.
    for (const bot of bots) {
      await bot.stop('SIGKILL');
      const edited = posted()[0]?.edited_timestamp;
      await vi.waitFor(() => expect(posted()[0]?.edited_timestamp).not.toBe(edited), 40_000);
      expect(posted().map(({ id }) => id)).toEqual([board?.id]);
      await bot.start();
      await vi.waitFor(() => expect(bot.output.match(/"msg":"ready"/g)).toHaveLength(2), 20_000);
    }
    expect((await here.ask('board remove', { channel })).text).toContain('is removed');
    await vi.waitFor(() => expect(posted()).toEqual([]), 10_000);
  }, 120_000);

  test('answer what they know while the store is away, send nothing, and go on by themselves', async ({
    pair: { dataService, redis, here, elsewhere, bots },
  }) => {
    const { bot, there } = await elsewhere();
    const [known = '', fresh = ''] = dataService.drivers;
    await here.ask('profile', { player: known });
    await there.ask('profile', { player: known });
    const before = questions(dataService).length;

    await redis.stop();
    // At a chat with one process: of two either may answer, and what it has in memory is its own.
    expect((await there.ask('profile', { player: known })).message.embeds[0]?.author?.name).toBe(known);
    expect((await there.ask('link', { player: known })).text).toMatch(/cannot reach my memory/);
    expect((await there.ask('profile', { player: fresh })).text).toMatch(/Try again/);
    expect(questions(dataService)).toHaveLength(before);

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

    const lines = (each: Bot, text: string) => each.output.split('\n').filter((line) => line.includes(text));
    for (const each of [...bots, bot]) {
      await vi.waitFor(() => expect(lines(each, 'Redis is back')).toHaveLength(1), 5000);
      expect(lines(each, 'Redis is out of reach')).toHaveLength(1);
      expect(each.output).not.toContain('"a bug"');
      expect(each.output).not.toContain(PASSWORD);
      expect(each.output).not.toContain(encodeURIComponent(PASSWORD));
      expect(await each.stop()).toBe(0);
    }
  }, 60_000);
});
