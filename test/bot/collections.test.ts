/**
 * Each declared collection reads what earlier versions stored, forgets a person, and its data reach the person, over both kinds
 * of store.
 */
import { test as alone, describe, expect } from 'vitest';
import { languages } from '../../src/base/languages.ts';
import { collections } from '../../src/bot/collections.ts';
import { forgetLines, storedData } from '../../src/community/accounts/own-data.ts';
import { changeDocuments } from '../../src/store/change.ts';
import type { Collections } from '../../src/store/collection.ts';
import { type Document, type Documents, idOf } from '../../src/store/documents.ts';
import { forgetPerson } from '../../src/store/forget.ts';
import { overEachStore } from '../store/over-each-store.ts';
import { documentsInMemory } from '../support/documents-in-memory.ts';
import { readStored } from '../support/personal-data.ts';
import { noStoredData, storedDocuments } from '../support/stored-data.ts';
import { createTranslators } from '../support/translators.ts';

const ANNA = '281474976710657001';
const BORIS = '281474976710657002';
const ofAnna = storedDocuments({ person: ANNA, username: 'k3nny', guild: '100000000000000001' });
const ofBoris = storedDocuments({ person: BORIS, username: 'b0ris', guild: '100000000000000002' });

const translatorFor = createTranslators();
const t = translatorFor('en-GB');
const personal = collections.flatMap(({ name, person }) =>
  person === null ? [] : [{ name, exported: person.export }],
);
const exports = personal.flatMap(({ exported }) =>
  'partOf' in exported || 'derivedFrom' in exported ? [] : [...exported],
);

const fileOf = async (documents: Documents) => (await readStored(ANNA, documents)).file;

const unexpected = (_collection: string, error: unknown): never => {
  throw error;
};

async function holding(documents: readonly Document[]): Promise<Documents> {
  const memory = documentsInMemory();
  await memory.commit([], documents);
  return memory;
}

alone.each(collections)('$name reads what an earlier version stored', ({ name, parse, person }) => {
  const stored = ofAnna.get(name) ?? [];
  expect(stored, `test/support/stored-data.ts, or that of the feature, has no ${name}`).not.toEqual([]);
  for (const { key, text } of stored) {
    expect(parse(text ?? ''), key).not.toBeNull();
    expect((key + text).includes(ANNA), `${name} names the person`).toBe(person !== null);
  }
});

describe.each(personal)('$name', ({ name, exported }) => {
  alone('is part of the file of /privacy, or follows from another collection', async () => {
    const all = await fileOf(await holding([...ofAnna.values()].flat()));
    const others = [...ofAnna].filter(([other]) => other !== name).flatMap(([, documents]) => documents);
    const without = await fileOf(await holding(others));
    if ('derivedFrom' in exported) expect(without).toEqual(all);
    else expect(without).not.toEqual(all);
  });

  alone('names a declared collection if another one exports its data', () => {
    if ('partOf' in exported) expect(personal.map((other) => other.name)).toContain(exported.partOf);
    if ('derivedFrom' in exported)
      expect(personal.map((other) => other.name)).toContain(exported.derivedFrom);
  });

  alone('has lines in /privacy and in the question of /forget-me, in each language', async () => {
    if ('partOf' in exported || 'derivedFrom' in exported) return;
    const documents = await holding([...ofAnna.values()].flat());
    for (const { read, question } of exported) {
      const { lines } = await read(documents, ANNA);
      for (const translator of languages.map((language) => translatorFor(language))) {
        expect(lines(translator).length).toBeGreaterThan(0);
        const asked = await forgetLines(translator, { collections, failed: unexpected });
        const line = question(translator);
        if (line !== null) expect(asked).toContain(line);
        expect([...lines(translator), ...asked].join('\n')).not.toMatch(/[{}]|undefined/);
      }
    }
  });
});

alone('each stored document is of a declared collection', () => {
  const declared = collections.map(({ name }) => name);
  expect([...ofAnna.keys()].filter((name) => !declared.includes(name))).toEqual([]);
});

alone('each key of the file is used once', () => {
  expect(new Set(exports.map(({ name }) => name)).size).toBe(exports.length);
});

