import { expect, test } from 'vitest';
import type { Audience } from '../../../../commands/convoys/jobs/convoy-events.ts';
import { createConvoyRepository } from '../../../../commands/convoys/models/convoy-repository.ts';
import { createConvoyRequests } from '../../../../commands/convoys/models/convoy-requests.ts';
import type { Access } from '../../../../src/cards/board/board.ts';
import { documentsInMemory } from '../../../support/documents-in-memory.ts';

const NOW = Date.parse('2026-11-23T11:30:00Z');
const look = { locale: 'en-GB', colours: true, zone: 'Europe/Berlin' };
const [MAKER, OTHER] = ['411111111111111111', '422222222222222222'];
const maker = { id: MAKER, guild: '7' };
const other = { id: OTHER, guild: '7' };
type Typed = Parameters<ReturnType<typeof createConvoyRequests>['plan']>[1];
const typed = {
  ...{ title: 'Run', when: 'fri 20:00', server: 'two' },
  ...{ hours: 2, places: null, weekly: false, role: null },
} satisfies Typed;
const place: Parameters<ReturnType<typeof createConvoyRequests>['plan']>[2] = {
  ...{ about: null, channel: '8', locale: 'en-GB', zone: 'Europe/Berlin', now: NOW },
};

type Right = 'CreateEvents' | 'ManageEvents' | 'MentionEveryone';

/** A guild where people have the rights that the test gives them, as `person right`. */
function guild(...rights: readonly `${string} ${Right | 'role'}`[]) {
  const given = new Set<string>(rights);
  const state = {
    access: { kind: 'open' } as Access,
    isLost: false,
    maySend: true as boolean | null,
    mayPing: true,
    asked: 0,
    /** Channels in which nobody may write. */
    closed: new Set<string>(),
    changes: 0,
    /** As `person channel`. */
    unseen: new Set<string>(),
    audience: 'everyone' as Audience,
    mayMakeEvents: true,
    /** People whose driver is hidden. */
    hidden: new Set<string>(),
  };
  const took: string[] = [];
  const documents = documentsInMemory();
  const stored = createConvoyRepository(documents);
  const pinged: string[] = [];
  const shown: string[] = [];
  let chance = 0;
  /** To do while Discord is asked for rights. */
  const meanwhile: (() => Promise<unknown>)[] = [];
  const requests = createConvoyRequests({
    stored,
    cards: { took: (key) => void took.push(key) },
    boards: {
      changed: (id) => void shown.push(`changed ${id}`),
      syncMessage: async (id) => shown.push(id) > 0,
    },
    access: () => state.access,
    async rightsOf({ id: person }) {
      state.asked += 1;
      await meanwhile.pop()?.();
      if (state.isLost) return 'lost';
      return {
        may: (right) => given.has(`${person} ${right}`),
        isPlanner: given.has(`${person} role`),
        mayIn: (channel, right) =>
          right === 'MentionEveryone' ? state.mayPing : !state.closed.has(channel) && state.maySend,
      };
    },
    mayView: ({ id }, channel) => !state.unseen.has(`${id} ${channel}`),
    audienceOf: () => state.audience,
    driversIn: async () => new Map([...state.hidden].map((person) => [person, { isHidden: true }])),
    mayMakeEvents: () => state.mayMakeEvents,
    ping: async (_guild, { title }) => void pinged.push(title),
    changed() {
      state.changes += 1;
    },
    random: () => (chance += 0.001),
  });
  const plan = (asker = maker, more: Partial<Typed> = {}, where: Partial<typeof place> = {}) =>
    requests.plan(asker, { ...typed, ...more }, { ...place, ...where });
  const announced = async (asker = maker, more: Partial<Typed> = {}) => {
    const planned = await plan(asker, more);
    if ('refusal' in planned) throw new Error(`refused: ${JSON.stringify(planned.refusal)}`);
    await requests.announce(asker, planned.draft.id, look, NOW);
    return planned.draft.id;
  };
  return { documents, requests, plan, announced, given, state, pinged, shown, meanwhile, took, stored };
}

