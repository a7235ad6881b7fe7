import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { flushCompileCache } from 'node:module';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { describe, expect } from 'vitest';
import { features } from '../../../commands/subjects.ts';
import { newBoardOptions } from '../../../src/cards/board/board.ts';
import { defaultSettings } from '../../../src/community/accounts/guild-settings.ts';
import { people } from '../../../src/community/accounts/people.ts';
import { createForgetDriver } from '../../../src/community/history/forget-driver.ts';
import type { Feature } from '../../../src/features/feature.ts';
import { carryLedger } from '../../../src/service/budget/ledger/tables.ts';
import { backUp } from '../../../src/store/sqlite/backup.ts';
import { makeDailyCopy } from '../../../src/store/sqlite/daily-copy.ts';
import { restoreFile } from '../../../src/store/sqlite/restore.ts';
import { describeContents } from '../../../src/tools/store-tool.ts';
import { mayMount } from '../../support/requirements.ts';
import { storedDocuments } from '../../support/stored-data.ts';
import { historyMark, markHistory, type Opened } from '../support.ts';
import { type TestFile, test } from './support.ts';

/** Bytes of a page of a new file. */
const PAGE = 1024;

const NOON = Date.UTC(2026, 2, 5, 12);
const SECOND = 1000;
const ANNA = '281474976710657001';
const board = {
  guildId: '1',
  channelId: '7',
  madeBy: ANNA,
  locale: 'de',
  colours: true,
  madeAt: NOON,
  removed: false,
  options: newBoardOptions,
} as const;
const link = { username: 'k3nny', since: NOON };

async function fill(stores: Opened): Promise<void> {
  await stores.links.set(ANNA, link);
  await stores.guildSettings.change('1', { ...defaultSettings, language: 'fr' });
  await stores.boards.add(board);
  const examples = storedDocuments({ person: ANNA, username: 'k3nny', guild: '1' });
  await stores.documents.commit([], examples.get('watches') ?? []);
  const answers = stores.namespace('answers', { maxRows: 500, maxBytes: 10_000_000 });
  for (let index = 0; index < 200; index += 1) await answers.set(`${index}`, 'x'.repeat(2000));
}

/** What {@link fill} has stored. */
async function expectAll(stores: Opened): Promise<void> {
  expect(await stores.links.of(ANNA)).toMatchObject(link);
  expect((await stores.guildSettings.of('1')).language).toBe('fr');
  expect([...(await stores.boards.all()).values()]).toEqual([board]);
}

/** A file with everything in it, nobody using it, and a good copy from noon beside it. */
async function withCopy(place: TestFile): Promise<void> {
  const stores = await place.open();
  await fill(stores);
  await stores.close();
  await backUp(place.file, null, NOON);
}

async function refusal(place: TestFile): Promise<string> {
  const outcome = await place.open().catch((error: unknown) => error);
  if (!(outcome instanceof Error)) throw new Error('the file was accepted');
  return outcome.message;
}

/** The file in the command that a message ends with. */
function named(message: string): string {
  return /npm run restore -- (?<copy>[^\s;]+)/.exec(message)?.groups?.['copy'] ?? '';
}

function overwrite(file: string, from: number, length: number): void {
  const bytes = readFileSync(file);
  bytes.fill(0xa5, from, from + length);
  writeFileSync(file, bytes);
}

/** Entries of features that a backup counts: one alert is stored. */
const ofFeatures = Object.values<Feature>(features)
  .flatMap(({ counted }) => counted ?? [])
  .map(({ one, many }) => (one === 'alert' ? '1 alert' : `0 ${many}`));

