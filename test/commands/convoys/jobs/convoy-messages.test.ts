/** What a convoy's card shows at each time, of whom, and to which process it belongs. */
import { expect, test } from 'vitest';
import { createConvoyMessages } from '../../../../commands/convoys/jobs/convoy-messages.ts';
import type { Draft } from '../../../../commands/convoys/models/convoy.ts';
import { convoyKey, createConvoyRepository } from '../../../../commands/convoys/models/convoy-repository.ts';
import { HOUR, MINUTE } from '../../../../src/base/duration.ts';
import { type Facts, noFacts } from '../../../../src/service/models/facts.ts';
import { documentsInMemory } from '../../../support/documents-in-memory.ts';
import { liveFile, liveJson, servers } from '../../../support/records.ts';
import { createTranslators } from '../../../support/translators.ts';

const AT = Date.parse('2026-11-27T19:00Z');
const MAKER = '411111111111111111';
const draft: Draft = {
  ...{ id: '1795700000000001', guild: '7', channel: '8', madeAt: AT - 48 * HOUR, at: AT, when: 'fri 20:00' },
  ...{ title: 'Run', server: 'two', zone: 'Europe/Berlin', hours: 2, places: 3, weekly: false, role: null },
};
const key = convoyKey('7', draft);

async function set(...people: readonly string[]) {
  const stored = createConvoyRepository(documentsInMemory());
  await stored.putDraft(MAKER, draft);
  await stored.announce(MAKER, draft, { locale: 'en-GB', colours: false }, draft.madeAt);
  // Without its maker, who is in from the start.
  await stored.press('7', draft.id, MAKER, 'out', draft.madeAt);
  for (const person of people) await stored.press('7', draft.id, person, 'in', draft.madeAt);
  const state: { now: number; skew: number; facts: Facts } = { now: draft.madeAt, skew: 0, facts: noFacts };
  const driver = (person: string) => ({ username: `d${person}`, proved: true, isHidden: person === '3' });
  const translatorFor = createTranslators();
  const blocked: string[] = [];
  const cards = createConvoyMessages({
    stored,
    driversIn: async () => new Map(['1', '2', '3'].map((person) => [person, driver(person)])),
    facts: () => state.facts,
    nicknameOf: () => null,
    translatorFor: (locale, reading) => translatorFor(locale, reading),
    now: () => state.now + state.skew,
    discordNow: () => state.now,
    blocked: (guild, { id }) => void blocked.push(`${guild} ${id}`),
  });
  await cards.records.served(() => true);
  const text = () => {
    const message = cards.frame(key)?.message();
    return [...(message?.embeds ?? [])]
      .flatMap(({ description, fields = [] }) => [
        description,
        ...fields.map(({ name, value }) => `${name}\n${value}`),
      ])
      .join('\n');
  };
  const on = (at: number, ...names: readonly string[]) => {
    state.now = at;
    const two = {
      record: liveFile(liveJson(Object.fromEntries(names.map((un, index) => [index, { un }])))),
      asOf: at + state.skew,
    };
    state.facts = {
      ...noFacts,
      overview: { record: servers(), asOf: at + state.skew },
      live: { ...noFacts.live, two },
    };
    state.facts = {
      ...noFacts,
      overview: { record: servers(), asOf: at + state.skew },
      live: { ...noFacts.live, two },
    };
  };
  return { stored, cards, state, text, on, blocked };
}

test('a card whose text Discord does not take is reported with its convoy', async () => {
  const { cards, blocked } = await set();
  cards.blocked(key);
  expect(blocked).toEqual([`7 ${draft.id}`]);
});

test('before the start it lists people by their places, and names no hidden driver', async () => {
  const { text } = await set('1', '3', '4', '2');
  expect(text()).toMatch(/\*\*3 going\*\* · 1 on the waiting list\n+\**Going\**\n[\s\S]*Waiting list\**\n/);
  expect(text()).toContain('d1');
  expect(text()).toContain('<@3> · <@4>');
  expect(text()).not.toContain('d3');
  expect(text()).not.toMatch(/free|driver is on/);
});

test('an hour before it tells the free slots, and while it runs who of them is there', async () => {
  const { text, on } = await set('1', '2', '3');
  on(AT - 30 * MINUTE, 'd1', 'x');
  expect(text()).toContain('🟢 Two: 22 slots free now');
  on(AT + MINUTE, 'D1', 'd3', 'x');
  expect(text()).toContain('**1 of 3 is on Two** · 21 slots left');
  expect(text()).toContain('d1');
  expect(text()).not.toContain('d3');
});

