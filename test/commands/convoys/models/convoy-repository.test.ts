import { expect, test } from 'vitest';
import type { Draft } from '../../../../commands/convoys/models/convoy.ts';
import {
  convoyCollections,
  convoyKey,
  createConvoyRepository,
} from '../../../../commands/convoys/models/convoy-repository.ts';
import { planConvoys } from '../../../../commands/convoys/models/demo.ts';
import { DAY, HOUR, MINUTE } from '../../../../src/base/duration.ts';
import { newBoardState } from '../../../../src/cards/board/board.ts';
import { forgetPerson } from '../../../../src/store/forget.ts';
import { documentsInMemory } from '../../../support/documents-in-memory.ts';

/** A Friday before the night in which clocks in Berlin are put back. */
const AT = Date.parse('2026-10-23T18:00Z');
const NOW = AT - DAY;
const look = { locale: 'en-GB', colours: true };
const [MAKER, OTHER] = ['411111111111111111', '422222222222222222'];

const draft: Draft = {
  ...{ id: '1792780000000001', guild: '7', channel: '8', madeAt: NOW, at: AT, when: 'fri 20:00' },
  ...{ title: 'Run', server: 'two', zone: 'Europe/Berlin', hours: 2, places: 2, weekly: true, role: null },
};
const result = {
  ...{
    there: [{ person: MAKER }, { person: OTHER }],
    hidden: 0,
  },
  ...{ peak: 24, known: true, holes: [], usual: 12 },
};

async function announced(more: Partial<Draft> = {}, now = NOW) {
  const documents = documentsInMemory();
  const stored = createConvoyRepository(documents);
  await stored.putDraft(MAKER, { ...draft, ...more });
  await stored.announce(MAKER, { ...draft, ...more }, look, now);
  return { documents, stored };
}

test("the demo's night run starts in the evening, at whatever hour the demo does", async () => {
  for (let now = NOW; now < NOW + DAY; now += HOUR) {
    const documents = documentsInMemory();
    const members = [{ person: MAKER, username: 'ann' }];
    await planConvoys(documents, { guild: '7', channel: '8', members }, now);
    const [convoy] = await createConvoyRepository(documents).in('7');
    expect(convoy?.at).toBeGreaterThan(now);
    expect(convoy?.at).toBeLessThanOrEqual(now + DAY);
    expect(new Date(convoy?.at ?? 0).getHours()).toBe(21);
  }
});

test('a draft is announced once, and nobody else can announce it', async () => {
  const { stored } = await announced();
  expect(await stored.announce(MAKER, draft, look, NOW)).toBeNull();
  expect(await stored.announce(OTHER, draft, look, NOW)).toBeNull();
  expect(await stored.in('7')).toMatchObject([{ id: draft.id, madeBy: MAKER, stage: 'open' }]);
});

test('a change keeps the maker, the channel and who signed up', async () => {
  const { stored } = await announced();
  await stored.press('7', draft.id, OTHER, 'in', NOW);
  const changed = { ...draft, title: 'Later', channel: '9', at: AT + HOUR };
  await stored.putDraft(OTHER, changed);
  expect(await stored.announce(OTHER, changed, look, NOW)).toMatchObject({ isNew: false });
  expect(await stored.in('7')).toMatchObject([
    { title: 'Later', channel: '8', madeBy: MAKER, at: AT + HOUR },
  ]);
  expect(await stored.signUpsOf('7', draft.id)).toHaveLength(2);
});

test('the maker is in from the start, and in the next week only if they still were', async () => {
  const { stored } = await announced();
  const maker = { person: MAKER, answer: 'in', remind: false };
  expect(await stored.signUpsOf('7', draft.id)).toEqual([maker]);
  const [second, third] = ['1792780000000002', '1792780000000003'];
  await stored.press('7', draft.id, MAKER, 'remind', NOW);
  await stored.press('7', draft.id, OTHER, 'in', NOW);
  await stored.finish('7', draft.id, result, AT + 3 * HOUR, second);
  expect(await stored.signUpsOf('7', second)).toEqual([maker]);
  await stored.press('7', second, MAKER, 'maybe', AT + 4 * HOUR);
  await stored.finish('7', second, result, AT + 8 * DAY, third);
  expect(await stored.signUpsOf('7', third)).toEqual([]);
});