describe('a backup', () => {
  test('of a file in use holds all that was stored until then, and says what that is', async ({ place }) => {
    const stores = await place.open();
    await fill(stores);
    const { path, bytes, contents } = await backUp(place.file, null, NOON);
    expect(path).toBe(join(place.folder, 'store.2026-03-05T12-00-00Z.sqlite'));
    expect(bytes).toBe(statSync(path).size);
    expect(describeContents(contents)).toBe(
      `1 link, 1 server with settings, 1 board, ${ofFeatures.join(', ')}, 200 stored answers`,
    );
    await stores.links.remove(ANNA);
    await expectAll(await place.open(path));
  });

  test.skipIf(process.platform === 'win32')('is for whom its file is for', async ({ place }) => {
    const stores = await place.open();
    await fill(stores);
    await stores.close();
    for (const mode of [0o600, 0o640]) {
      for (const file of readdirSync(place.folder)) chmodSync(join(place.folder, file), mode);
      const { path, history } = await backUp(place.file, join(place.folder, `${mode}.copy`), NOON);
      const copies = [path, history?.path ?? ''].map((file) => statSync(file).mode & 0o777);
      expect(copies).toEqual([mode, mode]);
    }
  });

  test('goes where it is told, and replaces nothing there', async ({ place }) => {
    await withCopy(place);
    mkdirSync(join(place.folder, 'away'));
    const away = join(place.folder, 'away', 'mine.sqlite');
    await backUp(place.file, away, NOON);
    await expect(backUp(place.file, away, NOON)).rejects.toThrow(/exists already/);
    expect(readdirSync(join(place.folder, 'away'))).toEqual(['mine.history.sqlite', 'mine.sqlite']);
    await expectAll(await place.open(away));
  });

  test('that cannot be made says why, and leaves nothing behind', async ({ place }) => {
    await expect(backUp(place.file, null, NOON)).rejects.toThrow(/does not exist/);
    await withCopy(place);
    await expect(backUp(place.file, '/nowhere/mine.sqlite', NOON)).rejects.toThrow(
      /^\/nowhere\/mine\.sqlite\.unfinished cannot be written \(ENOENT\)/,
    );
    overwrite(place.file, 3 * PAGE, PAGE);
    const before = readdirSync(place.folder);
    await expect(backUp(place.file, null, NOON + SECOND)).rejects.toThrow(/damaged.*npm run restore/);
    expect(readdirSync(place.folder)).toEqual(before);
  });

  test('of a file that the bot would refuse says the same of it', async ({ place }) => {
    await (await place.open()).close();
    place.sql('PRAGMA application_id = 7');
    await expect(backUp(place.file, null, NOON)).rejects.toThrow(
      /belongs to another program; name another file/,
    );
    rmSync(place.file);
    writeFileSync(place.file, '');
    await expect(backUp(place.file, null, NOON)).rejects.toThrow(/holds nothing/);
  });

  test('beside the file forgets people like the daily ones, and does not count as one', async ({ place }) => {
    await withCopy(place);
    const stores = await place.open();
    for (let day = 1; day < 10; day += 1) await stores.copies?.make(NOON + day * 24 * 3600 * SECOND);
    expect(readdirSync(place.folder)).toContain('store.2026-03-05T12-00-00Z.sqlite');
    expect(place.holding(ANNA).length).toBeGreaterThan(8);
    await stores.forgetNow(ANNA);
    expect(place.holding(ANNA)).toEqual([]);
  });
});

