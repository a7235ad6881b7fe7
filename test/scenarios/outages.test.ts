/** An outage of the data service, over two real bots that share a PostgreSQL: one stops in the middle of it. */
import { describe, expect, vi } from 'vitest';
import { startDataService } from '../../src/sandbox/service/data-service.ts';
import { createBotWithin } from '../support/bot-within.ts';
import { startChatServer } from '../support/outside-judge.ts';
import { createDatabase } from '../support/postgres.ts';
import { hasPostgres } from '../support/requirements.ts';
import { boardChannel, guest, test } from '../support/sandbox.ts';

const SECOND = 1000;

describe.runIf(hasPostgres)('an outage of the data service (needs postgres)', () => {
  test('is one outage, although the process that has seen it begin does not see it end', async () => {
    await using open = new AsyncDisposableStack();
    const database = await createDatabase();
    open.defer(database.drop);
    let later = 0;
    const dataService = await startDataService({ now: () => Date.now() + later });
    open.defer(() => dataService.close());
    const chat = await startChatServer();
    open.defer(() => chat.close());
    const create = async () => {
      const settings = { STORE_URL: database.url };
      return open.use(await createBotWithin(chat, dataService, settings, { later: () => later }));
    };
    const visitor = guest(chat, chat.people[0] ?? '');
    const uptime = async () => (await visitor.ask('uptime', { server: 'service', span: 'week' })).text;
    /** Sets all clocks on by so much before each look. */
    const until = (by: number, isWanted: (text: string) => boolean) =>
      vi.waitFor(
        async () => {
          later += by;
          expect(await uptime()).toSatisfy(isWanted);
        },
        { timeout: 40_000, interval: 1500 },
      );
    const minutes = (text: string) => Number(/(\d+)\smin so far/.exec(text)?.[1] ?? Number.NaN);

    const [first, second] = [await create(), await create()];
    await first.start();
    const takingOver = second.start();
    await visitor.ask('board create', { channel: boardChannel(chat) });
    await until(20 * SECOND, (text) => text.includes('Up **100%**') && text.includes('No outages'));
    dataService.setFault('frozen-clock', true);
    await until(30 * SECOND, (text) => minutes(text) >= 0);
    await first.stop();
    await takingOver;
    const known = minutes(await uptime());
    await until(30 * SECOND, (text) => minutes(text) > known + 1);
    dataService.setFault('frozen-clock', false);
    await until(0, (text) => /Last outages\n[^\n]* · \d+\smin\n-# As of/.test(text));
    for (const { output } of [first, second]) expect(output).not.toContain('"bug"');
  }, 150_000);
});
