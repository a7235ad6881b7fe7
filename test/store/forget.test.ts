/** When the files of a store are cleaned of people who were deleted, over each kind of store. */
import { globSync, readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Clock } from '../../src/base/clock.ts';
import { HOUR, MINUTE } from '../../src/base/duration.ts';
import { collections } from '../../src/bot/collections.ts';
import { declareCollection } from '../../src/store/collection.ts';
import type { Documents } from '../../src/store/documents.ts';
import { createForgetter, findUndeclared } from '../../src/store/forget.ts';
import { VirtualTime } from '../sim/virtual-time.ts';
import { documentsInMemory } from '../support/documents-in-memory.ts';
import { overEachStore } from './over-each-store.ts';

const ANNA = '281474976710657001';
const BORIS = '281474976710657002';

const notes = declareCollection({
  name: 'notes',
  schema: z.array(z.string()),
  unreadable: 'none',
  person: {
    forget: (all, personId) => all.filter((one) => one !== personId),
    export: { derivedFrom: 'people' },
  },
});
const counts = declareCollection({
  name: 'counts',
  schema: z.number(),
  unreadable: 'none',
  person: 'nobody',
});

interface Cleaned {
  readonly ids: readonly string[];
  readonly minute: number;
}

function open(time: VirtualTime, documents: Documents = documentsInMemory(time.clock.now)) {
  const cleaned: Cleaned[] = [];
  const errors: unknown[] = [];
  const state = { failing: false };
  const start = time.clock.now();
  const forgetterOn = (clock: Clock, paysDebts = true) =>
    createForgetter({
      store: {
        documents,
        isShared: false,
        async clean({ inCopies, copiesCleaned }) {
          await inCopies(['copy']);
          await copiesCleaned();
        },
      },
      collections: [notes, counts],
      async forgetInCopies(_copies, ids) {
        if (state.failing) throw new Error('a copy cannot be changed');
        cleaned.push({ ids: ids.toSorted(), minute: Math.round((clock.now() - start) / MINUTE) });
      },
      paysDebts,
      clock,
      log: { error: (...given: readonly unknown[]) => void errors.push(given) },
    });
  return { documents, cleaned, errors, state, forgetterOn, forgetter: forgetterOn(time.clock) };
}

/** Lets so much virtual time pass, and what it has begun come to an end. */
async function pass(time: VirtualTime, ms: number): Promise<void> {
  await time.pass(ms);
  for (let turn = 0; turn < 50; turn += 1) await setImmediate();
}

const texts = async (documents: Documents, name: string) => Object.fromEntries(await documents.all(name));
const note = (key: string, ...people: readonly string[]) => ({
  collection: 'notes',
  key,
  text: JSON.stringify(people),
});

