/** What every kind of store promises of documents: the same table, run over SQLite, PostgreSQL and memory. */
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { StoreError } from '../../src/base/errors.ts';
import { changeDocuments } from '../../src/store/change.ts';
import {
  declareCollection,
  deriveFromCollection,
  readAll,
  readDocument,
} from '../../src/store/collection.ts';
import { type Document, type Documents, readVersion } from '../../src/store/documents.ts';
import { documentsInMemory } from '../support/documents-in-memory.ts';
import { hasPostgres } from '../support/requirements.ts';
import { postgresPlace, sqlitePlace } from './support.ts';

interface CleanedDocuments extends Documents {
  /** Removes what was deleted from the files. */
  clean(): Promise<void>;
}

interface DocumentsPlace {
  open(): Promise<CleanedDocuments>;
  holding(text: string): Promise<readonly string[]>;
  flush(): Promise<void>;
  end(): Promise<void>;
}

async function storePlace(make: typeof sqlitePlace): Promise<DocumentsPlace> {
  const place = await make();
  return {
    ...place,
    async open() {
      const { documents, clean } = await place.open();
      const nothing = async (): Promise<void> => {};
      const { signal } = new AbortController();
      return {
        ...documents,
        clean: () => clean({ inCopies: nothing, copiesCleaned: nothing, signal }),
      };
    },
  };
}

async function memoryPlace(): Promise<DocumentsPlace> {
  let documents = documentsInMemory();
  const current = {
    read: (...asked: Parameters<Documents['read']>) => documents.read(...asked),
    all: (...asked: Parameters<Documents['all']>) => documents.all(...asked),
    commit: (...asked: Parameters<Documents['commit']>) => documents.commit(...asked),
    naming: (...asked: Parameters<Documents['naming']>) => documents.naming(...asked),
    clean: async () => {},
  };
  return {
    open: async () => current,
    holding: async () => [],
    async flush() {
      documents = documentsInMemory();
    },
    async end() {},
  };
}

const ID = '281474976710657001';
const count = declareCollection({ name: 'count', schema: z.number(), unreadable: 'none', person: 'nobody' });
const total = declareCollection({ name: 'total', schema: z.number(), unreadable: 'none', person: 'nobody' });
const strict = declareCollection({
  name: 'strict',
  schema: z.number(),
  unreadable: 'reject',
  person: 'nobody',
});
const document = (key: string, text: string | null, name = 'count'): Document => ({
  collection: name,
  key,
  text,
});

