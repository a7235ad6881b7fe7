import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect } from 'vitest';
import { StartError } from '../../../src/base/errors.ts';
import { carryLedger } from '../../../src/service/budget/ledger/tables.ts';
import { restoreFile } from '../../../src/store/sqlite/restore.ts';
import { historyMark } from '../support.ts';
import { type TestFile, test } from './support.ts';

describe('the file', () => {
  test('is made with its folder, and keeps what was written over a restart', async ({ place }) => {
    const deep = join(place.folder, 'not', 'yet', 'there.sqlite');
    const stores = await place.open(deep);
    await stores.namespace('a', { maxRows: 10, maxBytes: 10_000_000 }).set('x', 'kept');
    await stores.close();
    expect(
      await (await place.open(deep)).namespace('a', { maxRows: 10, maxBytes: 10_000_000 }).get('x'),
    ).toBe('kept');
  });

  test('keeps what was written by the process that made it, and was killed', async ({ place }) => {
    const here = (path: string) => JSON.stringify(new URL(`../../../src/${path}`, import.meta.url).href);
    const script = `
      const { openSqliteStores } = await import(${here('store/sqlite/open.ts')});
      const { ledgerTables } = await import(${here('service/budget/ledger/tables.ts')});
      const { systemClock: clock } = await import(${here('base/clock.ts')});
      const { namespace, history } = await openSqliteStores(${JSON.stringify(place.file)}, { clock }, ledgerTables);
      await namespace('a', { maxRows: 10, maxBytes: 1000 }).set('x', 'kept');
      await history.write(function* () {
        yield { parts: ["INSERT INTO drivers VALUES ('k3nny', 'kept')"], values: [] };
      });
      process.kill(process.pid, 'SIGKILL');`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' });
    await once(child, 'exit');
    expect(child.signalCode).toBe('SIGKILL');
    const { namespace, history } = await place.open();
    expect(await namespace('a', { maxRows: 10, maxBytes: 10_000_000 }).get('x')).toBe('kept');
    expect(await historyMark(history)).toBe('kept');
  });

  const garbage = 'not a database at all, but long enough to look like one '.repeat(100);

  test.for<[string, (place: TestFile) => unknown, RegExp]>([
    ['not a database', ({ file }) => writeFileSync(file, garbage), /damaged or not a database/],
    ['cut short', truncated, /damaged/],
    ['of another program', ({ sql }) => sql('CREATE TABLE theirs (x)'), /another program/],
    ['written by a newer version', newer, /newer version/],
    ['from before the first release', beforeFirstRelease, /before 1\.0\.0.*move .* away/],
    ['a folder', ({ file }) => mkdirSync(file), /cannot be opened/],
  ])('%s is refused in one line that names it, and left as it is', async ([, harm, says], { place }) => {
    await harm(place);
    const { file } = place;
    const before = existsSync(file) && !says.source.includes('cannot') ? readFileSync(file) : null;
    const failure = await refusal(place);
    expect(failure.message).toMatch(says);
    expect(failure.message).toContain(file);
    expect(failure.message).not.toContain('\n');
    if (before !== null) expect(readFileSync(file).equals(before)).toBe(true);
  });

  test('damaged is refused with the newest good copy and how to take it', async ({ place }) => {
    const stores = await place.open();
    await stores.links.set('1', { username: 'k3nny', since: 1 });
    for (const day of [5, 6, 7]) await stores.copies?.make(Date.UTC(2026, 2, day));
    await stores.close();
    const copy = (day: number) => join(place.folder, `store.2026-03-0${day}.sqlite`);
    writeFileSync(copy(7), garbage);
    truncateSync(copy(6), 5000);
    writeFileSync(place.file, garbage);
    writeFileSync(`${place.file}-wal`, garbage);
    const { message } = await refusal(place);
    expect(message).toMatch(new RegExp(`npm run restore -- ${RegExp.escape(copy(5))}$`));
    await restoreFile(place.file, copy(5), { now: Date.now(), carry: carryLedger });
    expect((await (await place.open()).links.of('1'))?.username).toBe('k3nny');
  });

  test('without any good copy says so', async ({ place }) => {
    writeFileSync(place.file, garbage);
    expect((await refusal(place)).message).toMatch(/damaged.*no good copy.*start with an empty one/);
  });

  test('does not grow for ever: new entries reuse the space of evicted ones', async ({ place }) => {
    const limits = { maxRows: 5000, maxBytes: 1_000_000 };
    const answers = (await place.open()).namespace('answers', limits);
    const sizes: number[] = [];
    for (let index = 0; index < 600; index += 1) {
      await answers.set(`${index}`, 'x'.repeat(20_000 + ((index * 7919) % 60_000)), 60_000);
      sizes.push(
        ['', '-wal'].reduce(
          (sum, end) => sum + (statSync(place.file + end, { throwIfNoEntry: false })?.size ?? 0),
          0,
        ),
      );
    }
    // Thirty times the limit was written.
    expect(Math.max(...sizes)).toBeLessThan(8_000_000);
    expect(Math.max(...sizes.slice(-100))).toBeLessThanOrEqual(Math.max(...sizes.slice(0, 300)) * 1.1);
  });

  test('locked by another program is refused after a short wait', async ({ place }) => {
    await (await place.open()).close();
    using other = new DatabaseSync(place.file);
    other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    expect((await refusal(place)).message).toMatch(/locked by another process/);
  });

  test('in a place that cannot be written to is refused', async ({ place }) => {
    writeFileSync(join(place.folder, 'plain'), '');
    await expect(place.open(join(place.folder, 'plain', 'store.sqlite'))).rejects.toThrow(
      /STORE_URL.*cannot be opened \(E/,
    );
    await expect(place.open('/proc/store.sqlite')).rejects.toThrow(/STORE_URL.*cannot be opened; check/);
    // Where no folder can be made, one in it least of all.
    await expect(place.open('/proc/x/y/store.sqlite')).rejects.toThrow(
      /STORE_URL.*cannot be opened \(ENOENT/,
    );
  });

  async function refusal(place: TestFile): Promise<StartError> {
    const failure: unknown = await place.open().catch((error: unknown) => error);
    if (failure instanceof StartError) return failure;
    throw new Error('the file was accepted', { cause: failure });
  }

  async function newer(place: TestFile): Promise<void> {
    await (await place.open()).close();
    place.sql('PRAGMA user_version = 99');
  }

  /** As those were: with the mark of ownership, answers and no documents. */
  async function beforeFirstRelease(place: TestFile): Promise<void> {
    await newer(place);
    place.sql('DROP TABLE documents; PRAGMA user_version = 5');
  }

  async function truncated(place: TestFile): Promise<void> {
    await (await place.open()).close();
    const rows = JSON.stringify(Array.from({ length: 500 }, (_, index) => index));
    place.sql(`INSERT INTO entries (namespace, key, value)
      SELECT 'a', value, hex(zeroblob(500)) FROM json_each('${rows}')`);
    truncateSync(place.file, 100 * 1024);
  }
});