test('needs Create Events in the server or the role of its settings, by Discord’s word', async () => {
  expect(await guild().plan()).toEqual({ refusal: 'not-allowed' });
  expect(await guild(`${OTHER} CreateEvents`, `${MAKER} ManageEvents`).plan()).toEqual({
    refusal: 'not-allowed',
  });
  expect(await guild(`${MAKER} CreateEvents`).plan()).toMatchObject({ problem: null });
  expect(await guild(`${MAKER} role`).plan()).toMatchObject({ problem: null });
  const { plan, state } = guild(`${MAKER} CreateEvents`);
  state.isLost = true;
  expect(await plan()).toEqual({ refusal: 'lost' });
});

test('Discord is asked about a person once a press', async () => {
  const { plan, requests, state } = guild(`${MAKER} CreateEvents`, `${MAKER} MentionEveryone`);
  const planned = await plan(maker, { role: '9' });
  expect(state.asked).toBe(1);
  if ('refusal' in planned) throw new Error('refused');
  await requests.announce(maker, planned.draft.id, look, NOW);
  expect(state.asked).toBe(2);
  await plan(maker, {}, { about: planned.draft.id });
  expect(state.asked).toBe(3);
  await requests.cancel(maker, planned.draft.id, NOW);
  expect(state.asked).toBe(3);
});

test('a maker who may no longer plan or write there can only cancel', async () => {
  const { announced, plan, requests, given, state } = guild(`${MAKER} CreateEvents`, `${OTHER} ManageEvents`);
  const id = await announced();
  state.maySend = false;
  for (const asker of [maker, other])
    expect(await plan(asker, {}, { about: id })).toEqual({ refusal: 'no-send' });
  state.maySend = true;
  const planned = await plan(maker, { title: 'Other' }, { about: id });
  expect(planned).toMatchObject({ isChange: true });
  given.clear();
  expect(await requests.announce(maker, id, look, NOW)).toEqual({ refusal: 'not-allowed' });
  expect(await requests.cancel(maker, id, NOW)).toBe('cancelled');
});

test('a convoy, also a running one, is found by id, title or the title’s start', async () => {
  const { announced, requests } = guild(`${MAKER} CreateEvents`);
  const ids: string[] = [];
  for (const [title, when] of [
    ['Drag', 'fri 20:00'],
    ['Cruise 2', 'fri 21:00'],
    ['Cruise', 'fri 22:00'],
    ['drag', 'fri 23:00'],
  ])
    ids.push(await announced(maker, { title: title ?? '', when: when ?? '' }));
  const called = async (text: string, now = NOW) =>
    (await requests.changeable(maker, text, now)).map(({ id }) => ids.indexOf(id));
  expect(await called('Cruise')).toEqual([2]);
  expect(await called('crui')).toEqual([1, 2]);
  expect(await called('DRAG')).toEqual([0, 3]);
  expect(await called('5')).toEqual([]);
  expect(await called('')).toEqual([0, 1, 2, 3]);
  expect(await called(ids[1] ?? '')).toEqual([1]);
  expect(await called('dra', Date.parse('2026-11-27T19:30Z'))).toEqual([0, 3]);
});

test('whoever has lost the right since announces nothing', async () => {
  const { requests, plan, given } = guild(`${MAKER} CreateEvents`);
  const planned = await plan();
  if ('refusal' in planned) throw new Error('refused');
  given.clear();
  expect(await requests.announce(maker, planned.draft.id, look, NOW)).toEqual({ refusal: 'not-allowed' });
  expect((await requests.list(maker, NOW)).coming).toEqual([]);
});

test('a channel in which the bot may not post is said before anything is planned', async () => {
  const { plan, state } = guild(`${MAKER} CreateEvents`);
  state.access = { kind: 'missing', rights: ['SendMessages'] };
  expect(await plan()).toEqual({ refusal: state.access });
});

test('the bot posts for nobody where that person may not write, now or any more', async () => {
  const { plan, requests, state } = guild(`${MAKER} CreateEvents`);
  state.maySend = false;
  expect(await plan()).toEqual({ refusal: 'no-send' });
  state.maySend = null;
  expect(await plan()).toEqual({ refusal: 'lost' });
  state.maySend = true;
  const planned = await plan();
  if ('refusal' in planned) throw new Error('refused');
  state.maySend = false;
  expect(await requests.announce(maker, planned.draft.id, look, NOW)).toEqual({ refusal: 'no-send' });
});

