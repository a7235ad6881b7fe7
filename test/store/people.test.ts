import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { defaultSettings } from '../../src/store/guild-settings.ts';
import { openPeople, type People } from '../../src/store/sqlite/people.ts';
import { openStore, type Store } from '../../src/store/sqlite/store.ts';

const DAY = 24 * 3600_000;
const NOON = Date.UTC(2026, 2, 5, 12);
const ANNA = '281474976710657001';
const BORIS = '281474976710657002';

let folder = '';
let file = '';
let store: Store;
let people: People;

function openAll(): void {
  store = openStore(file);
  people = openPeople(file);
}

function closeAll(): void {
  people.close();
  store.close();
}

function sql(statements: string, at = file): void {
  using database = new DatabaseSync(at);
  database.exec(statements);
}

/** The files of the store that hold this text anywhere. */
function holding(text: string): readonly string[] {
  return readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(text));
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pitwall-people-'));
  file = join(folder, 'store.sqlite');
  openAll();
});

afterEach(() => {
  closeAll();
  rmSync(folder, { recursive: true, force: true });
});

const own = (username: string) => ({ username, since: NOON, by: 'self' }) as const;
const corrected = (username: string) => ({ username, since: NOON, by: 'administrator' }) as const;

describe('a link', () => {
  test('outlives a restart, is replaced by a newer one, and is gone once removed', async () => {
    expect(await people.links.of(ANNA)).toBeNull();
    expect(await people.links.set(ANNA, own('k3nny'))).toBe('linked');
    expect(await people.links.set(ANNA, own('Zoë'))).toBe('linked');
    closeAll();
    openAll();
    expect(await people.links.of(ANNA)).toEqual(own('Zoë'));
    expect(await people.links.set(BORIS, own('k3nny'))).toBe('linked');
    expect(await people.links.remove(ANNA)).toBe(true);
    expect(await people.links.remove(ANNA)).toBe(false);
    expect(await people.links.of(ANNA)).toBeNull();
  });

  test('of a driver that another account has is refused on the own word, whatever the case', async () => {
    await people.links.set(ANNA, own('Zoë'));
    expect(await people.links.set(BORIS, own('ZOË'))).toBe('taken');
    expect(await people.links.of(BORIS)).toBeNull();
    expect(await people.links.of(ANNA)).toEqual(own('Zoë'));
    expect(await people.links.set(ANNA, own('zoë'))).toBe('linked');
  });

  test('that is refused leaves the own earlier one alone', async () => {
    await people.links.set(ANNA, own('k3nny'));
    await people.links.set(BORIS, own('b0ris'));
    expect(await people.links.set(BORIS, own('K3NNY'))).toBe('taken');
    expect(await people.links.of(BORIS)).toEqual(own('b0ris'));
  });

  test("goes over to another account on an administrator's word", async () => {
    await people.links.set(ANNA, own('k3nny'));
    await people.links.set(BORIS, own('b0ris'));
    expect(await people.links.set(BORIS, corrected('K3nny'))).toBe('linked');
    expect(await people.links.of(BORIS)).toEqual(corrected('K3nny'));
    expect(await people.links.of(ANNA)).toBeNull();
  });

  test('is one to one after anything that anybody does', async () => {
    const act = fc.record({
      person: fc.constantFrom('1', '2', '3'),
      username: fc.constantFrom('a', 'A', 'b', 'B', 'ç', 'Ç', null),
      by: fc.constantFrom('self' as const, 'administrator' as const),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 20 }), async (acts) => {
        for (const person of ['1', '2', '3']) await people.links.remove(person);
        for (const { person, username, by } of acts) {
          if (username === null) await people.links.remove(person);
          else {
            const done = await people.links.set(person, { username, since: 0, by });
            expect(done === 'linked' || by === 'self').toBe(true);
            if (done === 'linked') expect((await people.links.of(person))?.username).toBe(username);
          }
          const links = await Promise.all(['1', '2', '3'].map((id) => people.links.of(id)));
          const names = links.flatMap((link) => link?.username.toLowerCase() ?? []);
          expect(new Set(names).size).toBe(names.length);
        }
      }),
      { numRuns: 50 },
    );
  });

  test('that cannot be read counts as none', async () => {
    await people.links.set(ANNA, own('k3nny'));
    sql(`UPDATE links SET declared_by = 'nobody'`);
    expect(await people.links.of(ANNA)).toBeNull();
  });
});

