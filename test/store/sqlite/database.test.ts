import { expect } from 'vitest';
import { StoreError } from '../../../src/base/errors.ts';
import { openDatabase } from '../../../src/store/sqlite/database.ts';
import { test } from './support.ts';

test('a full disk is reported as what it is, and nothing is half written', async ({ place }) => {
  await (await place.open()).close();
  using database = openDatabase(place.file, { durable: true });
  const insert = database.prepare(`INSERT INTO entries (namespace, key, value) VALUES ('a', ?, ?)`);
  // As a disk does that takes no page more.
  const pages = Number(database.prepare('PRAGMA page_count').get()?.['page_count']);
  database.exec(`PRAGMA max_page_count = ${pages + 2}`);
  const write = () =>
    database.transaction(() => {
      insert.run('small', 'x');
      insert.run('large', 'x'.repeat(100_000));
    });
  expect(write).toThrow(expect.objectContaining({ name: 'StoreError', trouble: 'full' }));
  expect(place.ask('SELECT count(*) FROM entries')).toBe(0);
  insert.run('small', 'x');
  expect(place.ask('SELECT count(*) FROM entries')).toBe(1);
});

test('any other failure of SQLite is a store that is away; a mistake of ours is none', async ({ place }) => {
  await (await place.open()).close();
  const database = openDatabase(place.file, { durable: true });
  expect(() => database.exec('SELECT * FROM nothing')).toThrow(
    expect.objectContaining({ name: 'StoreError', trouble: 'away' }),
  );
  database.close();
  const closed = expect(() => database.exec('SELECT 1'));
  closed.toThrow();
  closed.not.toThrow(StoreError);
});