test('a role is pinged once, by whoever may mention everyone', async () => {
  const { plan, announced, requests, given, pinged, state } = guild(`${MAKER} CreateEvents`);
  expect(await plan(maker, { role: '9' })).toEqual({ refusal: 'no-ping' });
  given.add(`${MAKER} MentionEveryone`);
  // A channel may take it away.
  state.mayPing = false;
  expect(await plan(maker, { role: '9' })).toEqual({ refusal: 'no-ping' });
  state.mayPing = true;
  const id = await announced(maker, { role: '9' });
  await plan(maker, { title: 'Later', role: '9' }, { about: id });
  await requests.announce(maker, id, look, NOW);
  expect((await requests.list(maker, NOW)).coming[0]?.convoy.title).toBe('Later');
  await announced(maker, { title: 'Quiet' });
  expect(pinged).toEqual(['Run']);
});

test('a draft is announced in its own guild, by the press that belongs to it', async () => {
  const { plan, requests } = guild(`${MAKER} CreateEvents`);
  const planned = await plan();
  if ('refusal' in planned) throw new Error('refused');
  const { id } = planned.draft;
  expect(await requests.announce({ ...maker, guild: '6' }, id, look, NOW)).toBeNull();
  expect(await requests.announce(maker, '1', look, NOW)).toBeNull();
  expect(await requests.announce(other, id, look, NOW)).toBeNull();
  expect(await requests.announce(maker, id, look, NOW)).toMatchObject({ isNew: true });
});

test('its maker and whoever manages events change and cancel a convoy, and nobody else', async () => {
  const { announced, plan, requests, given } = guild(`${MAKER} CreateEvents`, `${OTHER} CreateEvents`);
  const id = await announced();
  const title = 'Stolen';
  expect(await requests.changeable(other, '', NOW)).toEqual([]);
  expect(await plan(other, { title }, { about: id })).toEqual({ refusal: 'not-allowed' });
  expect(await requests.cancel(other, id, NOW)).toBe('not-allowed');
  expect(await requests.cancel({ ...maker, guild: '6' }, id, NOW)).toBeNull();
  given.add(`${OTHER} ManageEvents`);
  expect(await requests.changeable(other, 'ru', NOW)).toMatchObject([{ id }]);
  expect(await plan(other, { title }, { about: id })).toMatchObject({ isChange: true });
  expect(await requests.cancel(other, id, NOW)).toBe('cancelled');
  expect(await requests.cancel(maker, await announced(), NOW)).toBe('cancelled');
});

test('a press shows at the pace of the card, and says to the person where they stand', async () => {
  const { announced, requests, shown } = guild(`${MAKER} CreateEvents`);
  const id = await announced();
  shown.length = 0;
  expect(await requests.press(other, '1', 'in', NOW)).toBeNull();
  expect(await requests.press(other, id, 'in', NOW)).toMatchObject({ state: 'in', count: 2 });
  expect(shown).toEqual([`changed 7:${id}`]);
  expect(await requests.press(other, id, 'remind', NOW)).toMatchObject({ remind: true });
  const running = Date.parse('2026-11-27T19:00Z');
  expect(await requests.press(other, id, 'maybe', running)).toMatchObject({ state: 'maybe', remind: false });
});

test('a draft changed or replaced during a request is neither announced nor lost', async () => {
  const { plan, requests, meanwhile } = guild(`${MAKER} CreateEvents`);
  const planned = await plan();
  if ('refusal' in planned) throw new Error('refused');
  const { id } = planned.draft;
  meanwhile.push(() => plan(maker, { title: 'Unseen' }, { about: id }));
  expect(await requests.announce(maker, id, look, NOW)).toBeNull();
  meanwhile.push(() => plan({ ...maker, guild: '6' }, { title: 'Elsewhere' }));
  expect(await requests.announce(maker, id, look, NOW)).toBeNull();
  for (const where of ['6', '7'])
    expect((await requests.list({ id: OTHER, guild: where }, NOW)).coming).toEqual([]);
  await requests.dropDraft({ ...maker, guild: '6' }, id);
  expect(await requests.draftOf({ ...maker, guild: '6' }, NOW)).toMatchObject({ title: 'Elsewhere' });
});

