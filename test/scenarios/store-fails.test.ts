/** The SQLite file goes wrong while the bot runs: what is known is answered, and nothing is sent unrecorded. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import { MINUTE } from '../../src/base/duration.ts';
import { en } from '../../src/i18n/locales/en.ts';
import { createBot } from '../support/bot.ts';
import { createOperator } from '../support/operator.ts';
import { titledDriver } from '../support/readable.ts';
import { mayMount } from '../support/requirements.ts';
import { guest, questions, test } from '../support/sandbox.ts';
import { smallDisk } from '../support/small-disk.ts';

/** Every write fails, though no disk is full. */
function breakWrites(file: string): () => void {
  using database = new DatabaseSync(file);
  const tables = ['budget_permit', 'budget_state', 'documents', 'entries'];
  for (const table of tables)
    database.exec(
      `CREATE TRIGGER ${table}_full BEFORE INSERT ON ${table} BEGIN SELECT raise(FAIL, 'full'); END`,
    );
  return () => {
    using again = new DatabaseSync(file);
    for (const table of tables) again.exec(`DROP TRIGGER ${table}_full`);
  };
}

test.concurrent('blames an old answer on the store that records no requests, not on the service', async ({
  bot,
  dataService,
  visitor,
}) => {
  const [player = ''] = dataService.drivers;
  await visitor.ask('profile', { picture: false, player });
  await bot.stop();
  await bot.start(10 * MINUTE);
  breakWrites(join(bot.folder, 'store.sqlite'));
  // On a slow machine the first answer is over before the store has said no.
  await expect
    .poll(async () => (await visitor.ask('profile', { picture: false, player })).text)
    .toContain(en.stale['store-away']);
});

// By itself: it is about seconds.
test('while another program locks the file, all who ask are acknowledged in time', async ({
  bot,
  dataService,
  visitor,
}) => {
  const [player = ''] = dataService.drivers;
  await visitor.ask('profile', { picture: false, player });
  await visitor.ask('link', { player });
  using database = new DatabaseSync(join(bot.folder, 'store.sqlite'));
  database.exec('BEGIN EXCLUSIVE');
  const asked = Array.from({ length: 3 }, () => visitor.ask('link', { player }));
  // Discord waits for three seconds, and the chat server takes no answer after them.
  for (const { text } of await Promise.all(asked)) expect(text).toMatch(/can't reach my database/);
  database.exec('ROLLBACK');
});

test.concurrent('a store that fails later costs what it would have to record, and no more', async ({
  bot,
  dataService,
  visitor,
}) => {
  const [known = '', fresh = ''] = dataService.drivers;
  await visitor.ask('profile', { picture: false, player: known });
  const before = questions(dataService).length;

  const mend = breakWrites(join(bot.folder, 'store.sqlite'));

  const { message } = await visitor.ask('profile', { picture: false, player: known });
  expect(titledDriver(message)).toBe(known);
  expect((await visitor.ask('link', { player: known })).text).toMatch(/can't reach my database/);
  expect((await visitor.ask('profile', { picture: false, player: fresh })).text).toMatch(/Try again/);
  expect(questions(dataService)).toHaveLength(before);
  expect(bot.output.match(/"msg":"requests cannot be recorded/g)).toHaveLength(1);
  expect(bot.output).not.toContain('"bug"');

  mend();
  expect(titledDriver((await visitor.ask('profile', { picture: false, player: fresh })).message)).toBe(fresh);
  expect(questions(dataService)).toHaveLength(before + 1);
});

test.runIf(mayMount)(
  'tells of a full disk within 15 seconds, delays nobody, and ends in order',
  async ({ chat, dataService }) => {
    using disk = smallDisk(8);
    const settings = { STORE_URL: `sqlite://${join(disk.path, 'store.sqlite')}`, HTTP_PORT: '0' };
    await using bot = await createBot(chat, dataService, settings);
    await bot.start();
    const operator = createOperator(bot);
    const visitor = guest(chat, chat.people[0] ?? '');
    const [known = '', fresh = ''] = dataService.drivers;
    await visitor.ask('profile', { picture: false, player: known });
    await expect.poll(() => operator.status('/readyz')).toBe(200);

    const troubles = () => bot.output.split('\n').filter((line) => /"level":"(?:warn|error)"/.test(line));
    const before = troubles().length;
    disk.fill();
    const asked = questions(dataService).length;
    const says = async (command: string, player: string): Promise<string> => {
      const begun = performance.now();
      const asText = command === 'profile' ? { picture: false } : {};
      const { text } = await visitor.ask(command, { player, ...asText });
      expect(performance.now() - begun).toBeLessThan(3000);
      return text;
    };
    expect(await says('profile', known)).toContain(known);
    expect(await says('profile', fresh)).toMatch(/my database has no/);
    expect(await says('link', known)).toMatch(/my database has no/);
    expect(questions(dataService)).toHaveLength(asked);

    await expect.poll(() => bot.output).toContain('"msg":"nothing can be stored"');
    const full = 'the disk of the store is full';
    expect(await operator.status('/readyz')).toBe(503);
    expect((await operator.health('/readyz'))['store']).toMatchObject({
      ok: false,
      detail: expect.stringContaining(full),
    });
    expect(await operator.text('/metrics')).toContain('pitwall_store_usable{part="writes"} 0');
    expect((await visitor.ask('diagnose', {})).text).toMatch(/can't save anything/);

    // One line, and none of what fails by it. Before it, what failed first says so itself: a block of the disk may have room for
    // the check, and for no request.
    const lines = troubles()
      .slice(before)
      .filter((line) => !line.includes('slow answer'));
    const firstKnown = lines.findIndex((line) => line.includes('"msg":"nothing can be stored"'));
    expect(lines.slice(0, firstKnown).filter((line) => !line.includes(full))).toEqual([]);
    expect(lines.slice(firstKnown)).toHaveLength(1);

    const begun = performance.now();
    expect(await bot.stop()).toBe(0);
    expect(performance.now() - begun).toBeLessThan(8000);
    expect(bot.output).toContain('"msg":"stopped"');
    expect(bot.output).not.toContain('start failed');
  },
  60_000,
);