describe('a damaged file', () => {
  test.for<[string, (file: string) => void, RegExp]>([
    ['at its head', (file) => overwrite(file, 0, 100), /damaged/],
    ['in the mark of whose it is', (file) => overwrite(file, 68, 4), /damaged/],
    ['in the first page', (file) => overwrite(file, 100, 3900), /damaged/],
    ['in the second page', (file) => overwrite(file, PAGE, PAGE), /damaged/],
    ['in a page of the middle', (file) => overwrite(file, 60 * PAGE, PAGE), /damaged/],
    ['in its last page', (file) => overwrite(file, statSync(file).size - PAGE, PAGE), /damaged/],
    ['by the loss of its second half', (file) => truncateSync(file, 40 * PAGE), /damaged/],
    ['by the loss of all but a few bytes', (file) => truncateSync(file, 60), /damaged/],
    ['by the loss of everything', (file) => truncateSync(file, 0), /is empty, but there are copies/],
    ['by another file in its place', (file) => writeFileSync(file, 'text '.repeat(2000)), /damaged/],
  ])('%s: the bot names the newest copy, and starts with it', async ([, harm, says], { place }) => {
    await withCopy(place);
    harm(place.file);
    const harmed = readFileSync(place.file);
    const message = await refusal(place);
    expect(message).toMatch(says);
    expect(named(message)).toBe(join(place.folder, 'store.2026-03-05T12-00-00Z.sqlite'));

    const { replaced, contents } = await restoreFile(place.file, named(message), {
      now: NOON + SECOND,
      carry: carryLedger,
    });
    expect(describeContents(contents)).toContain(
      `1 link, 1 server with settings, 1 board, ${ofFeatures.join(', ')}`,
    );
    expect(replaced).toBe(join(place.folder, 'store.replaced-2026-03-05T12-00-01Z.sqlite'));
    expect(readFileSync(replaced ?? '').equals(harmed)).toBe(true);
    await expectAll(await place.open());
  });

  test('with a damaged or foreign log: the log does not get into what is restored', async ({ place }) => {
    await withCopy(place);
    const stores = await place.open();
    await stores.links.remove(ANNA);
    // As a killed process leaves it: the newest in the log only.
    const log = readFileSync(`${place.file}-wal`);
    await stores.close();
    overwrite(place.file, 0, 100);
    writeFileSync(`${place.file}-wal`, log);
    const { replaced } = await restoreFile(place.file, named(await refusal(place)), {
      now: NOON + SECOND,
      carry: carryLedger,
    });
    expect(readFileSync(`${replaced}-wal`).equals(log)).toBe(true);
    await expectAll(await place.open());
  });

  test('whose log is lost is no good copy: the bot names a copy, and starts with it', async ({ place }) => {
    await withoutLog(place);
    const lost = `has lost ${place.file}-wal`;
    const before = readdirSync(place.folder);
    // Whoever only looks must not leave a log that the next start would take for the lost one.
    await expect(backUp(place.file, null, NOON + SECOND)).rejects.toThrow(lost);
    await expect(makeDailyCopy(place.file, NOON)).rejects.toThrow(lost);
    expect(await refusal(place)).toContain(lost);
    expect(readdirSync(place.folder)).toEqual(before);
    const message = await refusal(place);
    expect(message).toContain(lost);
    await restoreFile(place.file, named(message), { now: NOON + SECOND, carry: carryLedger });
    await expectAll(await place.open());
  });

  test('whose log is lost can be gone on with, without what was in the log', async ({ place }) => {
    await withoutLog(place);
    await restoreFile(place.file, place.file, { now: NOON + SECOND, carry: carryLedger });
    expect(await (await place.open()).links.of(ANNA)).toBeNull();
  });

  test('whose log is lost passes no ledger on: what the service grants is unknown', async ({ place }) => {
    const { ledger, close } = await place.open();
    const { permit } = await ledger.take('interactive', SECOND);
    const rate = {
      limit: 720,
      windowSeconds: 3600,
      remaining: 500,
      reset: null,
      date: null,
      retryAfter: null,
    };
    if (permit !== null) await ledger.settle(permit, { kind: 'answered', rate });
    // Less with each second in which others may have asked, too.
    expect((await ledger.snapshot()).remaining).toBeGreaterThan(400);
    await close();
    await withoutLog(place);
    await restoreFile(place.file, named(await refusal(place)), { now: NOON + SECOND, carry: carryLedger });
    expect(await (await place.open()).ledger.snapshot()).toMatchObject({
      remaining: null,
      spent: { interactive: 1 },
    });
  });

  test('of a killed bot, whose log another program has merged, has lost nothing', async ({ place }) => {
    const stores = await place.open();
    await fill(stores);
    const parts = ['', '-wal'].map((end) => [place.file + end, readFileSync(place.file + end)] as const);
    await stores.close();
    for (const [path, bytes] of parts) writeFileSync(path, bytes);
    expect(place.ask(`SELECT count(*) FROM documents WHERE collection = 'people'`)).toBe(1);
    expect(existsSync(`${place.file}-wal`)).toBe(false);
    await expectAll(await place.open());
  });

  /** Only the main file is left of a store that was in use, and a copy. */
  async function withoutLog(place: TestFile): Promise<void> {
    const stores = await place.open();
    await fill(stores);
    await backUp(place.file, null, NOON);
    const main = readFileSync(place.file);
    await stores.close();
    writeFileSync(place.file, main);
  }

  test('is not replaced while a bot has it', async ({ place }) => {
    await withCopy(place);
    const stores = await place.open();
    const copy = join(place.folder, 'store.2026-03-05T12-00-00Z.sqlite');
    await expect(restoreFile(place.file, copy, { now: NOON, carry: carryLedger })).rejects.toThrow(
      /in use by another Pitwall/,
    );
    await expectAll(stores);
  });

  test.for<[string, (copy: string, place: TestFile) => void, RegExp]>([
    ['is missing', (copy) => rmSync(copy), /does not exist/],
    ['is damaged', (copy) => overwrite(copy, 60 * PAGE, PAGE), /is damaged/],
    ['is cut short', (copy) => truncateSync(copy, 40 * PAGE), /is damaged/],
    ['holds nothing', (copy) => truncateSync(copy, 0), /holds nothing/],
    ['is a text', (copy) => writeFileSync(copy, 'text '.repeat(2000)), /not a database/],
    ['is of a newer version', (copy) => change(copy, 'PRAGMA user_version = 99'), /newer version/],
    ['is of another program', (copy) => change(copy, 'PRAGMA application_id = 7'), /another program/],
    ['lacks rows that an index has', (copy) => hollow(copy), /is damaged/],
  ])('is left as it is by a copy that %s', async ([, harm, says], { place }) => {
    await withCopy(place);
    const copy = join(place.folder, 'store.2026-03-05T12-00-00Z.sqlite');
    harm(copy, place);
    const before = readdirSync(place.folder).filter((name) => !name.endsWith('.lock'));
    await expect(restoreFile(place.file, copy, { now: NOON, carry: carryLedger })).rejects.toThrow(says);
    expect(readdirSync(place.folder).filter((name) => !name.endsWith('.lock'))).toEqual(before);
    await expectAll(await place.open());
  });

  test.runIf(mayMount)("that root replaces stays its owner's, who has to open it", async ({ place }) => {
    const [owner, ofFolder] = [61_999, 61_998];
    const ownersOf = (...names: readonly string[]) =>
      names.map((name) => statSync(join(place.folder, name)).uid);
    const all = ['store.sqlite', 'store.history.sqlite', 'store.sqlite.lock'];
    const copies = ['store.2026-03-05T12-00-01Z.sqlite', 'store.2026-03-05T12-00-01Z.history.sqlite'];
    await withCopy(place);
    chownSync(place.folder, ofFolder, ofFolder);
    for (const name of readdirSync(place.folder)) chownSync(join(place.folder, name), owner, owner);
    await backUp(place.file, null, NOON + SECOND);
    expect(ownersOf(...copies)).toEqual([owner, owner]);
    const copy = join(place.folder, copies[0] ?? '');
    await restoreFile(place.file, copy, { now: NOON, carry: carryLedger });
    expect(ownersOf(...all)).toEqual([owner, owner, owner]);
    for (const name of all) rmSync(join(place.folder, name));
    await restoreFile(place.file, copy, { now: NOON, carry: carryLedger });
    expect(ownersOf(...all)).toEqual([ofFolder, ofFolder, ofFolder]);
    // Elsewhere it would be for whoever has that number there.
    mkdirSync(join(place.folder, 'away'));
    await backUp(place.file, join(place.folder, 'away', 'mine.sqlite'), NOON);
    expect(ownersOf('away/mine.sqlite')).toEqual([0]);
  });

  test('that was put aside is forgotten in, too', async ({ place }) => {
    await withCopy(place);
    const copy = join(place.folder, 'store.2026-03-05T12-00-00Z.sqlite');
    await restoreFile(place.file, copy, { now: NOON, carry: carryLedger });
    await restoreFile(place.file, copy, { now: NOON, carry: carryLedger });
    expect(place.holding(ANNA).filter((name) => name.includes('replaced'))).toHaveLength(2);
    await (await place.open()).forgetNow(ANNA);
    expect(place.holding(ANNA)).toEqual([]);
  });
});