describe('the files are cleaned', () => {
  test('at once for the first, then once within ten minutes for all who ask', async () => {
    const time = new VirtualTime(0);
    const { documents, forgetter, cleaned } = open(time);
    await documents.commit([], [note('a', ANNA, BORIS, '3')]);
    await forgetter.forget(ANNA);
    expect(await texts(documents, 'notes')).toEqual({ a: JSON.stringify([BORIS, '3']) });
    await pass(time, 1000);
    expect(cleaned).toEqual([{ ids: [ANNA], minute: 0 }]);
    await forgetter.forget(BORIS);
    await pass(time, 4 * MINUTE);
    await forgetter.search('3');
    expect(cleaned).toHaveLength(1);
    // Deleted from the documents all the same.
    expect(await texts(documents, 'notes')).toEqual({ a: '["3"]' });
    await pass(time, 6 * MINUTE);
    expect(cleaned.slice(1)).toEqual([{ ids: [BORIS, '3'].toSorted(), minute: 9 }]);
    expect(await texts(documents, 'notes')).toEqual({ a: '["3"]' });
    expect(await texts(documents, 'forgetting-debts')).toEqual({});
    await pass(time, HOUR);
    expect(cleaned).toHaveLength(2);
    await forgetter.stop();
  });

  test('once an hour for a person about whom nothing is known, and nobody else waits', async () => {
    const time = new VirtualTime(0);
    const { forgetter, cleaned } = open(time);
    await forgetter.search(ANNA);
    await pass(time, MINUTE);
    expect(cleaned).toHaveLength(1);
    for (let minute = 1; minute < 50; minute += 1) {
      await forgetter.search(ANNA);
      await pass(time, MINUTE);
    }
    expect(cleaned).toHaveLength(1);
    // What was stored and deleted meanwhile is still searched for, when the hour is over.
    await pass(time, 20 * MINUTE);
    expect(cleaned.slice(1)).toEqual([{ ids: [ANNA], minute: 63 }]);
    await forgetter.search(ANNA);
    await forgetter.forget(ANNA);
    await pass(time, 10 * MINUTE);
    expect(cleaned).toHaveLength(3);
    await forgetter.stop();
  });

  test('again where that failed, with one line in the log, and after a kill', async () => {
    const time = new VirtualTime(0);
    const { documents, forgetter, cleaned, state, errors, forgetterOn } = open(time);
    state.failing = true;
    await forgetter.forget(ANNA);
    await pass(time, 30 * MINUTE);
    expect(cleaned).toEqual([]);
    expect(errors).toHaveLength(1);
    await expect(forgetter.pay()).rejects.toThrow('cannot be changed');
    await forgetter.stop();
    state.failing = false;
    // The next process knows nothing but what is stored.
    const next = forgetterOn(time.clock);
    await pass(time, MINUTE);
    expect(cleaned.map(({ ids }) => ids)).toEqual([[ANNA]]);
    expect(await texts(documents, 'forgetting-debts')).toEqual({});
    await next.stop();
  });

  test('by the process with the first shard alone', async () => {
    const time = new VirtualTime(0);
    const { documents, forgetter, forgetterOn, cleaned } = open(time);
    const other = forgetterOn(time.clock, false);
    await documents.commit([], [note('a', ANNA, '3')]);
    await other.forget(ANNA);
    expect(await texts(documents, 'notes')).toEqual({ a: '["3"]' });
    await forgetter.stop();
    await pass(time, HOUR);
    expect(cleaned).toEqual([]);
    const next = forgetterOn(time.clock);
    await pass(time, 1000);
    expect(cleaned).toMatchObject([{ ids: [ANNA] }]);
    await Promise.all([other.stop(), next.stop()]);
  });

  test('where the clock was a year ahead when the debt was made', async () => {
    const time = new VirtualTime(0);
    const { documents, forgetter, cleaned } = open(time);
    const ahead = {
      collection: 'forgetting-debts',
      key: ANNA,
      text: JSON.stringify({ step: 'files', due: 366 * 24 * HOUR }),
    };
    await documents.commit([], [ahead]);
    await pass(time, 10 * MINUTE);
    expect(cleaned.map(({ ids }) => ids)).toEqual([[ANNA]]);
    await forgetter.stop();
  });
});

