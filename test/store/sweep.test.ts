/** What is stored with a time of the wall clock, over a clock that is set back by days. */
import { expect, test } from 'vitest';
import { DAY, HOUR } from '../../src/base/duration.ts';
import { createProofs } from '../../src/community/accounts/proofs.ts';
import type { Documents } from '../../src/store/documents.ts';
import { claimCleaning, ownsStore } from '../../src/store/owner.ts';
import { documentsInMemory } from '../support/documents-in-memory.ts';
import { outboxTo, rolesNotice } from '../support/messages.ts';

const NOON = Date.UTC(2026, 2, 5, 12);
const BACK = NOON - 3 * DAY;
const request = { username: 'k3nny', card: 'app/secret', locale: 'de' };
interface Kept {
  /** Stores one of a day ago. */
  put(at: number): Promise<unknown>;
  /** What a process does every now and then. */
  work(now: number): Promise<unknown>;
}

test.for([
  [
    'proofs',
    (documents: Documents): Kept => {
      const proofs = createProofs(documents);
      return {
        put: (at) => proofs.begin('1', request, at),
        work: async (now) => {
          await proofs.begin('2', request, now);
          await documents.commit([], [{ collection: 'proofs', key: '2', text: null }]);
        },
      };
    },
  ],
  [
    'unsent-notices',
    (documents: Documents): Kept => {
      const time = { now: 0 };
      const clock = { now: () => time.now, monotonic: () => time.now, after: () => () => {} };
      const away = { post: () => Promise.reject(new Error('Discord does not answer')) };
      const { outbox, runs } = outboxTo(away, { documents, clock });
      return {
        async put(at) {
          time.now = at;
          await outbox.send(rolesNotice('1'));
        },
        async work(now) {
          time.now = now;
          await outbox.round();
          await runs.idle();
        },
      };
    },
  ],
] as const)('%s that are over go, also after the clock was set back', async ([collection, create]) => {
  const documents = documentsInMemory();
  const { put, work } = create(documents);
  const count = async () => (await documents.all(collection)).size;
  await work(NOON);
  await put(BACK - DAY - HOUR);
  expect(await count()).toBe(1);
  await work(BACK);
  expect(await count()).toBe(0);
  // Something of a future that never came is over as well.
  await put(NOON);
  await work(BACK + HOUR);
  expect(await count()).toBe(0);
});

test('servers that a clock ahead has cleaned do not count once it is set back', async () => {
  const documents = documentsInMemory();
  const application = { id: '1', takesStore: false };
  await ownsStore(documents, application, true);
  expect(await claimCleaning(documents, '1', 1, NOON)).toBe(true);
  expect(await claimCleaning(documents, '1', 1, NOON + DAY - HOUR)).toBe(false);
  expect(await claimCleaning(documents, '1', 1, BACK)).toBe(true);
  expect(await claimCleaning(documents, '1', 1, BACK + HOUR)).toBe(false);
});
