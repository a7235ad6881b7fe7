import { expect, test } from 'vitest';
import { defaultSettings } from '../../src/people/guild-settings.ts';
import { openDatabase } from '../../src/store/sqlite/database.ts';
import { createSqliteGuildSettings, guildSettingsTable } from '../../src/store/sqlite/guild-settings.ts';

test.each([
  ['{"language":"xx","distances":"miles","colours":"no"}', { ...defaultSettings, distances: 'miles' }],
  ['{"refresh":7,"language":"pl","more":1}', { ...defaultSettings, language: 'pl' }],
  ['[]', defaultSettings],
  ['no JSON', defaultSettings],
])('%s: what cannot be read is the default', async (written, read) => {
  using database = openDatabase(':memory:', { durable: false });
  database.exec(guildSettingsTable);
  database.prepare('INSERT INTO guild_settings VALUES (?, ?)').run('1', written);
  expect(await createSqliteGuildSettings(database).of('1')).toEqual(read);
});