describe("a guild's settings", () => {
  test('are the defaults until something is decided, and in direct messages', async () => {
    expect(await people.guildSettings.of('1')).toEqual(defaultSettings);
    const decided = { language: 'de', distances: 'miles', colours: false, refresh: 'asker' } as const;
    await people.guildSettings.set('1', decided);
    closeAll();
    openAll();
    expect(await people.guildSettings.of('1')).toEqual(decided);
    expect(await people.guildSettings.of('2')).toEqual(defaultSettings);
    expect(await people.guildSettings.of(null)).toEqual(defaultSettings);
  });

  test.each([
    ['{"language":"xx","distances":"miles","colours":"no"}', { ...defaultSettings, distances: 'miles' }],
    ['{"refresh":7,"language":"pl","more":1}', { ...defaultSettings, language: 'pl' }],
    ['[]', defaultSettings],
    ['no JSON', defaultSettings],
  ])('%s: what cannot be read is the default', async (written, read) => {
    await people.guildSettings.set('1', defaultSettings);
    sql(`UPDATE guild_settings SET settings = '${written}'`);
    expect(await people.guildSettings.of('1')).toEqual(read);
  });
});

describe('a subscription', () => {
  const wanted = {
    person: ANNA,
    server: 'One',
    channel: '7',
    guild: '1',
    locale: 'de',
    expires: NOON + 1000,
  };

  test('waits until it expires, one for each person and server', async () => {
    await people.subscriptions.add(wanted);
    await people.subscriptions.add({ ...wanted, server: 'Two', guild: null });
    await people.subscriptions.add({ ...wanted, person: BORIS, expires: NOON + 5000 });
    await people.subscriptions.add({ ...wanted, channel: '8' });
    const waiting = await people.subscriptions.waiting(NOON);
    expect(waiting).toHaveLength(3);
    expect(waiting).toContainEqual({ ...wanted, channel: '8' });
    expect(await people.subscriptions.of(BORIS, NOON)).toHaveLength(1);
    expect(await people.subscriptions.waiting(NOON + 1000)).toEqual([
      { ...wanted, person: BORIS, expires: NOON + 5000 },
    ]);
    expect(await people.subscriptions.waiting(NOON)).toHaveLength(1);
  });

  test('can be taken off once', async () => {
    await people.subscriptions.add(wanted);
    expect(await people.subscriptions.remove(BORIS, 'One')).toBe(false);
    expect(await people.subscriptions.remove(ANNA, 'One')).toBe(true);
    expect(await people.subscriptions.remove(ANNA, 'One')).toBe(false);
  });
});

describe('what is stored of a person', () => {
  /** As the boards' own part of the store keeps them. */
  const board = (id: string, madeBy: string) =>
    `CREATE TABLE IF NOT EXISTS board (id TEXT PRIMARY KEY, settings TEXT NOT NULL, state TEXT NOT NULL) STRICT;
     INSERT INTO board VALUES ('${id}', '${JSON.stringify({ guildId: '1', channelId: '7', madeBy, madeAt: NOON })}', '{}');`;

  test('is told: link, subscriptions that wait, boards', async () => {
    const wanted = {
      person: ANNA,
      server: 'One',
      channel: '7',
      guild: '1',
      locale: 'de',
      expires: NOON + 1000,
    };
    await people.links.set(ANNA, own('k3nny'));
    await people.subscriptions.add(wanted);
    await people.subscriptions.add({ ...wanted, server: 'Two', expires: NOON });
    expect(await people.userData.stored(ANNA, NOON)).toEqual({
      link: own('k3nny'),
      subscriptions: [wanted],
      boards: [],
    });
    sql(board('a', ANNA) + board('b', BORIS));
    expect((await people.userData.stored(ANNA, NOON)).boards).toEqual([
      { guild: '1', channel: '7', since: NOON },
    ]);
    expect(await people.userData.stored('nobody', NOON)).toEqual({
      link: null,
      subscriptions: [],
      boards: [],
    });
  });

  test('is gone to the last byte once it is forgotten, from the copies too, and nobody else is touched', async () => {
    const answers = store.namespace('answers', { maxRows: 50 });
    sql(board('a', ANNA) + board('b', BORIS));
    // A row that grows moves within its page, and what it was stays in the gap.
    for (const length of [100, 200, 300]) sql(`UPDATE board SET state = '${'x'.repeat(length)}'`);
    // Rows come, go and move between pages, so that what is to be forgotten has been in many places.
    for (let round = 0; round < 5; round += 1) {
      for (let index = 0; index < 200; index += 1) {
        await people.links.set(`${index}`, own(`${'driver'.repeat(index % 9)} ${round} ${index}`));
        if (index % 20 === 7) {
          await people.links.set(ANNA, own(`k3nny ${round} ${index}`));
          const expires = NOON + index;
          await people.subscriptions.add({
            person: ANNA,
            server: `${round} ${index}`,
            channel: '7',
            guild: null,
            locale: 'de',
            expires,
          });
        }
        await answers.set(`${index}`, 'x'.repeat(index * 20));
      }
      for (let index = 0; index < 200; index += 3) await people.links.remove(`${index}`);
      await people.copies.make(NOON + round * DAY);
    }
    await people.links.set(BORIS, own('b0ris'));
    await people.copies.make(NOON + 6 * DAY);
    writeFileSync(join(folder, 'store.unfinished.sqlite'), `what a killed process left, ${ANNA} too`);
    expect(holding(ANNA).length).toBeGreaterThan(7);

    await people.userData.forget(ANNA);
    expect(holding(ANNA)).toEqual([]);
    expect(await people.userData.stored(ANNA, NOON)).toEqual({ link: null, subscriptions: [], boards: [] });
    expect(await people.links.of(BORIS)).toEqual(own('b0ris'));
    expect((await people.userData.stored(BORIS, NOON)).boards).toHaveLength(1);
    expect(await people.links.of('199')).not.toBeNull();
    expect(await answers.get('199')).toHaveLength(199 * 20);
    expect(holding(BORIS).length).toBeGreaterThan(1);
    closeAll();
    expect(holding(ANNA)).toEqual([]);
    openAll();
  });

  test('is forgotten while a copy is being made', async () => {
    await people.links.set(ANNA, own('k3nny'));
    const made = people.copies.make(NOON);
    await people.userData.forget(ANNA);
    await made;
    expect(holding(ANNA)).toEqual([]);
    expect(holding('SQLite format 3').length).toBe(2);
  });
});

