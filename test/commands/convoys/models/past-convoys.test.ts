/** Results of convoys that are over, and the number of them for each person. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PastConvoy } from '../../../../commands/convoys/models/convoy.ts';
import {
  createPastConvoys,
  pastConvoyCollections,
} from '../../../../commands/convoys/models/past-convoys.ts';
import { changeDocuments } from '../../../../src/store/change.ts';
import type { Documents } from '../../../../src/store/documents.ts';
import { forgetPerson } from '../../../../src/store/forget.ts';
import { documentsInMemory } from '../../../support/documents-in-memory.ts';

const DAY = 24 * 3600_000;
const NOW = Date.parse('2026-11-27T19:00Z');
const PEOPLE = ['411111111111111111', '422222222222222222', '433333333333333333'] as const;
const [ANNA, BEN] = PEOPLE;

function past(id: number, people: readonly string[], at = NOW): PastConvoy {
  const there = people.map((person) => ({ person }));
  const result = { there, hidden: 0, peak: 1, known: true, holes: [], usual: null };
  return { id: String(id).padStart(16, '0'), title: 'Run', server: 'two', at, channel: '8', result };
}

async function add(documents: Documents, guild: string, ...all: readonly PastConvoy[]): Promise<void> {
  for (const one of all)
    await changeDocuments(documents, (transaction) =>
      createPastConvoys(documents).add(transaction, guild, one, NOW),
    );
}

async function recount(documents: Documents, person: string): Promise<number> {
  const texts = [...(await documents.all('convoy-results')).values()];
  const all: readonly PastConvoy[] = texts.flatMap((text) => JSON.parse(text));
  return all.filter(({ result }) => result?.there.some((one) => one.person === person)).length;
}

test('each person’s number is that of the stored results, after any change', async () => {
  const guild = fc.constantFrom('1', '2');
  const step = fc.oneof(
    fc.record({ do: fc.constant('add'), guild, people: fc.subarray([...PEOPLE]), days: fc.nat(450) }),
    fc.record({ do: fc.constant('leave'), guild, days: fc.nat(450) }),
    fc.record({ do: fc.constant('tidy'), days: fc.nat(450) }),
    fc.record({ do: fc.constant('forget'), person: fc.constantFrom(...PEOPLE) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      const documents = documentsInMemory();
      await add(documents, '1', past(1, [ANNA, BEN]), past(2, [ANNA], NOW - 300 * DAY));
      const all = createPastConvoys(documents);
      for (const [index, one] of steps.entries()) {
        const at = NOW - ('days' in one ? one.days : 0) * DAY;
        if (one.do === 'add' && 'people' in one)
          await add(documents, one.guild, past(10 + index, one.people, at));
        if (one.do === 'leave' && 'guild' in one) await all.removeIn(one.guild, at);
        if (one.do === 'tidy') await all.tidy(at + 400 * DAY);
        if (one.do === 'forget' && 'person' in one)
          await forgetPerson(documents, pastConvoyCollections, one.person);
      }
      for (const person of PEOPLE) expect(await all.countOf(person)).toBe(await recount(documents, person));
    }),
    { numRuns: 100 },
  );
});

test('nothing reads the results of all servers', async () => {
  const documents = documentsInMemory();
  await add(documents, '1', past(1, [ANNA]));
  const read: string[] = [];
  const watched: Documents = {
    ...documents,
    read(collection, key, maxAge) {
      if (collection === 'convoy-results') read.push(key);
      return documents.read(collection, key, maxAge);
    },
    all(collection) {
      if (collection === 'convoy-results') read.push('all');
      return documents.all(collection);
    },
  };
  const all = createPastConvoys(watched);
  for (let round = 0; round < 3; round += 1) {
    await all.tidy(NOW);
    expect([...(await all.guilds())]).toEqual(['1']);
    await all.countOf(ANNA);
  }
  expect(read).toEqual([]);
  await all.tidy(NOW + 400 * DAY);
  expect(new Set(read)).toEqual(new Set(['1']));
  expect(await all.countOf(ANNA)).toBe(0);
});