test('a description that is cleared is gone from the convoy', async () => {
  const { stored } = await announced({ description: 'Meet at the harbour' });
  expect(await stored.in('7')).toMatchObject([{ description: 'Meet at the harbour' }]);
  await stored.putDraft(MAKER, draft);
  await stored.announce(MAKER, draft, look, NOW);
  expect((await stored.in('7'))[0]?.description).toBeUndefined();
});

test('a change by somebody of another zone leaves the later weeks and the card alone', async () => {
  const { stored } = await announced();
  // As a time that is typed again has whole seconds.
  const changed = { ...draft, title: 'Late run', at: AT + 5, zone: 'America/New_York' };
  await stored.putDraft(OTHER, changed);
  await stored.announce(OTHER, changed, { locale: 'de', colours: false }, NOW);
  await stored.finish('7', draft.id, result, AT + 3 * HOUR, '1792780000000002');
  expect((await stored.in('7')).map(({ title, at, zone, locale }) => [title, at, zone, locale])).toEqual([
    ['Late run', AT, 'Europe/Berlin', 'en-GB'],
    ['Late run', AT + 7 * DAY + HOUR, 'Europe/Berlin', 'en-GB'],
  ]);
});

test('thirty people who press at once are all there', async () => {
  const { stored } = await announced({ places: 200 });
  const people = Array.from({ length: 30 }, (_, at) => `person${at}`);
  await Promise.all(people.map((person) => stored.press('7', draft.id, person, 'in', NOW)));
  const all = await stored.signUpsOf('7', draft.id);
  expect(all.map(({ person }) => person).toSorted()).toEqual([MAKER, ...people].toSorted());
});

test('two hundred people sign up, and the next one reads that it is full', async () => {
  const { stored } = await announced();
  for (let person = 0; person < 200; person += 1)
    await stored.press('7', draft.id, `${person}`, 'maybe', NOW);
  for (const press of ['in', 'remind'] as const)
    expect(await stored.press('7', draft.id, OTHER, press, NOW)).toBe('full');
  expect(await stored.press('7', draft.id, '0', 'in', NOW)).toMatchObject({ convoy: { id: draft.id } });
  expect(await stored.signUpsOf('7', draft.id)).toHaveLength(200);
});

test('nobody signs up for an ended or foreign one, or is reminded of a running one', async () => {
  const { stored } = await announced();
  expect(await stored.press('7', draft.id, OTHER, 'remind', AT)).toBe('closed');
  expect(await stored.press('9', draft.id, OTHER, 'in', NOW)).toBeNull();
  expect(await stored.press('7', draft.id, OTHER, 'in', AT + 2 * HOUR)).toBe('closed');
  expect(await stored.cancel('7', draft.id, MAKER, NOW)).toBe('cancelled');
  expect(await stored.cancel('7', draft.id, MAKER, NOW)).toBe('closed');
  expect(await stored.press('7', draft.id, OTHER, 'in', NOW)).toBe('closed');
  expect((await stored.signUpsOf('7', draft.id)).map(({ person }) => person)).toEqual([MAKER]);
});

test('a result is posted once, and a weekly convoy repeats once, without a second ping', async () => {
  const { stored } = await announced({ role: '5' });
  const end = AT + 2 * HOUR + 5 * MINUTE;
  const both = await Promise.all(
    ['1792780000000002', '1792780000000003'].map((next) => stored.finish('7', draft.id, result, end, next)),
  );
  expect(both.filter((one) => one !== null)).toHaveLength(1);
  const [over, next, third] = await stored.in('7');
  expect(over).toMatchObject({ stage: 'over', result: { peak: 24 } });
  expect(next).toMatchObject({ stage: 'open', at: AT + 7 * DAY + HOUR, role: null, result: null });
  expect(third).toBeUndefined();
  expect(await stored.past('7')).toHaveLength(1);
});