function change(file: string, statement: string): void {
  using database = new DatabaseSync(file);
  database.exec(statement);
}

/** Takes a row out of a table, and leaves it in the table's index. */
function hollow(file: string): void {
  change(file, 'PRAGMA journal_mode = DELETE');
  const before = readFileSync(file);
  using database = new DatabaseSync(file);
  const index = `SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_entries_1'`;
  const at = (Number(database.prepare(index).get()?.['rootpage']) - 1) * PAGE;
  database.exec('DELETE FROM entries');
  const after = readFileSync(file);
  before.copy(after, at, at, at + PAGE);
  writeFileSync(file, after);
}

async function write(place: TestFile, text: string): Promise<void> {
  const stores = await place.open();
  await markHistory(stores.history, text);
  await stores.close();
}

async function written({ history }: Opened): Promise<unknown> {
  return historyMark(history);
}

describe('history', () => {
  test('is copied with the file, also while it is in use, and comes back with it', async ({ place }) => {
    const stores = await place.open();
    await fill(stores);
    await markHistory(stores.history, 'of then');
    const { path, history } = await backUp(place.file, null, NOON);
    expect(history?.path).toBe(join(place.folder, 'store.2026-03-05T12-00-00Z.history.sqlite'));
    expect(history?.bytes).toBe(statSync(history?.path ?? '').size);
    await markHistory(stores.history, 'of now');
    await stores.close();

    expect(await restoreFile(place.file, path, { now: NOON, carry: carryLedger })).toMatchObject({
      history: true,
    });
    expect(await written(await place.open())).toBe('of then');
    const [kept = ''] = readdirSync(place.folder).filter((name) => /replaced.*history/.test(name));
    expect(readFileSync(join(place.folder, kept)).includes('of now')).toBe(true);
  });

  test('comes back where the bot looks for it, also if the file is a link', async ({ place }) => {
    const alias = join(place.folder, 'alias.sqlite');
    symlinkSync(place.file, alias);
    await withCopy(place);
    const stores = await place.open(alias);
    await markHistory(stores.history, 'of then');
    const { path } = await backUp(alias, join(place.folder, 'mine.sqlite'), NOON);
    await markHistory(stores.history, 'of now');
    await stores.close();
    expect(await restoreFile(alias, path, { now: NOON, carry: carryLedger })).toMatchObject({
      history: true,
    });
    expect(await written(await place.open(alias))).toBe('of then');
  });

  test('is put where a link leads to, also where nothing is any more', async ({ place }) => {
    await withCopy(place);
    const copy = join(place.folder, 'store.2026-03-05T12-00-00Z.sqlite');
    mkdirSync(join(place.folder, 'volume'));
    const alias = join(place.folder, 'alias.sqlite');
    symlinkSync(join('volume', 'store.sqlite'), alias);
    await restoreFile(alias, copy, { now: NOON, carry: carryLedger });
    expect(readdirSync(join(place.folder, 'volume'))).toContain('store.sqlite');
    await expectAll(await place.open(alias));
  });

  test('stays where the copy has none beside it', async ({ place }) => {
    await withCopy(place);
    rmSync(join(place.folder, 'store.2026-03-05T12-00-00Z.history.sqlite'));
    await write(place, 'of now');
    const copy = join(place.folder, 'store.2026-03-05T12-00-00Z.sqlite');
    expect(await restoreFile(place.file, copy, { now: NOON, carry: carryLedger })).toMatchObject({
      history: false,
    });
    expect(await written(await place.open())).toBe('of now');
    // With a second name it would be written to under both.
    const names = readdirSync(place.folder).filter((name) => /history.sqlite$/.test(name));
    expect(names).toEqual(['store.history.sqlite']);
    expect(statSync(join(place.folder, 'store.history.sqlite')).nlink).toBe(1);
  });

  test('that is damaged is not put in place, nor is the file without it', async ({ place }) => {
    await withCopy(place);
    const copy = join(place.folder, 'store.2026-03-05T12-00-00Z.sqlite');
    await write(place, 'of now');
    writeFileSync(copy.replace('.sqlite', '.history.sqlite'), 'text '.repeat(2000));
    const before = readFileSync(place.file);
    await expect(restoreFile(place.file, copy, { now: NOON, carry: carryLedger })).rejects.toThrow(
      /history.*not a database.*move that file away/,
    );
    expect(readFileSync(place.file).equals(before)).toBe(true);
    expect(await written(await place.open())).toBe('of now');
  });

  test('is forgotten in its copies, too, also in those that a restore has put aside', async ({ place }) => {
    await write(place, 'k3nny-was-here');
    const { path } = await backUp(place.file, null, NOON);
    await restoreFile(place.file, path, { now: NOON, carry: carryLedger });
    expect(place.holding('k3nny-was-here')).toHaveLength(3);
    const stores = await place.open();
    const unreached: string[] = [];
    const forgetDriver = createForgetDriver({
      store: stores.history,
      copies: stores.historyCopies,
      unreached: (name) => unreached.push(name),
      deleted: () => {},
    });
    expect(await forgetDriver('k3nny')).toEqual([]);
    expect(place.holding('k3nny-was-here')).toEqual([]);

    const broken = join(place.folder, 'store.2026-01-01T00-00-00Z.history.sqlite');
    writeFileSync(broken, 'text '.repeat(2000));
    expect(await forgetDriver('k3nny')).toEqual([basename(broken)]);
    expect(unreached).toEqual([basename(broken)]);
  });

  test('is not taken for a copy of the file', async ({ place }) => {
    await withCopy(place);
    const history = join(place.folder, 'store.2026-03-05T12-00-00Z.history.sqlite');
    await expect(restoreFile(place.file, history, { now: NOON, carry: carryLedger })).rejects.toThrow(
      /is a copy of history; name that/,
    );
  });
});

