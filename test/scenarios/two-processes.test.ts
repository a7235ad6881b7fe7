/** Two real bots with one Redis and one key between them. */
import { describe, expect, vi } from 'vitest';
import type { DataService } from '../../src/sandbox/service/data-service.ts';
import type { Bot } from '../support/bot.ts';
import { hasRedis } from '../support/requirements.ts';
import { questions } from '../support/sandbox.ts';
import { PASSWORD, test as shared } from '../support/shared-store.ts';

/** Both on the same local chat server. */
const test = shared.extend<{ bots: readonly [Bot, Bot] }>({
  bots: async ({ shared: { startBot } }, use) => {
    await use(await Promise.all([startBot(), startBot()]));
  },
});

const profiles = ({ requests }: DataService) => requests.filter(({ path }) => path.includes('profile'));

describe.runIf(hasRedis)('processes that share a store (needs redis-server)', () => {
  test('make one request of what is asked in all of them at once, and each question is answered once', async ({
    shared: { dataService, here, elsewhere },
    bots,
  }) => {
    const { there, bot } = await elsewhere();
    const [player = '', another = ''] = dataService.drivers;
    dataService.setFault('slow', true);
    const asked = Array.from({ length: 4 }, () => here.ask('profile', { player }));
    // Started at the same moment, both local chat servers would create the same ids, which cannot happen in
    // Discord.
    await new Promise((resolve) => setTimeout(resolve, 100));
    asked.push(...Array.from({ length: 4 }, () => there.ask('profile', { player })));
    const answers = await Promise.all(asked);
    dataService.setFault('slow', false);
    for (const { message } of answers) expect(message.embeds[0]?.author?.name).toBe(player);
    expect(profiles(dataService)).toHaveLength(1);
    // With two processes on one server, each command was answered by one.
    const served = () => bots.map(({ output }) => output.match(/"msg":"interaction"/g)?.length ?? 0);
    await vi.waitFor(() => expect(served().reduce((sum, each) => sum + each)).toBe(4));

    // What one has learned the others know.
    await there.ask('profile', { player: another });
    await here.ask('profile', { player: another });
    expect(profiles(dataService)).toHaveLength(2);
    for (const { output } of [...bots, bot]) expect(output).not.toContain('"bug"');
  }, 40_000);

  test('share what any of them has stored, and go on when one is killed', async ({
    shared: { dataService, here, elsewhere },
    bots,
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

  test('answer what they know while the store is away, send nothing, and go on by themselves', async ({
    shared: { dataService, redis, here, elsewhere },
    bots,
  }) => {
    const { bot, there } = await elsewhere();
    const [known = '', fresh = ''] = dataService.drivers;
    await here.ask('profile', { player: known });
    await there.ask('profile', { player: known });
    const before = questions(dataService).length;

    await redis.stop();
    // On a server with one process: with two, either may answer, each with its own memory.
    expect((await there.ask('profile', { player: known })).message.embeds[0]?.author?.name).toBe(known);
    expect((await there.ask('link', { player: known })).text).toMatch(/cannot reach my memory/);
    expect((await there.ask('profile', { player: fresh })).text).toMatch(/Try again/);
    expect(questions(dataService)).toHaveLength(before);

    await redis.start();
    const begun = performance.now();
    await vi.waitFor(
      async () => {
        const { message } = await there.ask('profile', { player: dataService.drivers[2] ?? '' });
        expect(message.embeds[0]?.title).toBe(dataService.drivers[2]);
      },
      { timeout: 5000 },
    );
    expect(performance.now() - begun).toBeLessThan(5000);

    const lines = (each: Bot, text: string) => each.output.split('\n').filter((line) => line.includes(text));
    for (const each of [...bots, bot]) {
      await vi.waitFor(() => expect(lines(each, 'Redis is back')).toHaveLength(1), 5000);
      expect(lines(each, 'Redis is unreachable')).toHaveLength(1);
      expect(each.output).not.toContain('"bug"');
      expect(each.output).not.toContain(PASSWORD);
      expect(each.output).not.toContain(encodeURIComponent(PASSWORD));
      expect(await each.stop()).toBe(0);
    }
  }, 60_000);
});
