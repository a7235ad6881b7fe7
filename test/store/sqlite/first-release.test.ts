/** A file that version 1.0.0 wrote, packed beside this test: today's version reads all of it. Features try their own part. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import { collections } from '../../../src/bot/collections.ts';
import { findUndeclared } from '../../../src/store/forget.ts';
import { openFirst, readFirstFile, test } from './support.ts';

const NOON = Date.UTC(2026, 2, 5, 12);
const ANNA = '281474976710657001';
const BORIS = '281474976710657002';

test('each document of version 1.0.0 can be read, and none is of an unknown collection', async ({
  place,
}) => {
  const { documents } = await openFirst(place);
  let count = 0;
  for (const { name, parse } of collections)
    for (const [key, text] of await documents.all(name)) {
      expect(parse(text), `${name} ${key}`).not.toBeNull();
      count += 1;
    }
  expect(count).toBeGreaterThan(14);
  expect(await findUndeclared(documents, collections)).toEqual([]);
});

test('keeps links, boards, settings and answers of version 1.0.0', async ({ place }) => {
  const stores = await openFirst(place);
  const correction = { guild: 'g', username: 'zoe', since: NOON };
  expect(await stores.stored(ANNA)).toMatchObject({
    link: { username: 'k3nny', since: NOON, by: 'self', unwatched: true, proved: null },
    proof: { latest: { username: 'k3nny', code: 'pw-xmeh', until: NOON + 600_000 } },
    corrections: [correction],
    timeZone: 'Europe/Berlin',
    boards: [{ guild: '1', channel: '7', since: NOON }],
  });
  expect(await stores.guildSettings.of('1')).toMatchObject({ language: 'fr', colours: false });
  expect((await stores.boards.all()).get('8')).toMatchObject({ madeBy: BORIS, locale: 'de' });
  const answers = stores.namespace('answers', { maxRows: 500, maxBytes: 10_000_000 });
  expect(await answers.get('a')).toEqual({ b: 1 });
});

test('a person in a file of version 1.0.0 is forgotten to the last byte', async ({ place }) => {
  const stores = await openFirst(place);
  await stores.copies?.make(NOON);
  const firstCopy = join(place.folder, 'store.2026-03-04.sqlite');
  writeFileSync(firstCopy, readFirstFile());
  expect(place.holding(ANNA).length).toBeGreaterThan(2);
  expect(await stores.forgetNow(ANNA)).toEqual([]);
  expect(place.holding(ANNA)).toEqual([]);
  expect(await stores.links.of(BORIS)).toMatchObject({ username: 'b0ris' });
  // Its own version can still restore the copy.
  using copy = new DatabaseSync(firstCopy);
  expect(copy.prepare('PRAGMA user_version').get()).toEqual({ user_version: 1 });
  expect(copy.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'named'").get()).toBeUndefined();
});

test('a start indexes documents of an earlier version, even after one that was killed', async ({ place }) => {
  const killed = await openFirst(place);
  const all = await killed.documents.naming(ANNA);
  expect(all.length).toBeGreaterThan(10);
  expect(all.length).toBe(place.ask(`SELECT count(*) FROM documents WHERE key || text LIKE '%${ANNA}%'`));
  await killed.close();
  place.sql("DELETE FROM named WHERE person = '' OR collection > 'p'");
  const { documents } = await place.open();
  expect(await documents.naming(ANNA)).toEqual(all);
});