describe('the ledger of a restored file', () => {
  const take = async (stores: Opened): Promise<void> => {
    const { permit } = await stores.ledger.take('interactive', 8000);
    if (permit === null) throw new Error('no permit');
    const rate = {
      limit: 720,
      windowSeconds: 3600,
      remaining: 700,
      reset: null,
      date: null,
      retryAfter: null,
    };
    await stores.ledger.settle(permit, { kind: 'answered', rate });
  };

  test('counts what was sent since the copy was made', async ({ place }) => {
    const stores = await place.open();
    await fill(stores);
    await take(stores);
    const { path } = await backUp(place.file, null, NOON);
    for (let index = 0; index < 5; index += 1) await take(stores);
    const { spent } = spending(place);
    await stores.close();
    await restoreFile(place.file, path, { now: NOON, carry: carryLedger });
    expect(spending(place).spent).toBe(spent);
    expect(spent).toBe(6);
  });

  test('lets one request ask how much is left where that is lost', async ({ place }) => {
    const stores = await place.open();
    await fill(stores);
    await take(stores);
    const { path } = await backUp(place.file, null, NOON);
    await stores.close();
    overwrite(place.file, 0, 100);
    await restoreFile(place.file, path, { now: NOON, carry: carryLedger });
    const { ledger } = await place.open();
    expect((await ledger.take('interactive', 8000)).permit).not.toBeNull();
    expect(await ledger.take('interactive', 8000)).toMatchObject({ permit: null, reason: 'probe' });
  });

  test('is not that of a file that has lost its log: one request asks how much is left', async ({
    place,
  }) => {
    const stores = await place.open();
    await fill(stores);
    for (let index = 0; index < 5; index += 1) await take(stores);
    const { path } = await backUp(place.file, null, NOON);
    for (let index = 0; index < 5; index += 1) await take(stores);
    // As a machine leaves them that loses its power, and whose log somebody then removes.
    const left = join(place.folder, 'left.sqlite');
    cpSync(place.file, left);
    await stores.close();
    cpSync(left, place.file);
    rmSync(`${place.file}-wal`, { force: true });
    await restoreFile(place.file, path, { now: NOON, carry: carryLedger });
    const { ledger } = await place.open();
    expect((await ledger.take('interactive', 8000)).permit).not.toBeNull();
    expect(await ledger.take('interactive', 8000)).toMatchObject({ permit: null, reason: 'probe' });
  });

  function spending({ ask }: TestFile) {
    return { spent: Number(ask('SELECT count(*) FROM budget_permit')) };
  }
});