test('weeks that the bot has slept through are left out', async () => {
  const { stored } = await announced();
  await stored.finish('7', draft.id, result, AT + 30 * DAY, '1792780000000002');
  expect((await stored.in('7'))[1]?.at).toBe(AT + 35 * DAY + HOUR);
});

test('only its result is left after its end, even after a late save of its card', async () => {
  const { documents, stored } = await announced({ weekly: false });
  await stored.press('7', draft.id, OTHER, 'in', NOW);
  const key = convoyKey('7', draft);
  await stored.saveCard(key, newBoardState);
  expect(await stored.cardOf(key)).toEqual(newBoardState);
  await stored.finish('7', draft.id, result, AT + 3 * HOUR, '1792780000000002');
  await stored.drop('7', draft.id);
  await stored.saveCard(key, newBoardState);
  for (const name of ['convoys', 'convoy-sign-ups', 'convoy-cards'])
    expect((await documents.all(name)).size).toBe(0);
  expect(await stored.past('7')).toMatchObject([{ title: 'Run' }]);
  expect(await stored.countOf(OTHER)).toBe(1);
});

test('a person who is forgotten is in nothing that is stored, and the convoy goes on', async () => {
  const { documents, stored } = await announced();
  await stored.press('7', draft.id, MAKER, 'in', NOW);
  await stored.press('7', draft.id, OTHER, 'in', NOW);
  await stored.putDraft(MAKER, { ...draft, id: '1792780000000009' });
  expect(await stored.about(MAKER)).toMatchObject({
    ...{ made: [{ id: draft.id, title: 'Run' }], draft: { when: 'fri 20:00' } },
    ...{ signedUp: [{ id: draft.id, answer: 'in' }], there: [] },
  });
  await stored.finish('7', draft.id, result, AT + 3 * HOUR, '1792780000000002');
  expect(await stored.about(MAKER)).toMatchObject({ there: [{ id: draft.id, title: 'Run', at: AT }] });
  await forgetPerson(documents, convoyCollections, MAKER);
  for (const { name } of convoyCollections)
    for (const [key, text] of await documents.all(name)) expect(key + text).not.toContain(MAKER);
  expect(await stored.about(MAKER)).toBeNull();
  expect(await stored.in('7')).toHaveLength(2);
  expect(await stored.signUpsOf('7', draft.id)).toHaveLength(1);
});

test('a full server cancels a convoy without a maker for a new one, no other', async () => {
  const documents = documentsInMemory();
  const stored = createConvoyRepository(documents);
  const plan = async (person: string, at: number) => {
    const one = { ...draft, id: String(1792780000001000 + at), at: AT + at };
    await stored.putDraft(person, one);
    return stored.announce(person, one, look, NOW);
  };
  for (let at = 0; at < 50; at += 1) {
    await plan(MAKER, at);
    if (at % 5 === 4) await forgetPerson(documents, convoyCollections, MAKER);
  }
  const open = async () => (await stored.in('7')).filter(({ stage }) => stage === 'open');
  expect(await open()).toHaveLength(50);
  for (let at = 50; at < 55; at += 1) expect(await plan(OTHER, at)).toMatchObject({ isNew: true });
  expect((await open()).map(({ madeBy }) => madeBy).filter((by) => by === OTHER)).toHaveLength(5);
  expect(await open()).toHaveLength(50);
  const cancelled = (await stored.in('7')).filter(({ stage }) => stage === 'cancelled');
  expect(cancelled.map(({ at }) => at - AT)).toEqual([45, 46, 47, 48, 49]);
  // The quota of one person counts all the same.
  expect(await plan(OTHER, 55)).toBe('person-full');
  expect(await open()).toHaveLength(50);
});

