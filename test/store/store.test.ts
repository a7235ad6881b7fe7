import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { StartError } from '../../src/errors.ts';
import { openStore, type Store } from '../../src/store/sqlite/store.ts';

let folder = '';
let file = '';
const opened = new Set<Store>();

function open(path = file): Store {
  const store = openStore(path);
  opened.add(store);
  return store;
}

function close(store: Store): void {
  opened.delete(store);
  store.close();
}

/** As another program sees the file. */
function rowsOf(namespace: string): unknown {
  using database = new DatabaseSync(file);
  return database.prepare('SELECT count(*) AS rows FROM entries WHERE namespace = ?').get(namespace)?.[
    'rows'
  ];
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pitwall-store-'));
  file = join(folder, 'store.sqlite');
});

afterEach(() => {
  vi.useRealTimers();
  for (const store of opened) close(store);
  rmSync(folder, { recursive: true, force: true });
});

describe('a namespace', () => {
  test('keeps values, overwrites, deletes, clears, and knows what it has', async () => {
    const keyv = open().namespace('a', { maxRows: 100 });
    expect(await keyv.get('x')).toBeUndefined();
    expect(await keyv.set('x', { deep: [1, null, 'ü'] })).toBe(true);
    expect(await keyv.get('x')).toEqual({ deep: [1, null, 'ü'] });
    await keyv.set('x', 2);
    expect(await keyv.get('x')).toBe(2);
    expect(await keyv.has('x')).toBe(true);
    expect(await keyv.delete('x')).toBe(true);
    expect(await keyv.delete('x')).toBe(false);
    expect(await keyv.has('x')).toBe(false);
    await keyv.set('y', null);
    await keyv.set('z', false);
    expect(await keyv.get(['y', 'z', 'nothing'])).toEqual([null, false, undefined]);
    await keyv.clear();
    expect(await keyv.get('z')).toBeUndefined();
  });

  test('takes any key and gives back any JSON value', async () => {
    const keyv = open().namespace('a', { maxRows: 1000 });
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), fc.jsonValue(), async (key, value) => {
        await keyv.set(key, value);
        expect(JSON.stringify(await keyv.get(key))).toBe(JSON.stringify(value));
      }),
    );
  });

  test('forgets a value when its time is over, and not before', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const keyv = open().namespace('a', { maxRows: 100 });
    await keyv.set('short', 1, 1000);
    await keyv.set('long', 1);
    vi.setSystemTime(Date.now() + 999);
    expect(await keyv.get('short')).toBe(1);
    vi.setSystemTime(Date.now() + 2);
    expect(await keyv.get('short')).toBeUndefined();
    expect(await keyv.has('short')).toBe(false);
    expect(await keyv.get('long')).toBe(1);
  });

  test('shares nothing with another one, whatever their keys look like', async () => {
    const store = open();
    const a = store.namespace('a', { maxRows: 100 });
    const b = store.namespace('b', { maxRows: 100 });
    await a.set('b:x', 'of a');
    await a.set('a:x', 'of a, too');
    await b.set('x', 'of b');
    expect(await a.get('x')).toBeUndefined();
    expect(await a.get(['b:x', 'a:x'])).toEqual(['of a', 'of a, too']);
    await a.clear();
    expect(await b.get('x')).toBe('of b');
  });

  test('evicts what was written longest ago when it is full, and only there', async () => {
    const store = open();
    const small = store.namespace('small', { maxRows: 50 });
    const other = store.namespace('other', { maxRows: 50 });
    await other.set('old', 1);
    await small.set('first', 1);
    for (let index = 0; index < 200; index += 1) {
      await small.set(`${index}`, index);
      if (index === 170) await small.set('first', 2);
    }
    expect(rowsOf('small')).toBeLessThanOrEqual(55);
    expect(await small.get('199')).toBe(199);
    expect(await small.get('first')).toBe(2);
    expect(await small.get('0')).toBeUndefined();
    expect(await other.get('old')).toBe(1);
  });

  test('removes what has expired from the file, read or not', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const store = open();
    await store.namespace('a', { maxRows: 100 }).set('gone', 1, 10);
    vi.setSystemTime(Date.now() + 11);
    close(store);
    const again = open();
    again.namespace('a', { maxRows: 100 });
    expect(rowsOf('a')).toBe(0);
  });

  test('throws when the database fails, rather than tell of a miss', async () => {
    const store = open();
    const keyv = store.namespace('a', { maxRows: 100 });
    close(store);
    await expect(keyv.get('x')).rejects.toThrow();
    await expect(keyv.set('x', 1)).rejects.toThrow();
    await expect(keyv.delete('x')).rejects.toThrow();
    await expect(keyv.clear()).rejects.toThrow();
  });

  test('is given out once', () => {
    const store = open();
    store.namespace('a', { maxRows: 1 });
    expect(() => store.namespace('a', { maxRows: 1 })).toThrow(/in use/);
  });
});