test('a change is judged by the channel and the maker of its own convoy', async () => {
  const { announced, plan, state, given } = guild(
    `${MAKER} CreateEvents`,
    `${MAKER} MentionEveryone`,
    `${OTHER} CreateEvents`,
  );
  await announced();
  const own = await announced(other, { title: 'Own' });
  // The first of the server is somebody else's.
  expect(await plan(other, { title: 'Mine' }, { about: own })).toMatchObject({ isChange: true });
  expect(await plan(other, {}, { about: own, channel: '9' })).toMatchObject({ isChange: true });
  state.closed.add('8');
  expect(await plan(other, {}, { about: own, channel: '9' })).toEqual({ refusal: 'no-send' });
  state.closed.clear();
  // The bot's own rights there keep nobody from changing it, and its role was pinged long ago.
  state.access = { kind: 'missing', rights: ['SendMessages'] };
  given.delete(`${MAKER} MentionEveryone`);
  expect(await plan(other, { role: '9' }, { about: own })).toMatchObject({ isChange: true });
});

test('a draft says what is new about it, and is announced with a time alone', async () => {
  const { plan, requests, state } = guild(`${MAKER} CreateEvents`);
  const planned = await plan(maker, { title: `  Night \n run ${'x'.repeat(90)}`, when: 'soon' });
  expect(planned).toMatchObject({ problem: 'unread', isChange: false, draft: { at: null } });
  if ('refusal' in planned) throw new Error('refused');
  expect(planned.draft.title).toMatch(/^Night run x+$/);
  expect(planned.draft.title).toHaveLength(80);
  expect(await requests.announce(maker, planned.draft.id, look, NOW)).toEqual({ refusal: 'time' });
  expect(state.changes).toBe(0);
  await requests.dropDraft(maker, planned.draft.id);
  expect(await requests.draftOf(maker, NOW)).toBeNull();
});

test('Manage Events allows every change, in order of time; others change their own', async () => {
  const { announced, requests, given, state } = guild(`${MAKER} CreateEvents`, `${OTHER} CreateEvents`);
  const late = await announced(maker, { title: 'Late', when: 'fri 23:00' });
  const early = await announced(other, { title: 'Early', when: 'fri 20:00' });
  const ids = async (asker = other, now = NOW) =>
    (await requests.changeable(asker, '', now)).map(({ id }) => id);
  expect(await ids()).toEqual([early]);
  given.add(`${OTHER} ManageEvents`);
  expect(await ids()).toEqual([early, late]);
  const listed = async (now: number) =>
    (await requests.list(maker, now)).coming.map(({ convoy }) => convoy.id);
  expect(await listed(NOW)).toEqual([early, late]);
  const running = Date.parse('2026-11-27T19:30Z');
  expect(await listed(running)).toEqual([early, late]);
  const over = Date.parse('2026-11-27T21:30Z');
  expect([await listed(over), await ids(other, over)]).toEqual([[late], [late]]);
  expect(state.changes).toBe(2);
  await requests.cancel(other, late, NOW);
  expect(state.changes).toBe(3);
  state.isLost = true;
  expect(await requests.cancel(maker, early, NOW)).toBe('lost');
});

test('the list has the last ten that are over, and a person the number of theirs', async () => {
  const { requests, stored } = guild();
  const result = { there: [{ person: MAKER }], hidden: 0, peak: 1, known: true, holes: [], usual: null };
  for (let n = 0; n < 12; n += 1) {
    const id = `17957000000000${n + 10}`;
    const draft = { ...typed, id, guild: '7', channel: '8', madeAt: NOW, at: NOW + 60_000, zone: 'UTC' };
    await stored.putDraft(OTHER, draft);
    await stored.announce(OTHER, draft, look, NOW);
    await stored.press('7', id, MAKER, 'in', NOW);
    await stored.finish('7', id, result, NOW + 120_000, '1795700000000099');
    await stored.drop('7', id);
  }
  expect((await requests.list(maker, NOW)).past).toHaveLength(10);
  expect([await requests.count(MAKER), await requests.count(OTHER)]).toEqual([12, 0]);
});