test('a person who cancels and is forgotten again and again closes a server to nobody', async () => {
  const documents = documentsInMemory();
  const stored = createConvoyRepository(documents);
  const plan = async (person: string, at: number) => {
    const one = { ...draft, id: String(1792780000001000 + at), at: AT + at };
    await stored.putDraft(person, one);
    return stored.announce(person, one, look, NOW + at);
  };
  for (let at = 0; at < 130; at += 1) {
    expect(await plan(MAKER, at)).toMatchObject({ isNew: true });
    await stored.press('7', String(1792780000001000 + at), OTHER, 'in', NOW);
    await stored.cancel('7', String(1792780000001000 + at), MAKER, NOW + at);
    if (at % 10 === 9) await forgetPerson(documents, convoyCollections, MAKER);
  }
  expect(await plan(OTHER, 130)).toMatchObject({ isNew: true });
  const left = await stored.in('7');
  expect(left).toHaveLength(100);
  expect(left.map(({ at }) => at - AT)).toEqual(Array.from({ length: 100 }, (_, index) => index + 31));
  // Nothing stays of those that gave way.
  expect((await documents.all('convoy-sign-ups')).size).toBe(100);
});

test('drafts last for a day, one each', async () => {
  const documents = documentsInMemory();
  const stored = createConvoyRepository(documents);
  await stored.putDraft(MAKER, draft);
  await stored.putDraft(MAKER, { ...draft, title: 'Other' });
  expect(await stored.draftOf(MAKER, NOW + DAY - 1)).toMatchObject({ title: 'Other' });
  expect(await stored.draftOf(MAKER, NOW + DAY)).toBeNull();
  await stored.putDraft(OTHER, { ...draft, madeAt: NOW + DAY });
  await stored.tidy(NOW + DAY);
  expect([...(await documents.all('convoy-drafts')).keys()]).toEqual([OTHER]);
  expect(await stored.about(MAKER)).toBeNull();
  // The clock is set back, and a draft is of a future that never came.
  await stored.tidy(NOW - 3 * DAY);
  expect((await documents.all('convoy-drafts')).size).toBe(0);
});

test.each([
  ['Europe/Berlin', '2026-10-23T18:00Z', '2026-10-30T19:00Z', '2026-11-06T19:00Z'],
  ['Europe/Berlin', '2027-03-26T19:00Z', '2027-04-02T18:00Z', '2027-04-09T18:00Z'],
  ['America/New_York', '2026-10-30T00:00Z', '2026-11-06T01:00Z', '2026-11-13T01:00Z'],
  ['Asia/Kolkata', '2026-10-23T14:30Z', '2026-10-30T14:30Z', '2026-11-06T14:30Z'],
  // Half past two is left out there on 28 March, and is there again a week later.
  ['Europe/Berlin', '2027-03-21T01:30Z', '2027-03-28T01:30Z', '2027-04-04T00:30Z'],
  // It is there twice on 31 October.
  ['Europe/Berlin', '2027-10-24T00:30Z', '2027-10-31T00:30Z', '2027-11-07T01:30Z'],
])('in each later week clocks in %s show the same', async (zone, first, second, third) => {
  const [at, next] = [Date.parse(first), Date.parse(second)];
  const { stored } = await announced({ zone, at, madeAt: at - DAY }, at - DAY);
  await stored.finish('7', draft.id, result, at + 3 * HOUR, '1792780000000002');
  await stored.finish('7', '1792780000000002', result, next + 3 * HOUR, '1792780000000003');
  expect((await stored.in('7')).map((one) => one.at)).toEqual([at, next, Date.parse(third)]);
});

test('a refused announcement keeps the draft, in one transaction', async () => {
  const { stored } = await announced();
  const late = { ...draft, id: '1792780000000002', at: NOW - 1 };
  await stored.putDraft(OTHER, late);
  expect(await stored.announce(OTHER, late, look, NOW)).toBe('past');
  expect(await stored.draftOf(OTHER, NOW)).toEqual(late);
  for (let index = 3; index < 8; index += 1) {
    const next = { ...draft, id: `179278000000000${index}` };
    await stored.putDraft(OTHER, next);
    expect(await stored.announce(OTHER, next, look, NOW)).toMatchObject({ isNew: true });
  }
  const sixth = { ...draft, id: '1792780000000009' };
  await stored.putDraft(OTHER, sixth);
  expect(await stored.announce(OTHER, sixth, look, NOW)).toBe('person-full');
  expect(await stored.in('7')).toHaveLength(6);
});
