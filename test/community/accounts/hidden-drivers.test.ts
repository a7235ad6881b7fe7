import { expect, test } from 'vitest';
import { createHiddenDrivers } from '../../../src/community/accounts/hidden-drivers.ts';

const none = { linked: async () => [], setPrivacy: async () => false };
const DAY = 24 * 3_600_000;
const link = { personId: '1', hidden: false, unwatched: false, proved: null, since: 0 };
/** So that every link has stood for long enough. */
const clock = { now: () => DAY };

test.each(['ann b', 'ANN  B', 'Ann\u00a0B', '^1Ann B\u200b', 'Ａｎｎ Ｂ'])(
  'the operator hides Ann B as %j, too, and shows her again',
  (spelling) => {
    expect(createHiddenDrivers(none, { hidden: ['Ann B'], shown: [] }, clock).isHidden(spelling)).toBe(true);
    expect(createHiddenDrivers(none, { hidden: [], shown: ['Ann B'] }, clock).isFixed(spelling)).toBe(true);
  },
);

test('a driver who hides is hidden under other spellings of the name', async () => {
  const links = { ...none, linked: async () => [{ ...link, username: 'Ann', hidden: true }] };
  const drivers = createHiddenDrivers(links, { hidden: [], shown: [] }, clock);
  await drivers.refresh();
  expect(['Ann', 'a\u00adnn', 'ann\u200e'].map(drivers.isHidden)).toEqual([true, true, true]);
  expect(drivers.isHidden('Anna')).toBe(false);
});

test('allows no alert on a driver who forbids it or is hidden, whoever decided that', async () => {
  const linked = [
    { ...link, username: 'Ann', hidden: true },
    { ...link, username: 'Ben ', unwatched: true },
    { ...link, username: 'Cleo' },
  ];
  const drivers = createHiddenDrivers(
    { ...none, linked: async () => linked },
    { hidden: ['Dot'], shown: [] },
    clock,
  );
  expect(await drivers.unwatched()).toEqual(new Set(['ann', 'ben', 'dot']));
  expect(await drivers.all()).toEqual(new Set(['ann', 'dot']));
});

test('an unproved link has to stand for a day before it hides or forbids anything', async () => {
  let now = 100 * DAY;
  const linked = [
    { ...link, username: 'young', since: now, hidden: true, unwatched: true },
    { ...link, username: 'proved', since: now, proved: now, hidden: true, unwatched: true },
    { ...link, username: 'ahead', since: now + DAY, hidden: true },
  ];
  const drivers = createHiddenDrivers(
    { ...none, linked: async () => linked },
    { hidden: [], shown: [] },
    { now: () => now },
  );
  const seen = async () => [[...(await drivers.all())], [...(await drivers.unwatched())]];
  expect(await seen()).toEqual([['proved'], ['proved']]);
  expect(linked.map(drivers.countsFrom)).toEqual([now + DAY, now, now + 2 * DAY]);
  now += DAY - 1;
  expect(await seen()).toEqual([['proved'], ['proved']]);
  now += 1;
  expect(await seen()).toEqual([
    ['young', 'proved'],
    ['young', 'proved'],
  ]);
  expect(drivers.isHidden('young')).toBe(true);
});

test('who is proved is known by the login name in any case, and not of hidden drivers', async () => {
  const linked = [
    { ...link, username: 'Ann', proved: 1 },
    { ...link, username: 'Ben', proved: 1, hidden: true },
    { ...link, username: 'Cleo' },
  ];
  const drivers = createHiddenDrivers(
    { ...none, linked: async () => linked },
    { hidden: [], shown: ['Ben'] },
    clock,
  );
  await drivers.refresh();
  expect(['ANN', 'Ben', 'Cleo', '^1Ann'].map(drivers.isProved)).toEqual([true, true, false, false]);
  const hiding = createHiddenDrivers(
    { ...none, linked: async () => linked },
    { hidden: ['Ann'], shown: [] },
    clock,
  );
  await hiding.refresh();
  expect(['Ann', 'Ben'].map(hiding.isProved)).toEqual([false, false]);
});

test('the operator has the last word on who may be watched, too', async () => {
  const linked = [{ ...link, username: 'Ann', hidden: true }];
  const shown = createHiddenDrivers(
    { ...none, linked: async () => linked },
    { hidden: [], shown: ['Ann'] },
    clock,
  );
  expect([...(await shown.unwatched())]).toEqual([]);
  expect([shown.isHidden('ann'), shown.isFixed('ANN'), shown.isFixed('Ben')]).toEqual([false, true, false]);
});

test('tells listeners each time that other drivers are hidden, not at each read', async () => {
  let linked = [{ ...link, username: 'Ann', hidden: false }];
  const drivers = createHiddenDrivers(
    { linked: async () => linked, setPrivacy: async () => true },
    { hidden: [], shown: [] },
    clock,
  );
  const told: boolean[] = [];
  drivers.onChange(() => void told.push(drivers.isHidden('Ann')));
  await drivers.refresh();
  linked = [{ ...link, username: 'Ann', hidden: true }];
  expect(await drivers.setPrivacy('1', { hidden: true })).toBe(true);
  await drivers.refresh();
  await drivers.all();
  expect(told).toEqual([true]);
  linked = [{ ...link, username: 'Ben', hidden: true }];
  await drivers.all();
  expect(told).toEqual([true, false]);
  expect([drivers.isLinked('BEN'), drivers.isLinked('ann')]).toEqual([true, false]);
});

test('shows convoys of proved, willing, visible drivers, by the account that proved it', async () => {
  const linked = [
    { ...link, username: 'Ann', proved: 1, convoysShown: true },
    { ...link, username: 'Ben', proved: 1 },
    { ...link, username: 'Cleo', proved: 1, convoysShown: false },
    { ...link, username: 'Dot', convoysShown: true },
    { ...link, username: 'Eve', proved: 1, hidden: true, convoysShown: true },
  ];
  const drivers = createHiddenDrivers(
    { ...none, linked: async () => linked },
    { hidden: [], shown: [] },
    clock,
  );
  await drivers.refresh();
  const names = ['ANN', 'Ben', 'Cleo', 'Dot', 'Eve'];
  expect(names.map(drivers.findPublicAttendee)).toEqual(['1', null, null, null, null]);
});