test('a press answers with the place in the row, or that the convoy is over', async () => {
  const { plan, requests, took } = guild(`${MAKER} CreateEvents`);
  const planned = await plan(maker, { places: 1 });
  if ('refusal' in planned) throw new Error('refused');
  const { id } = planned.draft;
  await requests.announce(maker, id, look, NOW);
  await requests.press(maker, id, 'out', NOW);
  took.length = 0;
  const press = (person: string, what: 'in' | 'maybe' | 'out' | 'remind', now = NOW) =>
    requests.press({ id: person, guild: '7' }, id, what, now);
  expect(await press('1', 'in')).toMatchObject({ state: 'in', behind: 0, remind: false, count: 1 });
  expect(await press('2', 'in')).toMatchObject({ state: 'waiting', behind: 1, count: 1 });
  expect(await press('3', 'in')).toMatchObject({ state: 'waiting', behind: 2 });
  expect(await press('4', 'maybe')).toMatchObject({ state: 'maybe', behind: 0 });
  expect(await press('5', 'remind')).toMatchObject({ state: 'out', remind: true });
  expect(await press('6', 'out')).toMatchObject({ state: 'out', remind: false });
  expect(took).toHaveLength(6);
  expect(await press('1', 'out', Date.parse('2026-11-28T12:00Z'))).toBe('closed');
  expect(took).toHaveLength(6);
});

test('a convoy in a channel hidden from the asker is in none of their lists', async () => {
  const { announced, requests, stored, state } = guild(
    `${MAKER} CreateEvents`,
    `${OTHER} CreateEvents`,
    `${OTHER} ManageEvents`,
  );
  const secret = await announced(maker, { title: 'Ban wave' });
  const planned = await requests.plan(other, { ...typed, title: 'Run' }, { ...place, channel: '9' });
  if ('refusal' in planned) throw new Error('refused');
  await requests.announce(other, planned.draft.id, look, NOW);
  state.unseen.add(`${OTHER} 8`).add(`${MAKER} 8`);
  const titles = async (asker: typeof maker) =>
    (await requests.list(asker, NOW)).coming.map(({ convoy }) => convoy.title);
  expect(await titles(other)).toEqual(['Run']);
  expect(await titles(maker)).toEqual(['Run']);
  const choices = async (asker: typeof maker) =>
    (await requests.changeable(asker, '', NOW)).map(({ title }) => title);
  expect(await choices(other)).toEqual(['Run']);
  // Their own is theirs wherever it is.
  expect(await choices(maker)).toEqual(['Ban wave']);
  expect(await requests.changeable(other, secret, NOW)).toEqual([]);
  expect(await requests.cancel(other, secret, NOW)).toBeNull();

  const result = { there: [], hidden: 0, peak: 1, known: true, holes: [], usual: null };
  const over = Date.parse('2026-11-27T22:00Z');
  for (const id of [secret, planned.draft.id]) await stored.finish('7', id, result, over, null);
  expect((await requests.list(other, over)).past.map(({ title }) => title)).toEqual(['Run']);
  state.unseen.clear();
  expect((await requests.list(other, over)).past).toHaveLength(2);
});

test('a result of which the channel is not known is in no list', async () => {
  const { requests, documents } = guild();
  const result = { there: [], hidden: 0, peak: 1, known: true, holes: [], usual: null };
  const past = [{ id: '1795700000000010', title: 'Old', server: 'two', at: NOW, result }];
  await documents.commit([], [{ collection: 'convoy-results', key: '7', text: JSON.stringify(past) }]);
  expect((await requests.list(maker, NOW)).past).toEqual([]);
});

