/**
 * A process at work and a standby, as real processes over one PostgreSQL, while people ask all the time: how many are not
 * answered, and for how long, is printed.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, vi } from 'vitest';
import type { Bot } from '../../support/bot.ts';
import { startProxy } from '../../support/postgres-proxy.ts';
import { button } from '../../support/readable.ts';
import { hasPostgres } from '../../support/requirements.ts';
import { boardChannel, postedIn } from '../../support/sandbox.ts';
import { type SharedStore, test } from '../../support/shared-store.ts';

/** Between two questions, in ms. */
const EVERY_MS = 200;

interface Question {
  readonly at: number;
  readonly isAnswered: Promise<boolean>;
  readonly text: Promise<string>;
}

/**
 * People ask five times a second, until the returned function is called: it resolves with what was not answered, and no
 * question was answered twice or with a fault.
 */
function askAllTheTime({ chat, here }: SharedStore) {
  const questions: Question[] = [];
  const visitor = chat.visitor(here.id);
  const asking = setInterval(() => {
    const outcome = visitor.invoke(here.channelId, 'servers', []);
    questions.push({
      at: performance.now(),
      isAnswered: outcome.then(({ acknowledged }) => acknowledged !== 'failed'),
      text: outcome.then(({ message }) => message?.content ?? ''),
    });
  }, EVERY_MS);
  return async (what: string): Promise<number> => {
    clearInterval(asking);
    const failed: number[] = [];
    for (const { at, isAnswered } of questions) if (!(await isAnswered)) failed.push(at);
    const seconds = failed.length === 0 ? 0 : ((failed.at(-1) ?? 0) - (failed[0] ?? 0) + EVERY_MS) / 1000;
    process.stdout.write(
      `${what}: ${failed.length} of ${questions.length} not answered, within ${seconds.toFixed(1)} s\n`,
    );
    const texts = await Promise.all(questions.map(({ text }) => text));
    expect(texts.filter((text) => /database/.test(text))).toEqual([]);
    return seconds;
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

/** Requests of a process with which it changes something. */
const changesBy = ({ chat }: SharedStore, name: string, since: number) =>
  chat.requests
    .slice(since)
    .filter(({ copy, method }) => copy === name && method !== 'GET')
    .map(({ method, path }) => `${method} ${path}`);

// One after the other, since each is about how soon; beside them those that mostly wait.
describe.runIf(hasPostgres).concurrent('a process and its standby (needs postgres)', () => {
  describe('while people ask all the time', () => {
    test('a standby follows each process that is killed, and one that stops', {
      concurrent: false,
      timeout: 180_000,
    }, async ({ shared }) => {
      let active = await shared.startBot('auto', 'active', 'p0');
      await connected(shared);
      const posted = await withBoard(shared);
      const notices: string[] = [];
      shared.chat.subscribe((event) => {
        if (event.type === 'message' && /paused/i.test(JSON.stringify(event.message.embeds)))
          notices.push(event.message.id);
      });
      for (const [index, signal] of (['SIGKILL', 'SIGKILL', 'SIGKILL', 'SIGTERM'] as const).entries()) {
        const standby = await shared.startBot('auto', 'standby', `p${index + 1}`);
        const end = askAllTheTime(shared);
        await pause(1000);
        await active.stop(signal);
        await ready(standby);
        await connected(shared);
        await pause(1000);
        expect(await end(signal)).toBeLessThan(8);
        active = standby;
      }
      expect([posted().length, notices]).toEqual([1, []]);
      // Without a standby, the board says that it is paused.
      await active.stop();
      expect(JSON.stringify(posted()[0]?.embeds)).toMatch(/paused/i);
    });

    for (const how of ['swallow', 'refuse'] as const)
      test(`one that is cut off from the database (${how}) is followed, and says no fault`, {
        concurrent: false,
        timeout: 120_000,
      }, async ({ shared }) => {
        await using proxy = await startProxy(shared.postgres);
        const cut = await shared.startBot('auto', 'active', 'cut', proxy.place);
        await connected(shared);
        const posted = await withBoard(shared);
        const standby = await shared.startBot('auto', 'standby', 'other');
        const end = askAllTheTime(shared);
        await pause(1000);
        proxy[how]();
        await ready(standby);
        const since = shared.chat.requests.length;
        shared.dataService.advance(600);
        await pause(6000);
        expect(await end(how)).toBeLessThan(8);
        // Of its own accord it sends nothing; it ends answers that it has begun, and Discord refuses its second ones.
        const own = changesBy(shared, 'cut', since).filter(
          (request) => !/\/callback$| \/webhooks\//.test(request),
        );
        expect([own, posted().length]).toEqual([[], 1]);
        expect(cut.output).not.toMatch(/"level":"warn".*another process with this token/);
      });
  });

  test('a process that stands still for 30 s answers and edits nothing when it goes on', async ({
    shared,
  }) => {
    const { chat, here, dataService } = shared;
    const active = await shared.startBot('auto', 'active', 'still');
    await connected(shared);
    const posted = await withBoard(shared);
    const { message } = await here.ask('profile', { picture: false, player: dataService.drivers[0] ?? '' });
    const standby = await shared.startBot('auto', 'standby', 'other');
    active.signal('SIGSTOP');
    const begun = performance.now();
    await ready(standby);
    process.stdout.write(`SIGSTOP: taken over after ${Math.round(performance.now() - begun)} ms\n`);
    expect(performance.now() - begun).toBeLessThan(20_000);
    await vi.waitFor(() => expect(chat.sessions.some(({ copy }) => copy === 'other')).toBe(true), 20_000);
    await pause(Math.max(0, 27_000 - (performance.now() - begun)));
    const visitor = chat.visitor(here.id);
    const presses = Array.from({ length: 20 }, async (_, index) => {
      await pause(index * 150);
      return visitor.press(message.id, button(message, 'Refresh'));
    });
    await pause(Math.max(0, 30_000 - (performance.now() - begun)));
    const [since, outputBefore] = [chat.requests.length, active.output.length];
    active.signal('SIGCONT');
    const outcomes = await Promise.all(presses);
    await vi.waitFor(() => expect(times(active, '"msg":"stands by')).toBe(1), { timeout: 20_000 });
    dataService.advance(600);
    await pause(6000);
    const answered = outcomes.filter(({ acknowledged }) => acknowledged !== 'failed').length;
    expect([changesBy(shared, 'still', since), answered, posted().length]).toEqual([[], 20, 1]);
    expect(chat.sessions.every(({ copy }) => copy === 'other')).toBe(true);
    expect(active.output).not.toContain('"bug"');
    // Not of the database, which was there all the time.
    const [firstWord] = active.output.slice(outputBefore).match(/.*"level":"(?:warn|error)".*/g) ?? [];
    expect(firstWord).toContain('"msg":"the process did not run for a while"');
  }, 150_000);

  for (const signal of ['SIGINT', 'SIGQUIT'] as const)
    test(`half a minute without PostgreSQL, after ${signal}, leaves the process at work`, async ({
      shared,
    }) => {
      const { chat, dataService, postgres, here } = shared;
      const active = await shared.startBot();
      const standby = await shared.startBot('auto', 'standby');
      await connected(shared);
      const [known = '', fresh = ''] = dataService.drivers;
      await here.ask('profile', { picture: false, player: known });
      await postgres.stop(signal);
      await pause(30_000);
      expect((await here.ask('profile', { picture: false, player: known })).text).toContain(known);
      await postgres.start();
      await vi.waitFor(
        async () =>
          expect((await here.ask('profile', { picture: false, player: fresh })).text).toContain(fresh),
        { timeout: 15_000 },
      );
      // By then the standby has looked.
      await pause(10_000);
      expect([chat.identifies.length, times(standby, '"msg":"ready"')]).toEqual([2, 0]);
      const visible = await here.ask('link', { player: known });
      expect(visible.text).toContain(known);
      await vi.waitFor(
        () => expect(times(active, '"msg":"what is new can be stored again"')).toBe(1),
        20_000,
      );
    }, 150_000);
});
