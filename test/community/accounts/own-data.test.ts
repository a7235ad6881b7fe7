import { expect, test } from 'vitest';
import { DAY } from '../../../src/base/duration.ts';
import { collections } from '../../../src/bot/collections.ts';
import { createRepositories } from '../../../src/bot/repositories.ts';
import { createHiddenDrivers } from '../../../src/community/accounts/hidden-drivers.ts';
import { createOwnData } from '../../../src/community/accounts/own-data.ts';
import { forgetPerson } from '../../../src/store/forget.ts';
import { documentsInMemory } from '../../support/documents-in-memory.ts';
import { createTranslators } from '../../support/translators.ts';

const NOW = Date.UTC(2026, 2, 5, 12);
const ANNA = '281474976710657001';
const t = createTranslators()('en-GB');
const unexpected = (_collection: string, error: unknown): never => {
  throw error;
};

/** What is stored of a person who has had a driver for so long, and what the deletions have reached. */
async function setUp(
  more: {
    readonly since?: number;
    readonly shown?: readonly string[];
    readonly hidden?: readonly string[];
  } = {},
) {
  const { since = NOW - 40 * DAY, shown = [], hidden = [] } = more;
  const documents = documentsInMemory();
  const states = createRepositories(documents);
  await states.links.set(ANNA, { username: 'k3nny', since });
  const deleted: string[] = [];
  const drivers = createHiddenDrivers(states.links, { hidden, shown }, { now: () => NOW });
  const data = createOwnData({
    ...{ documents, collections, links: states.links, hidden: drivers },
    forgetter: {
      forget: (personId) => forgetPerson(documents, collections, personId),
      isNamed: async () => true,
      search: async () => {},
    },
    failed: unexpected,
    isShared: false,
    names: { forgetNickname: async (username) => void deleted.push(`name of ${username}`) },
    async forgetDriver(username) {
      deleted.push(`history of ${username}`);
      return ['/backups/old.sqlite'];
    },
  });
  /** Texts in which the account is named. */
  const naming = async () => {
    const all = await Promise.all(collections.map(({ name }) => documents.all(name)));
    return all.flatMap((texts) => [...texts].map(String).filter((text) => text.includes(ANNA)));
  };
  return { documents, states, data, deleted, naming };
}

const both = ['name of k3nny', 'history of k3nny'];

test("deletes the history of the person's driver, with its in-game name", async () => {
  const { data, deleted, naming } = await setUp();
  expect(await data.history(ANNA, NOW)).toEqual({ username: 'k3nny', kept: null });
  expect(await data.forget(ANNA, { history: true, now: NOW })).toEqual({
    left: ['/backups/old.sqlite'],
    kept: null,
  });
  expect([deleted, await naming(), await data.history(ANNA, NOW)]).toEqual([both, [], null]);
});

test.each([
  ['they do not ask for it', {}, false, null],
  ['the link is young', { since: NOW - 29 * DAY }, true, { why: 'young', until: NOW + DAY }],
  ['the operator shows the driver', { shown: ['K3nny'] }, true, { why: 'operator' }],
] as const)('a history is kept where %s, and said to be', async (_what, more, history, kept) => {
  const { data, deleted, naming } = await setUp(more);
  expect(await data.history(ANNA, NOW)).toEqual({ username: 'k3nny', kept });
  expect(await data.forget(ANNA, { history, now: NOW })).toEqual({
    left: [],
    kept: { username: 'k3nny', isFixed: kept?.why === 'operator' },
  });
  expect([deleted, await naming()]).toEqual([[], []]);
});

test('deletes it for a driver whom the operator hides, and at once for a proved one', async () => {
  const hiding = await setUp({ hidden: ['k3nny'] });
  await hiding.data.forget(ANNA, { history: true, now: NOW });
  const proving = await setUp({ since: NOW });
  const proof = await proving.states.proofs.begin(
    ANNA,
    { username: 'k3nny', card: 'a/b', locale: 'en' },
    NOW,
  );
  if (typeof proof === 'number') throw new Error('none may be begun');
  await proving.states.proofs.seen([{ username: 'k3nny', nickname: proof.code }], NOW);
  await proving.data.forget(ANNA, { history: true, now: NOW });
  expect([hiding.deleted, proving.deleted]).toEqual([both, both]);
});

test('removes a corrected person everywhere, and keeps the others of that driver', async () => {
  const { states, data, naming } = await setUp();
  await states.links.correct(ANNA, { guild: '7', username: 'b0ris', since: NOW });
  await states.links.correct('281474976710657002', { guild: '8', username: 'b0ris', since: NOW });
  expect(await naming()).toHaveLength(3);
  await data.forget(ANNA, { history: false, now: NOW });
  expect(await naming()).toEqual([]);
  expect((await states.links.of('281474976710657002', '8'))?.username).toBe('b0ris');
});

test('what is stored of a proof is told without what would let its card be edited', async () => {
  const { states, data } = await setUp();
  await states.proofs.begin(ANNA, { username: 'k3nny', card: 'app/secret', locale: 'de' }, NOW);
  expect((await data.stored(ANNA, t)).file['proof']).toEqual({
    begun: [NOW],
    latest: { username: 'k3nny', code: expect.any(String), until: expect.any(Number) },
  });
});
