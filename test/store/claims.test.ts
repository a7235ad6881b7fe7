import { expect, test } from 'vitest';
import { createDocumentClaims } from '../../src/store/claims.ts';
import { documentsInMemory } from '../support/documents-in-memory.ts';

const MINUTE = 60_000;

test('claims that have ended are deleted by the next one', async () => {
  let now = Date.UTC(2026, 2, 5, 12);
  const documents = documentsInMemory(() => now);
  const { claim } = createDocumentClaims(documents);
  for (const key of ['a', 'b']) await claim(key, MINUTE);
  await claim('c', 10 * MINUTE);
  now += MINUTE;
  expect(await claim('d', MINUTE)).toBe(true);
  expect([...(await documents.all('claims')).keys()].toSorted()).toEqual(['c', 'd']);
  expect(await claim('c', 10 * MINUTE)).toBe(false);
});

test('a clock that was ahead and is set back keeps nobody out', async () => {
  let now = Date.UTC(2027, 2, 5, 12);
  const { claim } = createDocumentClaims(documentsInMemory(() => now));
  await claim('a', MINUTE);
  now = Date.UTC(2026, 2, 5, 12);
  expect(await claim('a', MINUTE)).toBe(true);
  expect(await claim('a', MINUTE)).toBe(false);
});