describe('the daily copy', () => {
  const copies = () =>
    readdirSync(folder)
      .filter((name) => /\d{4}-\d\d-\d\d/.test(name))
      .toSorted();

  test('is made once a day, and seven are kept', async () => {
    for (let day = 0; day < 10; day += 1) {
      expect(await people.copies.make(NOON + day * DAY)).toBe(true);
      expect(await people.copies.make(NOON + day * DAY + DAY / 3)).toBe(false);
    }
    expect(copies()).toEqual(
      ['08', '09', '10', '11', '12', '13', '14'].map((day) => `store.2026-03-${day}.sqlite`),
    );
  });

  test('holds all that the file held, and can take its place', async () => {
    await people.links.set(ANNA, own('k3nny'));
    await people.guildSettings.set('1', { ...defaultSettings, language: 'fr' });
    await people.copies.make(NOON);
    await people.links.remove(ANNA);

    file = join(folder, copies()[0] ?? '');
    closeAll();
    openAll();
    expect(await people.links.of(ANNA)).toEqual(own('k3nny'));
    expect((await people.guildSettings.of('1')).language).toBe('fr');
  });

  test("leaves other files of the folder alone, those of another store's copies among them", async () => {
    const others = ['other.2020-01-01.sqlite', 'store.2020-01-01.txt', 'store.notes.sqlite'];
    for (const name of others) writeFileSync(join(folder, name), '');
    for (let day = 0; day < 8; day += 1) await people.copies.make(NOON + day * DAY);
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(others));
  });

  test('is made while others write all the time, and is whole', async () => {
    const answers = store.namespace('answers', { maxRows: 2000 });
    for (let index = 0; index < 1500; index += 1) await answers.set(`${index}`, 'x'.repeat(4000));
    let writes = 0;
    const writing = setInterval(() => {
      writes += 1;
      void answers.set('w', 'y'.repeat(writes));
    }, 1);
    await people.copies.make(NOON);
    clearInterval(writing);
    expect(writes).toBeGreaterThan(0);
    using copy = new DatabaseSync(join(folder, copies()[0] ?? ''));
    expect(copy.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
    expect(copy.prepare('SELECT count(*) AS rows FROM entries').get()?.['rows']).toBeGreaterThanOrEqual(1500);
  });

  test('that cannot be made says so, and the next one is made', async () => {
    mkdirSync(join(folder, 'store.unfinished.sqlite', 'in the way'), { recursive: true });
    await expect(people.copies.make(NOON)).rejects.toThrow();
    rmSync(join(folder, 'store.unfinished.sqlite'), { recursive: true });
    expect(await people.copies.make(NOON)).toBe(true);
  });
});

describe('a file of an older version', () => {
  /** The schema as version 1 made it. */
  const first = `
    CREATE TABLE entries (id INTEGER PRIMARY KEY, namespace TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL,
      expires INTEGER, UNIQUE (namespace, key)) STRICT;
    CREATE INDEX entries_by_expiry ON entries (expires) WHERE expires IS NOT NULL;
    CREATE INDEX entries_by_age ON entries (namespace, id);
    INSERT INTO entries (namespace, key, value) VALUES ('seen', 'all', '{"value":"kept"}');
    PRAGMA application_id = ${0x50_69_74_77};
    PRAGMA user_version = 1;`;

  test('1 → 2: links, settings and subscriptions can be stored, and what it held is kept', async () => {
    closeAll();
    rmSync(file);
    sql(first);
    openAll();
    expect(await store.namespace('seen', { maxRows: 1 }).get('all')).toBe('kept');
    expect(await people.links.set(ANNA, own('k3nny'))).toBe('linked');
    await people.guildSettings.set('1', defaultSettings);
    await people.subscriptions.add({
      person: ANNA,
      server: 'One',
      channel: '7',
      guild: null,
      locale: 'de',
      expires: NOON,
    });
    closeAll();
    openAll();
    expect(await people.links.of(ANNA)).toEqual(own('k3nny'));
  });
});