describe('what a person stores', () => {
  test('after the deletion stays, although the files are cleaned later', async () => {
    const time = new VirtualTime(0);
    const { documents, forgetter, cleaned } = open(time);
    await forgetter.forget(BORIS);
    await pass(time, MINUTE);
    await documents.commit([], [note('a', ANNA), { collection: 'garages', key: ANNA, text: '1' }]);
    await forgetter.forget(ANNA);
    await documents.commit([], [note('a', ANNA)]);
    await forgetter.search('3');
    await documents.commit([], [note('3', '3')]);
    await pass(time, 20 * MINUTE);
    expect(cleaned.map(({ ids }) => ids)).toEqual([[BORIS], [ANNA, '3'].toSorted()]);
    expect(await texts(documents, 'notes')).toEqual({ a: JSON.stringify([ANNA]), 3: '["3"]' });
    expect(await texts(documents, 'garages')).toEqual({});
    await forgetter.stop();
  });

  test('names its owner although it cannot be read, and goes as a whole', async () => {
    const time = new VirtualTime(0);
    const { documents, forgetter } = open(time);
    expect(await forgetter.isNamed(ANNA)).toBe(false);
    const unreadable = { collection: 'notes', key: 'broken', text: `{"by":"${ANNA}"` };
    await documents.commit([], [unreadable, note('b', BORIS)]);
    expect(await forgetter.isNamed(ANNA)).toBe(true);
    await forgetter.forget(ANNA);
    // The debt still names the person, until the files are clean.
    expect(await forgetter.isNamed(ANNA)).toBe(false);
    expect(await texts(documents, 'notes')).toEqual({ b: JSON.stringify([BORIS]) });
    await forgetter.stop();
  });

  test('while the deletion runs goes as well', async () => {
    const time = new VirtualTime(0);
    const { documents, forgetter } = open(time);
    await documents.commit([], [note('a', ANNA)]);
    const { naming } = documents;
    let scans = 0;
    documents.naming = async (text) => {
      const found = await naming(text);
      scans += 1;
      if (scans === 1) await documents.commit([], [note('b', ANNA, BORIS)]);
      return found;
    };
    await forgetter.forget(ANNA);
    expect(await texts(documents, 'notes')).toEqual({ a: '[]', b: JSON.stringify([BORIS]) });
    await forgetter.stop();
  });

  test('goes where a process was killed before all of it was deleted', async () => {
    const time = new VirtualTime(0);
    const { documents, forgetter, forgetterOn } = open(time);
    await documents.commit([], [note('a', ANNA)]);
    const { naming } = documents;
    documents.naming = () => new Promise(() => {});
    void forgetter.forget(ANNA);
    await pass(time, 1000);
    expect(await texts(documents, 'notes')).toEqual({ a: JSON.stringify([ANNA]) });
    documents.naming = naming;
    const next = forgetterOn(time.clock);
    await pass(time, 1000);
    expect(await texts(documents, 'notes')).toEqual({ a: '[]' });
    await next.stop();
  });
});

test('no collection is declared without saying whose data it is', () => {
  // @ts-expect-error: `person` is missing, which `npm run check` must refuse.
  const declare = () => declareCollection({ name: 'rumours', schema: z.string(), unreadable: 'none' });
  expect(declare).toThrow();
});

test('all collections of this version are declared', () => {
  const declared = collections.map(({ name }) => name);
  expect(declared.toSorted()).toEqual([...new Set(declared)].toSorted());
  const text = globSync('{src,commands}/**/*.ts')
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const names = [...text.matchAll(/\bdeclareCollection\(\{\s*name: '([a-z-]+)'/g)].map(
    ([, name = '']) => name,
  );
  expect(names.length).toBeGreaterThan(15);
  const missing = names.filter((name) => ![...declared, 'forgetting-debts'].includes(name));
  expect(missing).toEqual([]);
});

overEachStore((overStore) => {
  overStore(
    'a person is deleted from what only a newer version knows, and nobody else is',
    async ({ place, one, two }) => {
      const longer = `${ANNA}9`;
      const of = (key: string, text: string) => ({ collection: 'garages', key, text });
      await one.documents.commit(
        [],
        [
          of(ANNA, '{"cars":3}'),
          of('by text', JSON.stringify({ owner: ANNA, at: 1 })),
          of('of others', JSON.stringify({ owner: BORIS })),
        ],
      );
      await one.guildSettings.change('1', { colours: false });
      expect(await findUndeclared(two.documents, collections)).toEqual(['garages']);
      expect(await two.forgetNow(ANNA)).toEqual([]);
      expect(await texts(one.documents, 'garages')).toEqual({
        'of others': JSON.stringify({ owner: BORIS }),
      });
      expect(await place.holding(ANNA)).toEqual([]);
      await two.forgetNow(longer);
    },
  );
});