describe('the file', () => {
  test('is made with its folder, and keeps what was written over a restart', async () => {
    const deep = join(folder, 'not', 'yet', 'there.sqlite');
    const store = open(deep);
    await store.namespace('a', { maxRows: 10 }).set('x', 'kept');
    close(store);
    expect(await open(deep).namespace('a', { maxRows: 10 }).get('x')).toBe('kept');
  });

  test('keeps what was written by a process that was killed', async () => {
    const script = `
      const { openStore } = await import(${JSON.stringify(new URL('../../src/store/sqlite/store.ts', import.meta.url).href)});
      await openStore(${JSON.stringify(file)}).namespace('a', { maxRows: 10 }).set('x', 'kept');
      process.kill(process.pid, 'SIGKILL');`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' });
    await once(child, 'exit');
    expect(child.signalCode).toBe('SIGKILL');
    expect(await open().namespace('a', { maxRows: 10 }).get('x')).toBe('kept');
  });

  const garbage = 'not a database at all, but long enough to look like one '.repeat(100);

  test.for<[string, () => void, RegExp]>([
    ['not a database', () => writeFileSync(file, garbage), /damaged or not a database/],
    ['cut short', () => truncated(), /damaged/],
    ['of another program', () => sql('CREATE TABLE theirs (x)'), /another program/],
    ['written by a newer version', () => newer(), /newer version/],
    ['a folder', () => mkdirSync(file), /cannot be opened/],
  ])('%s is refused in one line that names it, and left as it is', async ([, harm, says]) => {
    harm();
    const before = existsSync(file) && !says.source.includes('cannot') ? readFileSync(file) : null;
    const failure = refusal();
    expect(failure.message).toMatch(says);
    expect(failure.message).toContain(file);
    expect(failure.message).not.toContain('\n');
    if (before !== null) expect(readFileSync(file).equals(before)).toBe(true);
  });

  test('locked by another process is refused after a short wait', () => {
    close(open());
    const other = new DatabaseSync(file);
    other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    expect(refusal().message).toMatch(/locked by another process/);
    other.close();
  });

  test('in a place that cannot be written to is refused', () => {
    writeFileSync(join(folder, 'plain'), '');
    expect(() => open(join(folder, 'plain', 'store.sqlite'))).toThrow(/STORE_URL.*cannot be opened \(E/);
    expect(() => open('/proc/store.sqlite')).toThrow(/STORE_URL.*cannot be opened; check/);
  });

  function refusal(): StartError {
    try {
      close(open());
    } catch (error) {
      if (error instanceof StartError) return error;
      throw error;
    }
    throw new Error('the file was accepted');
  }

  function sql(statements: string): void {
    const database = new DatabaseSync(file);
    database.exec(statements);
    database.close();
  }

  function newer(): void {
    close(open());
    sql('PRAGMA user_version = 99');
  }

  function truncated(): void {
    close(open());
    sql(`INSERT INTO entries (namespace, key, value)
      SELECT 'a', value, hex(zeroblob(500)) FROM json_each('[${Array.from({ length: 500 }, (_, index) => index)}]')`);
    truncateSync(file, 100 * 1024);
  }
});
