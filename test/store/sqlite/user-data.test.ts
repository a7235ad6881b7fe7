import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import { newBoardOptions, newBoardState } from '../../../src/cards/board/board.ts';
import { noStoredData } from '../../support/stored-data.ts';
import { markHistory } from '../support.ts';
import { test } from './support.ts';

const DAY = 24 * 3600_000;
const NOON = Date.UTC(2026, 2, 5, 12);
const ANNA = '281474976710657001';
const BORIS = '281474976710657002';

const link = (username: string) => ({ username, since: NOON });
const own = (username: string) =>
  ({ username, since: NOON, by: 'self', hidden: false, unwatched: false, proved: null }) as const;
const board = (channelId: string, madeBy: string) => ({
  guildId: '1',
  channelId,
  madeBy,
  locale: 'de',
  colours: true,
  madeAt: NOON,
  removed: false,
  options: newBoardOptions,
});

const holding = (folder: string, text: string) =>
  readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(text));

/** The tables of a rewrite that has begun. */
function tablesIn(file: string): unknown {
  using database = new DatabaseSync(file);
  const tables = `SELECT coalesce(group_concat(name), '') AS names FROM sqlite_schema
    WHERE type = 'table' AND (name LIKE '%!_new' ESCAPE '!' OR name LIKE '%!_old' ESCAPE '!')`;
  return database.prepare(tables).get()?.['names'];
}

