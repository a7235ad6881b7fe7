import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type BoardSettings, newBoardOptions, newState } from '../../../src/board/board-records.ts';
import { unfenced } from '../../../src/shards/shard-leases.ts';
import { createSqliteBoardRecords } from '../../../src/store/sqlite/board-records.ts';
import { openDatabase } from '../../../src/store/sqlite/database.ts';

const settings: BoardSettings = {
  guildId: '1',
  channelId: '2',
  madeBy: '3',
  locale: 'en',
  madeAt: 1000,
  removed: false,
  options: newBoardOptions,
};

let folder = '';
let file = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pitwall-records-'));
  file = join(folder, 'store.sqlite');
});

afterEach(() => {
  for (const database of opened.splice(0)) database.close();
  rmSync(folder, { recursive: true, force: true });
});

const opened: { close(): void }[] = [];

function open(unreadable: (channelId: string) => void = () => {}) {
  const database = openDatabase(file, { durable: true });
  opened.push(database);
  return createSqliteBoardRecords(database, { unreadable });
}

describe('the records of boards', () => {
  test('new settings leave the state as it is, and a state leaves the settings', async () => {
    const records = open();
    await records.saveSettings(settings);
    await records.saveState('2', { ...newState, posted: '9' }, unfenced);
    await records.saveSettings({ ...settings, removed: true });
    expect(await records.all()).toEqual([
      { settings: { ...settings, removed: true }, state: { ...newState, posted: '9' } },
    ]);
  });

  test('a file from before there were versions has its boards, and a version that rises from then on', async () => {
    const records = open();
    await records.saveSettings(settings);
    const database = new DatabaseSync(file);
    for (const trigger of ['insert', 'delete', 'update']) database.exec(`DROP TRIGGER board_${trigger}`);
    database.exec('DROP TABLE board_version');
    database.close();
    const later = open();
    expect(await later.all()).toHaveLength(1);
    const before = await later.version();
    await later.saveSettings({ ...settings, removed: true });
    expect(await later.version()).toBeGreaterThan(before);
  });

  test('the state of a board that was removed meanwhile is not kept', async () => {
    const records = open();
    await records.saveSettings(settings);
    await records.remove('2', unfenced);
    await records.saveState('2', newState, unfenced);
    expect(await records.all()).toEqual([]);
  });

  test('a state that was written under its old names is read under the new ones', async () => {
    const records = open();
    await records.saveSettings(settings);
    // Neither had there been a line in a topic, nor a status.
    const { orphans: _, topic: __, voice: ___, ...rest } = newState;
    const paused = { why: 'rights' as const, missing: ['EmbedLinks'], since: 5 };
    const old = { ...rest, posted: '9', litter: ['7', '8'], paused: { ...paused, told: true } };
    const database = new DatabaseSync(file);
    database.prepare('UPDATE board SET state = ?').run(JSON.stringify(old));
    database.close();
    const state = { ...newState, posted: '9', orphans: ['7', '8'], paused: { ...paused, notified: true } };
    expect(await records.all()).toEqual([{ settings, state }]);
    await records.saveState('2', state, unfenced);
    expect(await records.all()).toEqual([{ settings, state }]);
  });

  test('a board from before there was a choice shows what it did, and one with an unreadable choice the same', async () => {
    const records = open();
    await records.saveSettings(settings);
    const database = new DatabaseSync(file);
    const write = (stored: object) =>
      database.prepare('UPDATE board SET settings = ?').run(JSON.stringify(stored));
    const { options, ...before } = settings;
    const earlier = { language: null, servers: null, members: 'on', names: 'on', topic: 'off', voice: null };
    write(before);
    expect(await records.all()).toEqual([{ settings: { ...before, options: earlier }, state: newState }]);
    write({ ...before, options: { ...options, members: 'some', servers: ['x'.repeat(41)] } });
    expect((await records.all())[0]?.settings.options).toEqual({ ...earlier, names: options.names });
    write({ ...before, options: { members: 'off', names: 'off' } });
    expect((await records.all())[0]?.settings.options).toEqual({ ...earlier, members: 'off', names: 'off' });
    database.close();
  });

  test('an unreadable state is a new one; unreadable settings are reported and left alone', async () => {
    const unreadable: string[] = [];
    const records = open((channelId) => unreadable.push(channelId));
    await records.saveSettings(settings);
    await records.saveSettings({ ...settings, channelId: '4' });
    const database = new DatabaseSync(file);
    database.exec(`UPDATE board SET state = '{"posted"' WHERE channel = '2'`);
    database.exec(`UPDATE board SET settings = '{}' WHERE channel = '4'`);
    expect(await records.all()).toEqual([{ settings, state: newState }]);
    expect(unreadable).toEqual(['4']);
    expect(database.prepare('SELECT count(*) AS n FROM board').get()?.['n']).toBe(2);
    database.close();
  });
});