describe.each([
  { name: 'SQLite', make: () => storePlace(sqlitePlace), runs: true },
  { name: 'PostgreSQL (needs postgres)', make: () => storePlace(postgresPlace), runs: hasPostgres },
  { name: 'memory', make: memoryPlace, runs: true },
])('$name', ({ make, runs, name }) => {
  describe.runIf(runs)('keeps documents', () => {
    let place: DocumentsPlace;
    /** Two processes. */
    let one: CleanedDocuments;
    let two: CleanedDocuments;

    beforeAll(async () => {
      place = await make();
      one = await place.open();
      two = await place.open();
    });
    afterAll(() => place.end());
    beforeEach(() => place.flush());

    test('of any key and text, apart by collection, with the time', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.string({ unit: 'grapheme' }),
          fc.string({ unit: 'grapheme' }),
          async (key, text) => {
            expect(await one.commit([], [document(key, text), document(key, 'other', 'total')])).toBe(true);
            expect((await two.read('count', key)).text).toBe(text);
            expect((await two.all('count')).get(key)).toBe(text);
          },
        ),
      );
      expect((await two.read('nothing', 'x')).text).toBeNull();
      expect(await two.all('nothing')).toEqual(new Map());
      expect(Math.abs((await two.read('nothing', 'x')).now - Date.now())).toBeLessThan(5000);
    });

    test('and reads any number of them', async () => {
      const many = Array.from({ length: 5000 }, (_, index) => document(`k${index}`, `${index}`));
      for (let at = 0; at < many.length; at += 500) await one.commit([], many.slice(at, at + 500));
      const all = await two.all('count');
      expect(all.size).toBe(5000);
      expect(all.get('k4999')).toBe('4999');
    });

    test('writes all or nothing, and only where everything that was read is as it was', async () => {
      await one.commit([], [document('a', '1'), document('b', '2'), document('x', '3', 'total')]);
      const stale: readonly (readonly Document[])[] = [
        [document('a', '0')],
        [document('a', null)],
        [document('a', '1'), document('x', '2', 'total')],
        [document('a', '1'), document('missing', '')],
      ];
      for (const read of stale)
        expect(await two.commit(read, [document('b', '9'), document('x', null, 'total')])).toBe(false);
      expect(await one.all('count')).toEqual(
        new Map([
          ['a', '1'],
          ['b', '2'],
        ]),
      );
      expect(await one.all('total')).toEqual(new Map([['x', '3']]));
      const read = [document('a', '1'), document('x', '3', 'total'), document('missing', null)];
      expect(await two.commit(read, [document('b', null), document('x', '4', 'total')])).toBe(true);
      expect(await one.all('count')).toEqual(new Map([['a', '1']]));
      expect(await one.all('total')).toEqual(new Map([['x', '4']]));
    });

    test('raises the version of a collection after each commit to it, and of no other', async () => {
      const versions = [await readVersion(two, 'count')];
      const look = async (): Promise<void> => void versions.push(await readVersion(two, 'count'));
      await one.commit([], [document('a', '1')]);
      await look();
      await two.commit([], [document('a', '1')]);
      await look();
      await one.commit([], [document('a', null)]);
      await look();
      expect(versions[0]).toBe(0);
      expect(versions).toEqual(versions.toSorted((a, b) => a - b));
      expect(new Set(versions).size).toBe(4);
      await one.commit([], [document('a', '1', 'total')]);
      await one.commit([document('a', 'not that')], [document('a', '2')]);
      await one.commit([document('a', null)], []);
      expect(await readVersion(two, 'count')).toBe(versions.at(-1));
    });

    test('never has the same version twice, even after it was emptied', async () => {
      await one.commit([], [document('a', '1')]);
      const before = await readVersion(one, 'count');
      const at = Date.now();
      await vi.waitUntil(() => Date.now() > at, { interval: 1 });
      await place.flush();
      expect(await readVersion(one, 'count')).toBe(0);
      await one.commit([], [document('a', '2')]);
      expect(await readVersion(one, 'count')).toBeGreaterThan(before);
    });

    test('loses no change of many that are made at once', async () => {
      const add = (documents: Documents, key: string) =>
        changeDocuments(documents, async (transaction) => {
          const next = ((await transaction.read(count, key)) ?? 0) + 1;
          transaction.write(count, key, next);
          transaction.write(total, 'all', ((await transaction.read(total, 'all')) ?? 0) + 1);
          return next;
        });
      const results = await Promise.all(
        Array.from({ length: 30 }, (_, index) => add(index % 2 === 0 ? one : two, `k${index % 3}`)),
      );
      expect(results.toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: 30 }, (_, index) => 1 + Math.floor(index / 3)),
      );
      expect(await readDocument(one, total, 'all')).toBe(30);
      expect(await readAll(two, count)).toEqual(
        new Map([
          ['k0', 10],
          ['k1', 10],
          ['k2', 10],
        ]),
      );
    });

    test('repeats a change if what it read has changed, and lets it see its own writes', async () => {
      await one.commit([], [document('a', '1'), document('b', '1')]);
      const seen: (number | null)[] = [];
      await changeDocuments(one, async (transaction) => {
        const before = await transaction.read(count, 'a');
        seen.push(before);
        if (seen.length === 1) await two.commit([], [document('a', '5')]);
        expect(await transaction.read(count, 'a')).toBe(before);
        expect(Math.abs(transaction.now() - Date.now())).toBeLessThan(5000);
        transaction.write(count, 'a', (before ?? 0) + 1);
        transaction.write(count, 'b', null);
        expect(await transaction.read(count, 'a')).toBe((before ?? 0) + 1);
        expect(await transaction.read(count, 'b')).toBeNull();
      });
      expect(seen).toEqual([1, 5]);
      expect(await two.all('count')).toEqual(new Map([['a', '6']]));
    });

    test('a change that throws writes nothing; one that changes nothing keeps the version', async () => {
      await one.commit([], [document('a', '1')]);
      const version = await readVersion(one, 'count');
      await expect(
        changeDocuments(one, async (transaction) => {
          transaction.write(count, 'a', 2);
          throw new RangeError('thought better of it');
        }),
      ).rejects.toThrow('thought better of it');
      await changeDocuments(one, async (transaction) => {
        transaction.write(count, 'a', await transaction.read(count, 'a'));
      });
      expect(await readVersion(two, 'count')).toBe(version);
      expect(await readDocument(two, count, 'a')).toBe(1);
    });

    test('a text that cannot be read counts as its collection says', async () => {
      const bad = [document('a', '{"half":'), document('b', '"text"'), document('c', '3')];
      await one.commit([], [...bad, ...bad.map((each) => ({ ...each, collection: 'strict' }))]);
      expect(await readDocument(two, count, 'a')).toBeNull();
      expect(await readAll(two, count)).toEqual(new Map([['c', 3]]));
      await changeDocuments(two, async (transaction) => {
        expect(await transaction.read(count, 'b')).toBeNull();
        transaction.write(count, 'b', 2);
      });
      expect(await readDocument(one, count, 'b')).toBe(2);

      await expect(readDocument(two, strict, 'a')).rejects.toThrow(StoreError);
      await expect(readAll(two, strict)).rejects.toThrow(StoreError);
      await expect(changeDocuments(two, (transaction) => transaction.read(strict, 'b'))).rejects.toThrow(
        StoreError,
      );
      expect(await readDocument(two, strict, 'c')).toBe(3);
    });

    test('computes a derived value again only after a change, parsing only what changed', async () => {
      let parsed = 0;
      const counting = declareCollection({
        name: 'count',
        schema: z.number().transform((value) => {
          parsed += 1;
          return value;
        }),
        unreadable: 'reject',
        person: 'nobody',
      });
      let computed = 0;
      const sum = deriveFromCollection(one, counting, (all) => {
        computed += 1;
        return [...all.values()].reduce((a, b) => a + b, 0);
      });
      expect([await sum(), await sum()]).toEqual([0, 0]);
      expect(computed).toBe(1);
      await two.commit([], [document('a', '2'), document('b', '3'), document('c', 'x')]);
      await two.commit([], [document('a', '3', 'strict')]);
      expect([await sum(), await sum()]).toEqual([5, 5]);
      await two.commit([], [document('a', '7'), document('c', null)]);
      expect([await sum(), await sum()]).toEqual([10, 10]);
      expect([computed, parsed]).toEqual([3, 3]);
    });

    test('what is written while a collection is read is derived the next time', async () => {
      const counting = declareCollection({
        name: 'count',
        schema: z.number(),
        unreadable: 'reject',
        person: 'nobody',
      });
      let writes = 1;
      const slow: Documents = {
        ...one,
        async all(name) {
          const texts = await one.all(name);
          if (writes > 0) await two.commit([], [document('a', '5')]);
          writes -= 1;
          return texts;
        },
      };
      const sum = deriveFromCollection(slow, counting, (all) => [...all.values()].reduce((a, b) => a + b, 0));
      expect([await sum(), await sum()]).toEqual([0, 5]);
    });

    test('finds the documents that hold an id, in their keys or in their texts', async () => {
      const others = Array.from({ length: 250 }, (_, index) => document(`k${index}`, `${index}`));
      const elsewhere = { collection: 'of another version', key: 'a', text: `{"by":"${ID}` };
      const longer = document('longer', `${ID}9`);
      await one.commit(
        [],
        [...others, document(`${ID} key`, 'x'), document('b', `x${ID}x`), elsewhere, longer],
      );
      const find = async () => (await two.naming(ID)).map(({ collection, key }) => `${collection} ${key}`);
      const all = [`${count.name} ${ID} key`, `${count.name} b`, 'of another version a'];
      expect(await find()).toEqual(all);
      expect(await two.naming(`${ID}8`)).toEqual([]);
      expect(await two.naming(ID, elsewhere.collection)).toEqual([
        { collection: elsewhere.collection, key: 'a' },
      ]);
      expect(await two.naming(ID, 'of nothing')).toEqual([]);
      // A refused commit changes nothing.
      expect(await two.commit([document('b', 'never read')], [document('b', 'x')])).toBe(false);
      expect(await find()).toEqual(all);
      await two.commit([], [document('b', 'x'), document('c', `"${ID}"`), document(`${ID} key`, null)]);
      await one.commit([document('c', `"${ID}"`)], [document('c', `"${ID}","${ID}"`)]);
      expect(await find()).toEqual([`${count.name} c`, 'of another version a']);
    });

    test.runIf(name === 'SQLite')('leaves no byte of what was deleted or overwritten', async () => {
      const long = (key: string, length: number) => document(key, 'S3CRET '.repeat(length));
      const texts = Array.from({ length: 300 }, (_, index) => long(`k${index}`, 1 + ((index * 37) % 900)));
      await one.commit([], [...texts, document('S3CRET key', 'x'), document('stays', 'y')]);
      await two.commit(
        [],
        texts.slice(0, 100).map(({ key }) => document(key, 'short')),
      );
      expect((await place.holding('S3CRET')).length).toBeGreaterThan(0);
      await two.commit([], [...texts.map(({ key }) => document(key, null)), document('S3CRET key', null)]);
      await two.clean();
      expect(await place.holding('S3CRET')).toEqual([]);
      expect(await one.all('count')).toEqual(new Map([['stays', 'y']]));
    });
  });
});

test('a store that never agrees with what was read from it does not hang', async () => {
  const documents: Documents = { ...documentsInMemory(), commit: async () => false };
  const changed = changeDocuments(documents, async (transaction) => transaction.write(count, 'a', 1));
  await expect(changed).rejects.toThrow(StoreError);
});