alone('the file and the lines of /privacy have the same order, from the account to the boards', async () => {
  const kinds = exports.map(({ name }) => name);
  expect([kinds[0], kinds.at(-1)]).toEqual(['link', 'boards']);
  const documents = await holding([...ofAnna.values()].flat());
  const { file, lines } = await readStored(ANNA, documents);
  // A feature that was removed has no data.
  expect(Object.keys(file)).toEqual(kinds.filter((kind) => kind in file));
  const ownLines = await Promise.all(exports.map(async ({ read }) => (await read(documents, ANNA)).lines(t)));
  expect(lines).toEqual(ownLines.flat());
});

/** What a person reads of these collections, with those whose export failed. */
async function readWhole(documents: Documents, all: Collections) {
  const failures: string[] = [];
  const failed = (collection: string): void => void failures.push(collection);
  const parts = { documents, collections: all, failed };
  return { ...(await storedData(ANNA, t, parts)), question: await forgetLines(t, parts), failures };
}

describe.each(personal)('if $name cannot be read', ({ name, exported }) => {
  alone('the file says so, has all the rest, and the person is forgotten', async () => {
    const broken = (ofAnna.get(name) ?? []).map((one) => ({ ...one, text: `{"by":"${ANNA}"` }));
    const others = [...ofAnna].filter(([other]) => other !== name).flatMap(([, documents]) => documents);
    const ofOthers = [...ofBoris.values()].flat();
    const documents = await holding([...broken, ...others, ...ofOthers]);
    const whole = await fileOf(await holding([...ofAnna.values()].flat()));
    const { file, lines, question, failures } = await readWhole(documents, collections);
    expect(question.length).toBeGreaterThan(0);
    const unread = Object.keys(file).filter((key) => file[key] === 'could not be read');
    expect(unread.length > 0).toBe(!('derivedFrom' in exported));
    expect([failures.length > 0, lines.includes(t('privacy.unreadable'))]).toEqual(
      unread.length > 0 ? [true, true] : [false, false],
    );
    for (const key of Object.keys(whole).filter((key) => !unread.includes(key)))
      expect(file[key], key).toEqual(whole[key]);
    await forgetPerson(documents, collections, ANNA);
    const naming = (await documents.naming(ANNA)).filter(({ collection }) =>
      personal.some((each) => each.name === collection),
    );
    expect(naming).toEqual([]);
    for (const { collection, key, text } of ofOthers)
      expect((await documents.read(collection, key)).text, collection).toBe(text);
  });
});

const failing = (): never => {
  throw new Error('a bug');
};

alone.each(
  exports.flatMap((one) =>
    (['read', 'lines', 'question'] as const).map((part) => ({ name: one.name, part, one })),
  ),
)('if $part of the export $name throws, the others are told', async ({ part, one }) => {
  const documents = await holding([...ofAnna.values()].flat());
  const { read } = one;
  const broken = {
    read: { ...one, read: failing },
    lines: {
      ...one,
      read: async (...asked: Parameters<typeof read>) => ({ ...(await read(...asked)), lines: failing }),
    },
    question: { ...one, question: failing },
  }[part];
  const withBroken = collections.map((collection) => {
    if (collection.person === null) return collection;
    const { export: exported } = collection.person;
    if ('partOf' in exported || 'derivedFrom' in exported) return collection;
    const [first, ...rest] = exported.map((each) => (each === one ? broken : each));
    return first === undefined
      ? collection
      : { ...collection, person: { ...collection.person, export: [first, ...rest] as const } };
  });
  const { file, failures, question } = await readWhole(documents, withBroken);
  const whole = await fileOf(documents);
  expect(file).toEqual(part === 'question' ? whole : { ...whole, [one.name]: 'could not be read' });
  expect(failures).toHaveLength(1);
  expect(question.length).toBeGreaterThan(0);
});

alone('the file has a key of each kind for a person about whom nothing is stored', () => {
  expect(Object.keys(noStoredData).toSorted()).toEqual(exports.map(({ name }) => name).toSorted());
  for (const data of Object.values(noStoredData)) expect([null, []]).toContainEqual(data);
});