test('while it runs it says who is not there yet, and of whom nothing is known', async () => {
  // Person 3 hides their driver, and person 4 has linked none.
  const { stored, cards, text, on } = await set('1', '2', '3');
  for (const [person, press] of [
    ['2', 'maybe'],
    ['2', 'in'],
  ] as const)
    await stored.press('7', draft.id, person, press, draft.madeAt);
  await cards.records.served(() => true);
  on(AT + MINUTE, 'd1', 'x');
  expect(text()).toMatch(/On Two\n[\s\S]*d1[\s\S]*Not there yet · 1\n[\s\S]*d2[\s\S]*I can't tell · 1\n<@3>/);
  on(AT + 2 * MINUTE, 'd1', 'd2', 'x');
  expect(text()).not.toContain('Not there yet');
});

test('nobody is absent who only may come, who waits, or whose driver is unknown', async () => {
  const { stored, cards, text, on } = await set('4', '5', '6', '1');
  await stored.press('7', draft.id, '2', 'maybe', draft.madeAt);
  await cards.records.served(() => true);
  on(AT + MINUTE, 'x');
  expect(text()).toContain('**0 of 5 are on Two**');
  expect(text()).not.toContain('Not there yet');
  expect(text()).toContain("I can't tell · 3\n<@4> · <@5> · <@6>");
});

test('it begins by Discord’s clock, whatever the clock of the host shows', async () => {
  const { text, on, state } = await set('1');
  state.skew = 20 * MINUTE;
  on(AT - 10 * MINUTE, 'd1');
  expect(text()).toContain('**1 going**');
  on(AT + MINUTE, 'd1');
  expect(text()).toContain('**1 of 1 is on Two**');
});

test('nobody is absent while one of the drivers there has no name', async () => {
  const { text, on, state } = await set('1', '2');
  on(AT + MINUTE, 'd1');
  expect(text()).toContain('Not there yet · 1');
  const record = liveFile(liveJson({ 1: { un: 'd1' }, 2: {} }));
  state.facts = { ...state.facts, live: { ...state.facts.live, two: { record, asOf: AT + MINUTE } } };
  expect(text()).toContain('**1 of 2 is on Two**');
  expect(text()).not.toContain('Not there yet');
  expect(text()).toContain("I can't say who is missing");
});

test('it says by whom it is, its description, and invites while nobody is in', async () => {
  const { stored, cards, text } = await set();
  expect(text()).toContain(`by <@${MAKER}>`);
  expect(text()).toContain('**No sign-ups yet. Be the first!**');
  await stored.press('7', draft.id, '1', 'maybe', draft.madeAt);
  await cards.records.served(() => true);
  expect(text()).not.toContain('Be the first');
  const description = 'Meet at the **harbour** @everyone\n- [slow](https://x.y) cars';
  await stored.putDraft(MAKER, { ...draft, description });
  await stored.announce(MAKER, { ...draft, description }, { locale: 'en-GB', colours: false }, draft.madeAt);
  await cards.records.served(() => true);
  expect(text()).toContain(
    '\n> Meet at the \\*\\*harbour\\*\\* \\@everyone\n> \\- \\[slow\\]\\(https\\:\\/\\/x\\.y\\) cars\n',
  );
});

test('never more are there than have signed up: whoever said maybe counts among both', async () => {
  const { stored, cards, text, on } = await set('1');
  await stored.press('7', draft.id, '2', 'maybe', draft.madeAt);
  await cards.records.served(() => true);
  on(AT + MINUTE, 'd1', 'd2');
  expect(text()).toContain('**2 of 2 are on Two**');
});

test('while its server is offline nobody is on it, whatever its last file says', async () => {
  const { text, on, state } = await set('1');
  on(AT + MINUTE, 'd1', 'x');
  expect(text()).toContain('**1 of 1 is on Two**');
  const record = servers({ two: { online: false, guests: 2, maxGuests: 24 } });
  state.facts = { ...state.facts, overview: { record, asOf: AT + MINUTE } };
  expect(text()).toContain('offline');
  expect(text()).not.toMatch(/is on Two|On Two|drivers/);
});

test('without names or with old data it shows numbers, or says that it is unknown', async () => {
  const { text, on, state } = await set('1');
  on(AT + MINUTE);
  state.facts = {
    ...state.facts,
    live: { ...state.facts.live, two: { record: liveFile(liveJson({ 1: {}, 2: {} })), asOf: AT + MINUTE } },
  };
  expect(text()).toContain('**2 drivers are on Two**');
  on(AT + MINUTE, 'd1');
  state.now += 10 * MINUTE;
  expect(text()).toContain("I can't see who is on Two right now");
});

test('a driver who was there and is hidden now is counted, not shown', async () => {
  const { stored, cards, text, state } = await set('1', '3');
  const there = [{ person: '1' }, { person: '3' }];
  const result = { there, hidden: 1, peak: 9, known: true, holes: [], usual: null };
  state.now = AT + 3 * HOUR;
  await stored.finish('7', draft.id, result, state.now, '1795700000000002');
  await cards.records.served(() => true);
  expect(text()).toContain('**1 took part (10 min or more)**');
  expect(text()).toContain("2 hidden drivers who signed up aren't counted.");
  expect(text()).toContain('d1');
  expect(text()).not.toContain('<@3>');
});

test('a press while the store is read is not lost to what was read before it', async () => {
  const { stored, cards, text } = await set('1');
  const [convoy] = await stored.in('7');
  if (convoy === undefined) throw new Error('it is gone');
  const signUps = ['1', '2'].map((person) => ({ person, answer: 'in', remind: false }) as const);
  const reading = cards.records.served(() => true);
  cards.took(key, { convoy, signUps });
  await reading;
  expect(text()).toContain('**2 going**');
  // It counts until the store is read again, which knows better.
  await cards.records.served(() => true);
  expect(text()).toContain('**1 going**');
});

test('only what is in question changes its look', async () => {
  const { cards, state, on } = await set('1');
  const hash = () => cards.frame(key)?.hash;
  on(AT - 10 * HOUR, 'd1');
  const first = hash();
  on(AT - 9 * HOUR, 'd1', 'x', 'y');
  expect(hash()).toBe(first);
  state.now = AT + MINUTE;
  expect(hash()).not.toBe(first);
});

test('the cards of another process are not its own', async () => {
  const { cards } = await set('1');
  expect([...(await cards.records.served((guild) => guild !== '7')).keys()]).toEqual([]);
  expect(cards.frame(key)).toBeNull();
});