test('a draft names the event to come, and keeps the wish for one in a closed channel', async () => {
  const { plan, requests, stored, state } = guild(`${MAKER} CreateEvents`);
  expect(await plan()).toMatchObject({ event: 'open' });
  state.audience = 'some';
  const planned = await plan();
  if ('refusal' in planned) throw new Error('refused');
  expect(planned).toMatchObject({ event: 'closed', draft: { eventForAll: false } });
  const { id } = planned.draft;
  expect(await requests.adjust(other, id, { eventForAll: true }, NOW)).toBeNull();
  expect(await requests.adjust(maker, id, { eventForAll: true }, NOW)).toMatchObject({ event: 'for-all' });
  expect(await plan(maker, { title: 'Later' }, { about: id })).toMatchObject({ event: 'for-all' });
  await requests.announce(maker, id, look, NOW);
  expect(await stored.in('7')).toMatchObject([{ title: 'Later', eventForAll: true }]);
  // As it is changed again.
  expect(await plan(maker, { title: 'Latest' }, { about: id })).toMatchObject({ event: 'for-all' });
  expect(await requests.adjust(maker, id, { eventForAll: false }, NOW)).toMatchObject({ event: 'closed' });
  await requests.announce(maker, id, look, NOW);
  expect(await stored.in('7')).toMatchObject([{ title: 'Latest', eventForAll: false }]);
  state.mayMakeEvents = false;
  expect(await plan()).toMatchObject({ event: 'no-right' });
});

test.each([
  ['Night \u202erun\u202c', 'Night run'],
  ['\u001b[31mRun\u0007', '[31mRun'],
  ['Run\u200b\u2060 now\u{e0041}', 'Run now'],
  ['\u200b\u3164\u{e0041}\u2800', '–'],
  ['Run\nnow\u2028then', 'Run now then'],
  ['^1Run ^^', '^1Run ^^'],
  ['Łódź · Москва 🚗', 'Łódź · Москва 🚗'],
  [`${'a'.repeat(79)}🚗`, 'a'.repeat(79)],
])('a title is cleaned as names are: %j', async (title, said) => {
  expect(await guild(`${MAKER} CreateEvents`).plan(maker, { title })).toMatchObject({
    draft: { title: said },
  });
});

test.each([
  ['Meet at the harbour', 'Meet at the harbour'],
  ['  one \r\n\r\n\r\n\r\n two \u202e', 'one\n\ntwo'],
  ['1\n2\n3\n4\n5\n6\n7', '1\n2\n3\n4\n5\n6'],
  ['\u200b\n ', undefined],
  ['x'.repeat(400), 'x'.repeat(300)],
])('a description is cleaned and bounded: %j', async (description, cleaned) => {
  const planned = await guild(`${MAKER} CreateEvents`).plan(maker, { description });
  if ('refusal' in planned) throw new Error('refused');
  expect(planned.draft.description).toBe(cleaned);
});

test('a hopeless request is refused before typing, and typed text is kept', async () => {
  const { plan, requests, announced, state } = guild(`${MAKER} CreateEvents`);
  const draft = { id: '1', channel: '8', role: null };
  expect(await requests.refusalOf(other, draft)).toBe('not-allowed');
  expect(await requests.refusalOf(maker, draft)).toBeNull();
  state.maySend = false;
  expect(await requests.refusalOf(maker, draft)).toBe('no-send');
  expect(await plan(maker, { title: 'Kept' })).toEqual({ refusal: 'no-send' });
  expect(await requests.draftOf(maker, NOW)).toMatchObject({ title: 'Kept', when: 'fri 20:00' });
  state.maySend = true;
  const ids = [];
  for (let count = 0; count < 5; count += 1) ids.push(await announced());
  expect(await requests.refusalOf(maker, draft)).toBe('person-full');
  expect(await requests.refusalOf(maker, { ...draft, id: ids[0] ?? '' })).toBeNull();
});

test('a draft goes to another channel only if the person may write there', async () => {
  const { plan, requests, stored, state } = guild(`${MAKER} CreateEvents`);
  const planned = await plan();
  if ('refusal' in planned) throw new Error('refused');
  const { id } = planned.draft;
  state.closed.add('9');
  expect(await requests.adjust(maker, id, { channel: '9' }, NOW)).toEqual({ refusal: 'no-send' });
  expect(await requests.draftOf(maker, NOW)).toMatchObject({ channel: '8' });
  expect(await requests.adjust(other, id, { channel: '10' }, NOW)).toBeNull();
  expect(await requests.adjust(maker, id, { channel: '10' }, NOW)).toMatchObject({
    draft: { at: planned.draft.at },
  });
  await requests.announce(maker, id, look, NOW);
  expect(await stored.in('7')).toMatchObject([{ id, channel: '10' }]);
});

