/**
 * A process at work and a standby, as real processes over one PostgreSQL, while people ask all the time: how many are not
 * answered, and for how long, is printed.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, vi } from 'vitest';
import type { Bot } from '../../support/bot.ts';
import { button } from '../../support/readable.ts';
import { hasPostgres } from '../../support/requirements.ts';
import { boardChannel, postedIn } from '../../support/sandbox.ts';
import { type SharedStore, test } from '../../support/shared-store.ts';

/** Between two questions, in ms. */
const EVERY_MS = 100;

interface Question {
  readonly at: number;
  readonly isAnswered: Promise<boolean>;
}

/**
 * People ask ten times a second, until the returned function is called: it resolves with what was not answered, and no two
 * processes answered one question.
 */
function askAllTheTime({ chat, here }: SharedStore) {
  const questions: Question[] = [];
  const visitor = chat.visitor(here.id);
  const asking = setInterval(() => {
    const isAnswered = visitor
      .invoke(here.channelId, 'servers', [])
      .then(({ acknowledged }) => acknowledged !== 'failed');
    questions.push({ at: performance.now(), isAnswered });
  }, EVERY_MS);
  return async (what: string) => {
    clearInterval(asking);
    const failed: number[] = [];
    for (const { at, isAnswered } of questions) if (!(await isAnswered)) failed.push(at);
    const seconds = failed.length === 0 ? 0 : ((failed.at(-1) ?? 0) - (failed[0] ?? 0) + EVERY_MS) / 1000;
    process.stdout.write(
      `${what}: ${failed.length} of ${questions.length} not answered, within ${seconds.toFixed(1)} s\n`,
    );
    const callbacks = chat.requests.filter(({ path }) => path.endsWith('/callback'));
    const byQuestion = [...Map.groupBy(callbacks, ({ path }) => path).values()];
    const copies = byQuestion.map((own) => [...new Set(own.map(({ copy }) => copy))]);
    expect(copies.filter(({ length }) => length > 1)).toEqual([]);
    expect(new Set(copies.flat()).size).toBeGreaterThan(1);
    return { failed: failed.length, seconds };
  };
}

const times = ({ output }: Bot, text: string): number => output.split(text).length - 1;
const ready = (bot: Bot, count = 1) =>
  vi.waitFor(() => expect(times(bot, '"msg":"ready"')).toBe(count), { timeout: 40_000 });

/** All sessions of the bot's two shards are those of one process. */
const connected = ({ chat }: SharedStore) =>
  vi.waitFor(() => expect(chat.sessions).toHaveLength(2), { timeout: 20_000 });

/** A board that shows the servers. */
async function withBoard({ chat, here }: SharedStore) {
  const channel = boardChannel(chat);
  await here.ask('board create', { channel });
  const posted = () => postedIn(chat, channel);
  await vi.waitFor(() => expect(posted()).toHaveLength(1), { timeout: 20_000 });
  return posted;
}

describe.runIf(hasPostgres)('while people ask all the time (needs postgres)', () => {
  test('a standby follows a process that stops, and its board stays as it is', async ({ shared }) => {
    const active = await shared.startBot('auto', 'active', 'first');
    const standby = await shared.startBot('auto', 'standby', 'second');
    await connected(shared);
    const posted = await withBoard(shared);
    const notices: string[] = [];
    shared.chat.subscribe((event) => {
      if (event.type === 'message' && /paused/i.test(JSON.stringify(event.message.embeds)))
        notices.push(event.message.id);
    });
    const end = askAllTheTime(shared);
    await pause(1000);
    expect(await active.stop()).toBe(0);
    await ready(standby);
    await connected(shared);
    await pause(1000);
    expect((await end('stop')).seconds).toBeLessThan(8);
    expect([posted().length, notices]).toEqual([1, []]);
  }, 90_000);

  test('a standby follows a process that is killed', async ({ shared }) => {
    const active = await shared.startBot('auto', 'active', 'first');
    const standby = await shared.startBot('auto', 'standby', 'second');
    await connected(shared);
    const posted = await withBoard(shared);
    const end = askAllTheTime(shared);
    await pause(1000);
    await active.stop('SIGKILL');
    await ready(standby);
    await connected(shared);
    await pause(1000);
    expect((await end('kill -9')).seconds).toBeLessThan(26);
    expect(posted()).toHaveLength(1);
  }, 120_000);

  test('an update replaces one process after the other', async ({ shared }) => {
    const old = [
      await shared.startBot('auto', 'active', 'old-1'),
      await shared.startBot('auto', 'standby', 'old-2'),
    ];
    await connected(shared);
    const posted = await withBoard(shared);
    const end = askAllTheTime(shared);
    const updated: Bot[] = [];
    for (const [index, each] of old.entries()) {
      await pause(1000);
      updated.push(await shared.startBot('auto', 'standby', `new-${index}`));
      await each.stop();
      await vi.waitFor(() => expect(shared.chat.sessions).toHaveLength(2), { timeout: 20_000 });
    }
    await pause(1000);
    await end('rolling update');
    expect(posted()).toHaveLength(1);
    expect(updated.reduce((sum, bot) => sum + times(bot, '"msg":"ready"'), 0)).toBe(1);
  }, 120_000);

  test('a process without a standby says on its board that it is paused', async ({ shared }) => {
    const active = await shared.startBot();
    await connected(shared);
    const posted = await withBoard(shared);
    await vi.waitFor(() => expect(JSON.stringify(posted()[0])).toMatch(/live/), { timeout: 20_000 });
    await active.stop();
    expect(JSON.stringify(posted()[0]?.embeds)).toMatch(/paused/i);
  }, 60_000);
});