describe('what is stored of a person', () => {
  // Three thousand writes, each of which waits for the disk.
  test('is gone to the last byte once forgotten, from copies too, and nobody else is', {
    timeout: 240_000,
  }, async ({ place }) => {
    const stores = await place.open();
    const answers = stores.namespace('answers', { maxRows: 50, maxBytes: 10_000_000 });
    await stores.boards.add(board('7', ANNA));
    await stores.boards.add(board('8', BORIS));
    // A row that grows moves within its page, and what it was stays in the gap.
    for (const length of [100, 200, 300])
      await stores.boards.saveState('7', { ...newBoardState, orphans: ['x'.repeat(length)] });
    // Rows come, go and move between pages, so that what is to be forgotten has been in many places.
    for (let round = 0; round < 5; round += 1) {
      for (let index = 0; index < 200; index += 1) {
        await stores.links.set(`${index}`, link(`${'driver'.repeat(index % 9)} ${round} ${index}`));
        if (index % 20 === 7) {
          const key = `${round} ${index}`;
          const [place, at] = [`direct:${ANNA}`, NOON + round * DAY];
          await stores.deliveries.claim({ key, place, watches: [key], at, cooldown: 0, most: null });
          await stores.boards.add(board(key, ANNA));
          await stores.links.set(ANNA, link(`k3nny ${round} ${index}`));
        }
        await stores.timeZones.set(index % 20 === 7 ? ANNA : `${index}`, 'Europe/Berlin');
        await answers.set(`${index}`, 'x'.repeat(index * 20));
      }
      for (let index = 0; index < 200; index += 3) await stores.links.remove(`${index}`);
      await stores.copies?.make(NOON + round * DAY);
    }
    await stores.links.set(BORIS, link('b0ris'));
    await stores.links.correct(ANNA, { guild: '1', username: 'corrected', since: NOON });
    // A collection that only a newer version declares.
    const garage = { collection: 'garages', key: '1', text: JSON.stringify({ owner: ANNA }) };
    await stores.documents.commit([], [garage, { ...garage, key: '2', text: '{}' }]);
    await stores.copies?.make(NOON + 6 * DAY);
    writeFileSync(join(place.folder, 'store.unfinished.sqlite'), `what a killed process left, ${ANNA} too`);
    expect(place.holding(ANNA).length).toBeGreaterThan(7);

    await stores.forgetNow(ANNA);
    expect(place.holding(ANNA)).toEqual([]);
    expect(await stores.stored(ANNA)).toEqual(noStoredData);
    expect(await stores.links.of(BORIS)).toEqual(own('b0ris'));
    expect(await stores.stored(BORIS)).toMatchObject({ boards: [{ channel: '8' }] });
    expect(await stores.links.of('199')).not.toBeNull();
    expect(await answers.get('199')).toHaveLength(199 * 20);
    expect(place.holding(BORIS).length).toBeGreaterThan(1);
    expect(await stores.documents.all('garages')).toEqual(new Map([['2', '{}']]));
    await stores.close();
    expect(place.holding(ANNA)).toEqual([]);
  });

  test('is gone, and nothing else, wherever a process is killed meanwhile', async ({ place }) => {
    const killed = await place.open();
    await killed.links.set(ANNA, link('k3nny'));
    await killed.links.set(BORIS, link('b0ris'));
    const others = Array.from({ length: 600 }, (_, index) => `driver ${index}`);
    await killed.documents.commit(
      [],
      others.map((key) => ({ collection: 'role-figures', key, text: `{"of":"${key}"}`.repeat(50) })),
    );
    await killed.copies?.make(NOON);
    const files = ['store.sqlite', 'store.sqlite-wal', 'store.2026-03-05.sqlite'];
    // The files as they are each time that something else has its turn: nothing is written in between.
    const left: string[] = [];
    let isDone = false;
    const watched = (async () => {
      for (let turn = 0; !isDone; turn += 1) {
        const folder = join(place.folder, 'left', `${turn}`);
        for (const name of files)
          if (existsSync(join(place.folder, name))) cpSync(join(place.folder, name), join(folder, name));
        left.push(folder);
        await setImmediate();
      }
    })();
    await killed.forgetNow(ANNA);
    isDone = true;
    await watched;
    const phases = new Set(left.map((folder) => tablesIn(join(folder, 'store.sqlite'))));
    expect(phases).toEqual(new Set(['', 'documents_new', 'documents_old', 'named_new', 'named_old']));

    // Some of each stretch: all of them would take a minute.
    const step = Math.ceil(left.length / 12);
    for (const folder of left.slice(1).filter((_, index) => index % step === 0)) {
      const again = await place.open(join(folder, 'store.sqlite'));
      // A kill before the first debt is on the disk is a kill before the person was answered.
      if ((await again.documents.all('forgetting-debts')).size === 0 && holding(folder, ANNA).length > 0)
        await again.forgetter.forget(ANNA);
      await again.forgetter.pay();
      expect(holding(folder, ANNA), folder).toEqual([]);
      expect(await again.links.of(BORIS)).toEqual(own('b0ris'));
      expect([...(await again.documents.all('role-figures')).keys()].toSorted()).toEqual(others.toSorted());
      expect(await again.documents.all('forgetting-debts')).toEqual(new Map());
      await again.close();
      expect(holding(folder, ANNA), folder).toEqual([]);
      rmSync(folder, { recursive: true });
    }
  });

  test('is deleted while others write, and their writes and deletions stay', async ({ place }) => {
    const stores = await place.open();
    await stores.links.set(ANNA, link('k3nny'));
    const at = (index: number, text: string | null) => ({ collection: 'claims', key: `${index}`, text });
    const personOf = (index: number) => `${281_474_976_711_000_000n + BigInt(index)}`;
    const textOf = (index: number, text: string) => `${text} of ${personOf(index)}`;
    const texts = new Map(
      Array.from({ length: 2000 }, (_, index) => [`${index}`, textOf(index, 'x'.repeat(100))]),
    );
    await stores.documents.commit(
      [],
      [...texts].map(([key, text]) => at(Number(key), text)),
    );
    let isDone = false;
    const writing = (async () => {
      for (let turn = 0; !isDone; turn += 1) {
        const [changed, removed, added] = [turn % 2000, (turn * 7 + 3) % 2000, 2000 + turn];
        const [change, addition] = [textOf(changed, `new ${turn}`), textOf(added, 'added')];
        await stores.documents.commit([], [at(changed, change), at(added, addition)]);
        await stores.documents.commit([], [at(removed, null)]);
        texts.set(`${changed}`, change).set(`${added}`, addition).delete(`${removed}`);
        await setImmediate();
      }
      return texts.size;
    })();
    await stores.forgetNow(ANNA);
    isDone = true;
    await writing;
    expect(await stores.documents.all('claims')).toEqual(texts);
    expect(place.holding(ANNA)).toEqual([]);
    expect(place.ask('PRAGMA integrity_check')).toBe('ok');
    expect(tablesIn(place.file)).toBe('');
    expect(place.ask(`SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'`)).toBe(0);
    const isThere = async (index: number) => (await stores.documents.naming(personOf(index))).length > 0;
    for (let index = 0; index < 2000 + texts.size; index += 1)
      expect(await isThere(index), `${index}`).toBe(texts.has(`${index}`));
  });

  test('is forgotten in the file and in every good copy, whatever else is named like one', async ({
    place,
  }) => {
    const stores = await place.open();
    await stores.links.set(ANNA, link('k3nny'));
    await stores.copies?.make(NOON);
    await stores.copies?.make(NOON + 3 * DAY);
    mkdirSync(join(place.folder, 'store.2026-03-04.sqlite', 'inside'), { recursive: true });
    writeFileSync(join(place.folder, 'store.2026-03-06.sqlite'), `no database, but of ${ANNA}`.padEnd(4096));
    mkdirSync(join(place.folder, 'store.unfinished.sqlite'));
    const left = ['store.unfinished.sqlite', 'store.2026-03-04.sqlite', 'store.2026-03-06.sqlite'];

    expect(await stores.forgetNow(ANNA)).toEqual(left.slice(1));
    const files = readdirSync(place.folder, { withFileTypes: true }).filter((entry) => entry.isFile());
    const holding = files.filter(({ name }) => readFileSync(join(place.folder, name)).includes(ANNA));
    expect(holding.map(({ name }) => name)).toEqual(['store.2026-03-06.sqlite']);
    for (const name of left) expect(place.logged.join('')).toContain(name);
    expect(place.logged.join('')).not.toContain(ANNA);
    // And again, for ever.
    expect(await stores.forgetNow(ANNA)).toEqual(left.slice(1));
    // The folder is no copy that would be in the way of the next ones.
    rmSync(join(place.folder, 'store.unfinished.sqlite'), { recursive: true });
    for (let day = 10; day < 20; day += 1) expect(await stores.copies?.make(NOON + day * DAY)).toBe(true);
  });

  test('is forgotten while a copy is being made', async ({ place }) => {
    const stores = await place.open();
    await stores.links.set(ANNA, link('k3nny'));
    const made = stores.copies?.make(NOON);
    await stores.forgetNow(ANNA);
    await made;
    expect(place.holding(ANNA)).toEqual([]);
    const databases = place.holding('SQLite format 3').filter((name) => name.endsWith('.sqlite'));
    // The file, its copy, and its history.
    expect(databases.length).toBe(3);
  });

  test('is deleted in its turn: what is written meanwhile waits, and is not refused', async ({ place }) => {
    const { history } = await place.open();
    const order: string[] = [];
    await markHistory(history, 'one');
    await Promise.all([
      history.scrub().then(() => order.push('deleted')),
      markHistory(history, 'two').then(() => order.push('written')),
    ]);
    expect(order).toEqual(['deleted', 'written']);
  });
});