/** The documents of all collections that have the id, as a search of all texts finds them. */
async function searchAll(documents: Documents, id: string): Promise<readonly string[]> {
  const all = await Promise.all(
    collections.map(async ({ name }) =>
      [...(await documents.all(name))].flatMap(([key, text]) =>
        (key + text).includes(id) ? [`${name} ${key}`] : [],
      ),
    ),
  );
  return all.flat().toSorted();
}

overEachStore((test, { isFile }) => {
  test('the index of people has each document that names one, whoever wrote it', async ({ one, two }) => {
    const { documents } = one;
    const compare = async () => {
      for (const id of [ANNA, BORIS])
        expect((await two.documents.naming(id)).map(idOf).toSorted()).toEqual(await searchAll(documents, id));
    };
    const write = (collection: Collections[number], key: string, value: unknown) =>
      changeDocuments(documents, async (transaction) => {
        await transaction.read(collection, key);
        transaction.write(collection, key, value);
      });
    const valuesOf = (all: typeof ofAnna, { name, parse }: Collections[number]) =>
      (all.get(name) ?? []).map(({ key, text }) => [key, parse(text ?? '')] as const);
    for (const collection of collections) {
      for (const [key, value] of [...valuesOf(ofAnna, collection), ...valuesOf(ofBoris, collection)])
        await write(collection, key, value);
      const { name, person } = collection;
      expect((await documents.naming(ANNA, name)).length > 0, name).toBe(person !== null);
    }
    await compare();
    // Each document of hers has his values instead, and is gone then.
    for (const collection of collections)
      for (const [index, [key]] of valuesOf(ofAnna, collection).entries())
        await write(collection, key, valuesOf(ofBoris, collection)[index]?.[1] ?? null);
    await compare();
    for (const collection of collections)
      for (const [key] of valuesOf(ofAnna, collection)) await write(collection, key, null);
    await compare();
    expect(await documents.naming(ANNA)).toEqual([]);
    expect((await documents.naming(BORIS)).length).toBeGreaterThanOrEqual(personal.length);
  });

  test.runIf(!isFile)('a person is in no row once forgotten', async ({ place, one, two }) => {
    await one.documents.commit([], [...ofAnna.values()].flat());
    await two.forgetter.forget(ANNA);
    expect(await place.holding(ANNA)).toEqual([]);
    expect((await one.documents.all('forgetting-debts')).size).toBe(0);
    await two.forgetter.search(ANNA);
    expect(await place.holding(ANNA)).toEqual([]);
  });

  test('a person is found and forgotten in what cannot be read', async ({ place, one, two }) => {
    const broken = personal
      .flatMap(({ name }) => ofAnna.get(name) ?? [])
      .map((document) => ({ ...document, text: `{"by":"${ANNA}"` }));
    const others = [...ofBoris.values()].flat();
    await one.documents.commit([], [...broken, ...others]);
    expect((await two.documents.naming(ANNA)).map(idOf).toSorted()).toEqual(broken.map(idOf).toSorted());
    expect(await two.forgetNow(ANNA)).toEqual([]);
    expect(await place.holding(ANNA)).toEqual([]);
    for (const { collection, key, text } of others)
      expect((await one.documents.read(collection, key)).text, collection).toBe(text);
  });

  test('forgets a person in each collection, and exports each kind before', async ({ place, one, two }) => {
    await one.documents.commit([], [...ofAnna.values(), ...ofBoris.values()].flat());
    const stored = await readStored(ANNA, two.documents);
    for (const [name, data] of Object.entries(stored.file)) expect([null, []], name).not.toContainEqual(data);
    expect(JSON.stringify(stored.file)).not.toContain('app/secret');

    expect(await two.forgetNow(ANNA)).toEqual([]);
    expect(await place.holding(ANNA)).toEqual([]);
    expect(await readStored(ANNA, one.documents)).toEqual({ lines: [], file: noStoredData });
    const nobodys = [...ofAnna].flatMap(([name, all]) =>
      personal.some((each) => each.name === name) ? [] : all,
    );
    for (const { collection, key, text } of [...nobodys, ...[...ofBoris.values()].flat()])
      expect((await one.documents.read(collection, key)).text, collection).toBe(text);
  });
});
