import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, vi } from 'vitest';
import { defaultSettings } from '../../../src/community/accounts/guild-settings.ts';
import { makeDailyCopy } from '../../../src/store/sqlite/daily-copy.ts';
import { type TestFile, test } from './support.ts';

const DAY = 24 * 3600_000;
const NOON = Date.UTC(2026, 2, 5, 12);
const ANNA = '281474976710657001';

const link = { username: 'k3nny', since: NOON };

function copiesIn({ folder }: TestFile): readonly string[] {
  return readdirSync(folder)
    .filter((name) => /\d{4}-\d\d-\d\d/.test(name))
    .toSorted();
}

describe('the daily copy', () => {
  test('is made once a day, and seven are kept', async ({ place }) => {
    const { copies } = await place.open();
    for (let day = 0; day < 10; day += 1) {
      expect(await copies?.make(NOON + day * DAY)).toBe(true);
      expect(copies?.newestDay()).toBe(NOON + day * DAY - DAY / 2);
      expect(await copies?.make(NOON + day * DAY + DAY / 3)).toBe(false);
    }
    expect(copiesIn(place)).toEqual(
      ['08', '09', '10', '11', '12', '13', '14'].map((day) => `store.2026-03-${day}.sqlite`),
    );
  });

  test('is made daily again after the clock was years ahead, and replaces those copies', async ({
    place,
  }) => {
    const { copies } = await place.open();
    for (let day = 0; day < 7; day += 1) await copies?.make(NOON + (3650 + day) * DAY);
    for (let day = 0; day < 8; day += 1) {
      await copies?.make(NOON + day * DAY);
      const date = new Date(NOON + day * DAY).toISOString().slice(0, 10);
      expect(copiesIn(place)).toContain(`store.${date}.sqlite`);
    }
    expect(copiesIn(place)).toEqual(
      ['06', '07', '08', '09', '10', '11', '12'].map((day) => `store.2026-03-${day}.sqlite`),
    );
  });

  test('holds all that the file held, and can take its place', async ({ place }) => {
    const stores = await place.open();
    await stores.links.set(ANNA, link);
    await stores.guildSettings.change('1', { ...defaultSettings, language: 'fr' });
    await stores.copies?.make(NOON);
    await stores.links.remove(ANNA);
    await stores.close();

    const restored = await place.open(join(place.folder, copiesIn(place)[0] ?? ''));
    expect(await restored.links.of(ANNA)).toMatchObject(link);
    expect((await restored.guildSettings.of('1')).language).toBe('fr');
  });

  test('leaves other files of the folder alone, also copies of another store', async ({ place }) => {
    const { copies } = await place.open();
    const others = ['other.2020-01-01.sqlite', 'store.2020-01-01.txt', 'store.notes.sqlite'];
    for (const name of others) writeFileSync(join(place.folder, name), '');
    for (let day = 0; day < 8; day += 1) await copies?.make(NOON + day * DAY);
    expect(readdirSync(place.folder)).toEqual(expect.arrayContaining(others));
  });

  test('goes after a week, also beside a link that leads nowhere', async ({ place }) => {
    const { copies } = await place.open();
    symlinkSync('archive', join(place.folder, 'store.2020-01-01.sqlite'));
    for (let day = 0; day < 8; day += 1) await copies?.make(NOON + day * DAY);
    expect(copiesIn(place)).toHaveLength(7 + 1);
  });

  test('is made while others write all the time, and is whole', async ({ place }) => {
    const stores = await place.open();
    const answers = stores.namespace('answers', { maxRows: 2000, maxBytes: 10_000_000 });
    for (let index = 0; index < 1500; index += 1) await answers.set(`${index}`, 'x'.repeat(4000));
    let writes = 0;
    const writing = setInterval(() => {
      writes += 1;
      void answers.set('w', 'y'.repeat(writes));
    }, 1);
    await stores.copies?.make(NOON);
    clearInterval(writing);
    expect(writes).toBeGreaterThan(0);
    using copy = new DatabaseSync(join(place.folder, copiesIn(place)[0] ?? ''));
    expect(copy.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
    expect(copy.prepare('SELECT count(*) AS rows FROM entries').get()?.['rows']).toBeGreaterThanOrEqual(1500);
  });

  test('is not made if it would take the space that the store needs', async ({ place }) => {
    await (await place.open()).close();
    const freeBytes = vi.fn(() => 64 * 1024 * 1024);
    await expect(makeDailyCopy(place.file, NOON, freeBytes)).rejects.toMatchObject({
      trouble: 'full',
      message: expect.stringMatching('64 MiB free'),
    });
    expect(readdirSync(place.folder).filter((name) => /unfinished|2026/.test(name))).toEqual([]);
    freeBytes.mockReturnValue(80 * 1024 * 1024);
    expect(await makeDailyCopy(place.file, NOON, freeBytes)).toBe(true);
  });

  test('leaves no half copy behind', async ({ place }) => {
    writeFileSync(place.file, 'no database');
    await expect(makeDailyCopy(place.file, NOON)).rejects.toThrow();
    expect(readdirSync(place.folder).filter((name) => name.includes('unfinished'))).toEqual([]);
  });

  test('that cannot be made says so, and the next one is made', async ({ place }) => {
    const { copies } = await place.open();
    const inTheWay = join(place.folder, 'store.unfinished.sqlite');
    mkdirSync(join(inTheWay, 'something'), { recursive: true });
    await expect(copies?.make(NOON)).rejects.toThrow();
    rmSync(inTheWay, { recursive: true });
    expect(await copies?.make(NOON)).toBe(true);
  });
});
