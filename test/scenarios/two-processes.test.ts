/** Two real bots with one PostgreSQL and one key between them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, vi } from 'vitest';
import type { DataService } from '../../src/sandbox/service/data-service.ts';
import type { Bot } from '../support/bot.ts';
import { titledDriver } from '../support/readable.ts';
import { hasPostgres } from '../support/requirements.ts';
import { questions } from '../support/sandbox.ts';
import { openSharedStore, PASSWORD, type SharedStore, test } from '../support/shared-store.ts';

const answers = ({ output }: Bot): number => output.match(/"msg":"interaction"/g)?.length ?? 0;

const profiles = ({ requests }: DataService) => requests.filter(({ path }) => path.includes('profile'));

describe.runIf(hasPostgres)('processes that share a store (needs postgres)', () => {
  describe('each with one of the two shards', () => {
    let shared: SharedStore & AsyncDisposable;
    let bots: readonly Bot[];
    beforeAll(async () => {
      shared = await openSharedStore();
      bots = await Promise.all([shared.startBot('0/2'), shared.startBot('1/2')]);
    });
    afterAll(() => shared[Symbol.asyncDispose]());

    test('make one request each if asked at once, and answer each question once', async () => {
      const { dataService, postgres, here, there } = shared;
      const [player = '', another = ''] = dataService.drivers;
      dataService.setFault('slow', true);
      const asking = [here, there].flatMap((guest) =>
        Array.from({ length: 4 }, () => guest.ask('profile', { picture: false, player })),
      );
      for (const { message } of await Promise.all(asking)) expect(titledDriver(message)).toBe(player);
      dataService.setFault('slow', false);
      expect(profiles(dataService)).toHaveLength(2);
      await vi.waitFor(() => expect(bots.map(answers)).toEqual([4, 4]), 20_000);

      // What one has learned the others know.
      await there.ask('profile', { picture: false, player: another });
      // Nobody waits for the write.
      const isStored = 'SELECT 1 FROM pitwall.entries WHERE strpos(value, $1) > 0';
      await expect.poll(() => postgres.query(isStored, [another])).not.toEqual([]);
      await here.ask('profile', { picture: false, player: another });
      expect(profiles(dataService)).toHaveLength(3);
      for (const { output } of bots) expect(output).not.toContain('"bug"');
    });

    test('ask the store nothing for a command whose answer they have', async () => {
      const { dataService, postgres, here } = shared;
      const player = dataService.drivers[2] ?? '';
      const log = join(postgres.folder, 'log');
      const logStatements = async (which: string): Promise<void> => {
        await postgres.query(`ALTER SYSTEM SET log_statement TO '${which}'`);
        await postgres.query('SELECT pg_reload_conf()');
      };
      await logStatements('all');
      const asked = async (): Promise<readonly string[]> => {
        const before = readFileSync(log, 'utf8').length;
        await here.ask('profile', { picture: false, player });
        const parameters =
          readFileSync(log, 'utf8')
            .slice(before)
            .match(/parameters: .*/g) ?? [];
        return parameters.filter((line) => /'(answers|asking|people|guild\S*|pause\S*)'/.test(line));
      };
      expect(await asked()).not.toEqual([]);
      // What is stored after an answer may come with the next one.
      await vi.waitFor(async () => expect(await asked()).toEqual([]), { timeout: 20_000 });
      await logStatements('none');
    });

    test('prove a driver once, whoever reads the name, and hide it within five seconds', async () => {
      const { chat, dataService, here, there } = shared;
      const driver = dataService.drivers[4] ?? '';
      dataService.setFault('later-generation', true);
      const proved: string[] = [];
      const stop = chat.subscribe((event) => {
        if (event.type === 'payload' && /✅ Verified/.test(JSON.stringify(event.body)))
          proved.push(event.path);
      });
      const linked = await here.ask('link', { player: driver });
      const { message } = await here.press(linked.message, 'Verify');
      dataService.driveAs(driver, `^1${/pw-\w{4}/.exec(message.content)?.[0]}`);
      await vi.waitFor(() => expect(proved).toHaveLength(1), 20_000);
      expect((await there.ask('link', { player: driver })).text).toMatch(/✅ \(verified\)/);
      // To another person, and for a part of the name: one's own driver and the typed text are offered anyway.
      const typed = [{ name: 'player', value: driver.slice(0, -1) }];
      const other = chat.visitor(chat.people[3] ?? '');
      const suggested = async () =>
        (await other.complete(there.channelId, 'profile', typed, 'player')).map(({ value }) => value);
      await vi.waitFor(async () => expect(await suggested()).toContain(driver), 20_000);
      await here.press((await here.ask('privacy', {})).message, 'Hide me');
      const hidden = performance.now();
      await vi.waitFor(async () => expect(await suggested()).not.toContain(driver), 20_000);
      expect(performance.now() - hidden).toBeLessThan(7000);
      expect((await here.ask('unlink', {})).text).toMatch(/is unlinked/);
      dataService.setFault('later-generation', false);
      stop();
      expect(proved).toHaveLength(1);
    });

    test('answer what they know while the store is away, send nothing, and recover', async () => {
      const { dataService, postgres, here, there } = shared;
      const [known = '', , later = '', fresh = ''] = dataService.drivers;
      await here.ask('profile', { picture: false, player: known });
      await there.ask('profile', { picture: false, player: known });
      const before = questions(dataService).length;
      const begins = bots.map(({ output }) => output.length);

      await postgres.stop();
      expect(titledDriver((await there.ask('profile', { picture: false, player: known })).message)).toBe(
        known,
      );
      expect((await there.ask('link', { player: known })).text).toMatch(/can't reach my database/);
      expect((await there.ask('profile', { picture: false, player: fresh })).text).toMatch(/Try again/);
      expect(questions(dataService)).toHaveLength(before);

      await postgres.start();
      await vi.waitFor(
        async () => {
          const { message } = await there.ask('profile', { picture: false, player: later });
          expect(titledDriver(message)).toBe(later);
        },
        { timeout: 20_000 },
      );

      for (const [index, each] of bots.entries()) {
        const lines = (text: string) =>
          each.output
            .slice(begins[index])
            .split('\n')
            .filter((line) => line.includes(text));
        await vi.waitFor(() => expect(lines('can be stored again')).toHaveLength(1), 20_000);
        expect(lines('nothing can be stored')).toHaveLength(1);
        const words = ['"level":"warn"', '"level":"error"'].flatMap(lines);
        // The service was slow on purpose, and a crowded machine is.
        expect(words.filter((line) => !line.includes('slow answer'))).toEqual(lines('nothing can be stored'));
        expect(each.output).not.toContain(PASSWORD);
        expect(each.output).not.toContain(encodeURIComponent(PASSWORD));
      }
    }, 60_000);

    test('end where a newer version has taken the store meanwhile, and say so', async () => {
      await shared.postgres.query('UPDATE pitwall.store SET format = 99');
      await shared.postgres.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      );
      for (const each of bots) {
        await vi.waitFor(
          () => expect(each.output).toContain('a newer version of Pitwall wrote this'),
          30_000,
        );
        await vi.waitFor(async () => expect(await each.stop()).toBe(78), 30_000);
      }
    }, 60_000);
  });

  test('leave one at work, whose answers and links the other one has when it takes over', async ({
    shared: { chat, dataService, here, there, startBot },
  }) => {
    const active = await startBot();
    const standby = await startBot('auto', 'standby');
    const [driver = ''] = dataService.drivers;
    expect((await there.ask('link', { player: driver })).text).toContain(driver);
    expect(titledDriver((await here.ask('profile', { picture: false })).message)).toBe(driver);
    await vi.waitFor(() => expect(answers(active)).toBe(2), 5000);
    expect([answers(standby), chat.sessions.length]).toEqual([0, 2]);
    await active.stop('SIGKILL');
    await vi.waitFor(() => expect(standby.output).toContain('"msg":"ready"'), 30_000);
    await vi.waitFor(() => expect(chat.sessions).toHaveLength(2), 10_000);
    expect(titledDriver((await here.ask('profile', { picture: false })).message)).toBe(driver);
    expect((await there.ask('unlink', {})).text).toMatch(/is unlinked/);
    expect(profiles(dataService)).toHaveLength(1);
  }, 90_000);

  test('pass the shards on at a stop, and end where another range is named', async ({
    shared: { chat, here, startBot },
  }) => {
    const active = await startBot();
    const standby = await startBot('auto', 'standby');
    const other = await startBot('0/2', 'refused');
    expect(other.output).toMatch(/SHARDS: another process, on \S+, has the shards auto/);
    expect(await other.stop()).toBe(78);
    const begun = performance.now();
    expect(await active.stop()).toBe(0);
    await vi.waitFor(() => expect(standby.output).toContain('"msg":"ready"'), 10_000);
    expect(performance.now() - begun).toBeLessThan(8000);
    await vi.waitFor(() => expect(chat.sessions).toHaveLength(2), 10_000);
    expect((await here.ask('budget', {})).text).not.toBe('');
  }, 90_000);
});
