/** Kept months, and the people who are told about it. */
import { describe, expect, test } from 'vitest';
import { createMonthChoices, monthChoices } from '../../../../commands/recap/models/month-choices.ts';
import { DAY } from '../../../../src/base/duration.ts';
import { linkProvenDriver } from '../../../../src/community/accounts/links.ts';
import { changeDocuments } from '../../../../src/store/change.ts';
import { peopleInMemory } from '../../../support/people.ts';
import { rowsOf } from '../../../support/readable.ts';
import { createTranslators } from '../../../support/translators.ts';

const NOW = Date.UTC(2026, 10, 29, 12);
const [ANNA, BORIS] = ['281474976710657001', '281474976710657002'];
const t = createTranslators()('en-GB');

/** One person with a link of so many days, and the choice that the store has of them. */
async function setUp({ days = 40, isProved = false, choice = null as object | null } = {}) {
  const people = peopleInMemory({ now: () => NOW });
  const { documents, hidden } = people;
  const { links } = people.store;
  await links.set(ANNA, { username: 'k3nny', since: NOW - days * DAY });
  if (isProved)
    await changeDocuments(documents, (transaction) => linkProvenDriver(transaction, ANNA, 'k3nny', NOW));
  if (choice !== null)
    await documents.commit(
      [],
      [{ collection: 'recap-kept-months', key: ANNA, text: JSON.stringify(choice) }],
    );
  const months = createMonthChoices({ documents, links, hidden, clock: { now: () => NOW } });
  const notice = () => months.message({ id: ANNA }, t);
  return { documents, hidden, links, months, notice };
}

test.each([
  ['a link of 30 days', { days: 30 }, true],
  ['a link of 29 days', { days: 29 }, false],
  ['a verified link of today', { days: 0, isProved: true }, true],
  ['a link whose time is ahead', { days: -400 }, false],
  ['an old link, turned off', { choice: { keeps: true, driver: null, isOff: true } }, false],
  [
    'a verified link, turned off',
    { isProved: true, choice: { keeps: true, driver: null, isOff: true } },
    false,
  ],
  ['a new link, turned on by version 2.0.0', { days: 1, choice: { keeps: true, driver: 'K3nny' } }, true],
  ['a new link after another driver', { days: 1, choice: { keeps: true, driver: 'earlier' } }, false],
  ['an old link, told', { choice: { keeps: true, driver: null } }, true],
  ['an old link with a choice that cannot be read', { choice: { keeps: false } }, true],
] as const)('%s: kept is %s', async (_what, person, isKept) => {
  const { months } = await setUp(person);
  expect((await months.of(ANNA))?.isKept).toBe(isKept);
  expect(await months.kept()).toEqual(isKept ? [{ personId: ANNA, driver: 'k3nny' }] : []);
});

describe('the notice', () => {
  test('comes once, with the way to turn it off', async () => {
    const { notice } = await setUp();
    const reply = await notice();
    expect(reply?.content).toContain('**k3nny**');
    const [button] = rowsOf(reply ?? {}).flatMap((row) => row.components);
    expect(button).toMatchObject({ custom_id: '1:recap:keeping-0:', label: 'Turn gains off' });
    expect(await notice()).toBeNull();
  });

  test('comes to one of two answers at the same moment', async () => {
    const { notice } = await setUp();
    const replies = await Promise.all([notice(), notice()]);
    expect(replies.filter((reply) => reply !== null)).toHaveLength(1);
  });

  test.each([
    ['whose link is new', { days: 1 }],
    ['who turned it on', { choice: { keeps: true, driver: 'k3nny' } }],
    ['who turned it off', { choice: { keeps: true, driver: null, isOff: true } }],
  ] as const)('does not come to a person %s', async (_who, person) => {
    expect(await (await setUp(person)).notice()).toBeNull();
  });

  test('does not come to a person whose driver is hidden, or who was told at the link', async () => {
    const hiding = await setUp();
    await hiding.hidden.setPrivacy(ANNA, { hidden: true });
    expect(await hiding.notice()).toBeNull();
    const linking = await setUp();
    expect(await linking.months.tell(ANNA)).toBe(true);
    expect(await linking.notice()).toBeNull();
  });

  test('stores nothing of a person without a link', async () => {
    const { documents, months } = await setUp();
    expect(await months.message({ id: BORIS }, t)).toBeNull();
    expect(await months.tell(BORIS)).toBe(false);
    expect(await documents.naming(BORIS)).toEqual([]);
  });
});

test('nothing is left of a person who was told, after the answer of /unlink', async () => {
  const { documents, links, months, notice } = await setUp();
  await months.tell(ANNA);
  expect(await notice()).toBeNull();
  expect(await documents.naming(ANNA, monthChoices.name)).toHaveLength(1);
  await links.remove(ANNA);
  expect(await notice()).toBeNull();
  expect(await documents.naming(ANNA)).toEqual([]);
  await months.set(ANNA, false);
  expect(await notice()).toBeNull();
  expect(await documents.naming(ANNA)).toHaveLength(1);
});

test('nothing is left of a person who was told, ten minutes after the link', async () => {
  const { documents, links, months } = await setUp();
  await months.tell(ANNA);
  await months.sweep();
  expect(await documents.naming(ANNA, monthChoices.name)).toHaveLength(1);
  await links.remove(ANNA);
  await months.sweep();
  expect(await documents.naming(ANNA)).toEqual([]);
  await months.set(ANNA, false);
  await months.sweep();
  expect(await documents.naming(ANNA)).toHaveLength(1);
});

test('a "no" outlives the link, and is read by version 2.0.0 as nobody kept', async () => {
  const { documents, links, months } = await setUp();
  await months.set(ANNA, false);
  const { text } = await documents.read(monthChoices.name, ANNA, 0);
  expect(JSON.parse(text ?? '')).toMatchObject({ keeps: true, driver: null });
  await links.remove(ANNA);
  await links.set(ANNA, { username: 'other', since: 0 });
  expect(await months.kept()).toEqual([]);
  expect(await months.tell(ANNA)).toBe(false);
  await months.set(ANNA, true);
  expect(await months.kept()).toEqual([{ personId: ANNA, driver: 'other' }]);
});
