/** The SQLite file goes wrong while the bot runs: what is known is answered, and nothing is sent unrecorded. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import { titledDriver } from '../support/readable.ts';
import { questions, test } from '../support/sandbox.ts';

test('a store that fails later costs what it would have to record, and no more', async ({
  bot,
  dataService,
  visitor,
}) => {
  const [known = '', fresh = ''] = dataService.drivers;
  await visitor.ask('profile', { player: known });
  const before = questions(dataService).length;

  // A disk that takes nothing more cannot be had in a test; every write fails this way, too.
  using database = new DatabaseSync(join(bot.folder, 'store.sqlite'));
  for (const table of ['budget_permit', 'budget_state', 'documents', 'entries'])
    database.exec(
      `CREATE TRIGGER ${table}_full BEFORE INSERT ON ${table} BEGIN SELECT raise(FAIL, 'full'); END`,
    );

  const { message } = await visitor.ask('profile', { player: known });
  expect(titledDriver(message)).toBe(known);
  expect((await visitor.ask('link', { player: known })).text).toMatch(/cannot reach my database/);
  expect((await visitor.ask('profile', { player: fresh })).text).toMatch(/Try again/);
  expect(questions(dataService)).toHaveLength(before);
  expect(bot.output.match(/"msg":"request ledger"/g)).toHaveLength(1);
  expect(bot.output).not.toContain('"bug"');

  for (const table of ['budget_permit', 'budget_state', 'documents', 'entries'])
    database.exec(`DROP TRIGGER ${table}_full`);
  expect(titledDriver((await visitor.ask('profile', { player: fresh })).message)).toBe(fresh);
  expect(questions(dataService)).toHaveLength(before + 1);
}, 40_000);