test('what is not typed stays: of a draft, of a convoy, and the role once announced', async () => {
  const { plan, requests, stored } = guild(`${MAKER} CreateEvents`, `${MAKER} MentionEveryone`);
  const planned = await plan(maker, { places: 7, description: 'Slow', role: '9' });
  if ('refusal' in planned) throw new Error('refused');
  const { id } = planned.draft;
  await requests.plan(maker, { hours: 3 }, { ...place, about: id });
  expect(await requests.draftOf(maker, NOW)).toMatchObject({
    title: 'Run',
    when: 'fri 20:00',
    places: 7,
    description: 'Slow',
    hours: 3,
    role: '9',
  });
  await requests.announce(maker, id, look, NOW);
  await requests.plan(maker, { title: 'Later', role: '10' }, { ...place, about: id });
  await requests.announce(maker, id, look, NOW);
  expect(await stored.in('7')).toMatchObject([
    { title: 'Later', places: 7, description: 'Slow', hours: 3, role: '9', at: planned.draft.at },
  ]);
});

test('who manages a convoy reads who has not signed up, hidden drivers aside', async () => {
  const { announced, requests, stored, state } = guild(`${MAKER} CreateEvents`, `${OTHER} CreateEvents`);
  const [anna, ben, cora, dora] = ['1', '2', '3', '4'];
  const before = await announced();
  for (const person of [anna, ben, cora]) await stored.press('7', before, person, 'in', NOW);
  const there = [anna, ben, cora].map((person) => ({ person }));
  const result = { there, hidden: 0, peak: 3, known: true, holes: [], usual: null };
  await stored.finish('7', before, result, NOW, null);
  const id = await announced();
  await stored.press('7', id, anna, 'maybe', NOW);
  await stored.press('7', id, dora, 'remind', NOW);
  state.hidden.add(cora);
  expect(await requests.manage(maker, id, NOW)).toMatchObject({ convoy: { id }, silent: [dora, ben] });
  state.unseen.add(`${MAKER} 8`);
  expect(await requests.manage(maker, id, NOW)).toMatchObject({ silent: [dora] });
  expect(await requests.manage(other, id, NOW)).toEqual({ madeBy: MAKER });
  expect(await requests.manage(maker, before, NOW)).toBeNull();
  await requests.cancel(maker, id, NOW);
  expect(await requests.manage(maker, id, NOW)).toBeNull();
});

test('two who change a convoy at once each save a whole change, and no sign-up is lost', async () => {
  const { announced, plan, requests, stored } = guild(
    ...([`${MAKER} CreateEvents`, `${OTHER} ManageEvents`] as const),
  );
  const id = await announced();
  await plan(maker, { title: 'Early', when: 'fri 18:00' }, { about: id });
  await plan(other, { title: 'Late', when: 'fri 23:00' }, { about: id });
  const people = ['1', '2', '3'];
  const [first, second] = await Promise.all([
    requests.announce(maker, id, look, NOW),
    requests.announce(other, id, look, NOW),
    ...people.map((person) => requests.press({ id: person, guild: '7' }, id, 'in', NOW)),
  ]);
  expect([first, second]).toMatchObject([{ isNew: false }, { isNew: false }]);
  const [convoy] = await stored.in('7');
  expect([
    ['Early', Date.parse('2026-11-27T17:00Z')],
    ['Late', Date.parse('2026-11-27T22:00Z')],
  ]).toContainEqual([convoy?.title, convoy?.at]);
  const signUps = await stored.signUpsOf('7', id);
  expect(signUps.map(({ person }) => person).toSorted()).toEqual([...people, MAKER].toSorted());
});

test('a convoy that is cancelled while somebody changes it stays cancelled', async () => {
  const { announced, plan, requests, stored } = guild(`${MAKER} CreateEvents`, `${OTHER} ManageEvents`);
  const id = await announced();
  await plan(other, { title: 'Late' }, { about: id });
  await Promise.all([requests.cancel(maker, id, NOW), requests.announce(other, id, look, NOW)]);
  expect(await requests.announce(other, id, look, NOW)).toBeOneOf([null, { refusal: 'closed' }]);
  expect(await stored.in('7')).toMatchObject([{ id, stage: 'cancelled' }]);
});