describe('a restore that is killed', () => {
  test('is noticed by whatever name the file is called', async ({ place }) => {
    await withCopy(place);
    writeFileSync(join(place.folder, 'store.restoring.sqlite'), '');
    mkdirSync(join(place.folder, 'elsewhere'));
    const alias = join(place.folder, 'elsewhere', 'alias.sqlite');
    symlinkSync(place.file, alias);
    await expect(place.open(alias)).rejects.toThrow(/was being restored when that was interrupted/);
  });

  const script = (file: string, copy: string) => `
    const { restoreFile } = await import(${JSON.stringify(
      new URL('../../../src/store/sqlite/restore.ts', import.meta.url).href,
    )});
    const { carryLedger } = await import(${JSON.stringify(
      new URL('../../../src/service/budget/ledger/tables.ts', import.meta.url).href,
    )});
    await restoreFile(${JSON.stringify(file)}, ${JSON.stringify(copy)}, { now: ${NOON}, carry: carryLedger });`;
  const killAt = fileURLToPath(new URL('../../support/kill-at.ts', import.meta.url));

  function killed({ file }: TestFile, copy: string, at: number): boolean {
    const { signal } = spawnSync(
      process.execPath,
      ['--import', killAt, '--input-type=module', '-e', script(file, copy)],
      { env: { ...process.env, KILL_AT: String(at) } },
    );
    return signal === 'SIGKILL';
  }

  test('at any point loses nothing: the bot starts with the old or the restored file', async ({ place }) => {
    await withCopy(place);
    await write(place, 'of then');
    rmSync(join(place.folder, 'store.2026-03-05T12-00-00Z.sqlite'));
    rmSync(join(place.folder, 'store.2026-03-05T12-00-00Z.history.sqlite'));
    const { path: copy } = await backUp(place.file, null, NOON);
    // What is killed leaves no compiled sources behind for the next one.
    flushCompileCache();
    let kills = 0;
    for (let at = 1; ; at += 1) {
      // Since the copy, Anna has another driver, and that is in the log only.
      const stores = await place.open();
      await stores.links.set(ANNA, { ...link, username: `driver ${at}` });
      await markHistory(stores.history, 'of now');
      const parts = ['', '-wal'].map((end) => [end, readFileSync(place.file + end)] as const);
      await stores.close();
      for (const [end, bytes] of parts) writeFileSync(place.file + end, bytes);

      if (!killed(place, copy, at)) break;
      kills += 1;
      let message: string | null = null;
      if (existsSync(join(place.folder, 'store.restoring.sqlite'))) {
        message = await refusal(place);
        expect(message).toContain('interrupted');
        await restoreFile(place.file, named(message), { now: NOON + SECOND, carry: carryLedger });
      }
      const now = await place.open();
      const username = (await now.links.of(ANNA))?.username;
      expect(username).toBe(message === null && username !== 'k3nny' ? `driver ${at}` : 'k3nny');
      expect(await written(now)).toBe(username === 'k3nny' ? 'of then' : 'of now');
      await now.close();
      if (username === 'k3nny') expect(await keptDrivers(place)).toContain(`driver ${at}`);
    }
    // Before each of: two leftovers of history away, its name; leftover of the file away, name of the begun restore;
    // three names for the old files; log and index away and into the place, of history and then of the file.
    expect(kills).toBe(14);
  });

  async function keptDrivers(place: TestFile): Promise<readonly (string | undefined)[]> {
    const kept = readdirSync(place.folder).filter((name) => /replaced-[^.]*\.sqlite$/.test(name));
    return kept.map((name) => {
      using database = new DatabaseSync(join(place.folder, name), { readOnly: true });
      const row = database.prepare(`SELECT text FROM documents WHERE collection = 'people'`).get();
      return people.parse(String(row?.['text']))?.link?.username;
    });
  }
});