// Mostly waiting, each over a database of its own.
describe.runIf(hasPostgres)(
  'a process that stands still for a minute (needs postgres)',
  { concurrent: true },
  () => {
    test('answers none of the presses in its socket when it goes on, and edits no board', async ({
      shared,
    }) => {
      const { chat, here, dataService } = shared;
      const active = await shared.startBot('auto', 'active', 'still');
      await connected(shared);
      const posted = await withBoard(shared);
      const { message } = await here.ask('profile', { player: dataService.drivers[0] ?? '' });
      const standby = await shared.startBot('auto', 'standby', 'other');

      active.signal('SIGSTOP');
      const begun = performance.now();
      await ready(standby);
      // The other process has the claim by now, and both have a session of each shard.
      await vi.waitFor(() => expect(chat.sessions.some(({ copy }) => copy === 'other')).toBe(true), 20_000);
      await pause(Math.max(0, 45_000 - (performance.now() - begun)));
      const visitor = chat.visitor(here.id);
      const presses = Array.from({ length: 20 }, async () => {
        await pause(Math.random() * 14_000);
        return visitor.press(message.id, button(message, 'Refresh'));
      });
      await pause(Math.max(0, 60_000 - (performance.now() - begun)));
      const before = chat.requests.length;
      const outputBefore = active.output.length;
      active.signal('SIGCONT');
      const outcomes = await Promise.all(presses);
      await vi.waitFor(() => expect(times(active, '"msg":"stands by')).toBe(1), { timeout: 20_000 });
      dataService.advance(600);
      await pause(6000);

      const own = chat.requests
        .slice(before)
        .filter(({ copy, method }) => copy === 'still' && method !== 'GET');
      expect(own.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
      const reached = chat.deliveries.filter(({ session }) => session.copy === 'still').length;
      const answered = outcomes.filter(({ acknowledged }) => acknowledged !== 'failed').length;
      process.stdout.write(
        `SIGSTOP: ${reached} deliveries to the process that stood still, ${answered} of 20 presses answered, ${own.length} requests by it afterwards\n`,
      );
      expect([answered, posted().length]).toEqual([20, 1]);
      expect(chat.sessions.every(({ copy }) => copy === 'other')).toBe(true);
      expect(active.output).not.toContain('"bug"');
      // Not of the database, which was there all the time.
      const [firstWord] = active.output.slice(outputBefore).match(/.*"level":"(?:warn|error)".*/g) ?? [];
      expect(firstWord).toContain('"msg":"the process did not run for a while"');
    }, 150_000);
  },
);

describe.runIf(hasPostgres)(
  'a PostgreSQL that is away for half a minute (needs postgres)',
  { concurrent: true },
  () => {
    for (const signal of ['SIGINT', 'SIGQUIT'] as const)
      test(`after ${signal} leaves the process at work`, async ({ shared }) => {
        const { chat, dataService, postgres, here } = shared;
        const active = await shared.startBot();
        const standby = await shared.startBot('auto', 'standby');
        await connected(shared);
        const [known = '', fresh = ''] = dataService.drivers;
        await here.ask('profile', { player: known });
        await postgres.stop(signal);
        await pause(30_000);
        expect((await here.ask('profile', { player: known })).text).toContain(known);
        await postgres.start();
        await vi.waitFor(
          async () => expect((await here.ask('profile', { player: fresh })).text).toContain(fresh),
          { timeout: 15_000 },
        );
        await pause(20_000);
        expect([chat.identifies.length, times(standby, '"msg":"ready"')]).toEqual([2, 0]);
        const visible = await here.ask('link', { player: known });
        expect(visible.text).toContain(known);
        expect([...active.output.matchAll(/"msg":"what is new can be stored again"/g)]).toHaveLength(1);
      }, 150_000);
  },
);
