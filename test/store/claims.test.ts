import { expect, test } from 'vitest';
import { createDocumentClaims } from '../../src/store/claims.ts';
import { documentsInMemory } from '../support/documents-in-memory.ts';

const MINUTE = 60_000;

test('claims that have ended are deleted within the hour', async () => {
  let now = Date.UTC(2026, 2, 5, 12);
  const documents = documentsInMemory(() => now);
  const { claim } = createDocumentClaims(documents);
  for (const key of ['a', 'b']) await claim(key, MINUTE);
  await claim('c', 100 * MINUTE);
  now += 60 * MINUTE;
  expect(await claim('d', MINUTE)).toBe(true);
  expect([...(await documents.all('claims')).keys()].toSorted()).toEqual(['c', 'd']);
  expect(await claim('c', 100 * MINUTE)).toBe(false);
});

test('a clock that was ahead and is set back keeps nobody out', async () => {
  let now = Date.UTC(2027, 2, 5, 12);
  const { claim } = createDocumentClaims(documentsInMemory(() => now));
  await claim('a', MINUTE);
  now = Date.UTC(2026, 2, 5, 12);
  expect(await claim('a', MINUTE)).toBe(true);
  expect(await claim('a', MINUTE)).toBe(false);
});

test('two hundred claims at once are two hundred commits, none repeated', async () => {
  const documents = documentsInMemory();
  let commits = 0;
  const commit: typeof documents.commit = (...asked) => {
    commits += 1;
    return documents.commit(...asked);
  };
  const { claim } = createDocumentClaims({ ...documents, commit });
  const claimed = await Promise.all(Array.from({ length: 200 }, (_, at) => claim(`claim ${at}`, MINUTE)));
  expect([claimed.every((one) => one), commits]).toEqual([true, 200]);
  expect(await claim('claim 7', MINUTE)).toBe(false);
});
