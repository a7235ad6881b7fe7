import { expect, test } from 'vitest';
import { createHiddenDrivers } from '../../src/people/hidden-drivers.ts';

const none = { linked: async () => [], wish: async () => false };
const wishes = { hidden: false, unwatched: false };

test.each(['ann b', 'ANN  B', 'Ann\u00a0B', '^1Ann B\u200b', 'Ａｎｎ Ｂ'])(
  'the operator hides Ann B as %j, too, and shows her again',
  (spelling) => {
    expect(createHiddenDrivers(none, { hidden: ['Ann B'], shown: [] }).isHidden(spelling)).toBe(true);
    expect(createHiddenDrivers(none, { hidden: [], shown: ['Ann B'] }).isFixed(spelling)).toBe(true);
  },
);

test('a driver who hides is hidden under other spellings of the name', async () => {
  const links = { ...none, linked: async () => [{ ...wishes, username: 'Ann', hidden: true }] };
  const drivers = createHiddenDrivers(links, { hidden: [], shown: [] });
  await drivers.refresh();
  expect(['Ann', 'a\u00adnn', 'ann\u200e'].map(drivers.isHidden)).toEqual([true, true, true]);
  expect(drivers.isHidden('Anna')).toBe(false);
});

test('no alert may be set on a driver who forbids it, or who is hidden, whoever decided that', async () => {
  const linked = [
    { ...wishes, username: 'Ann', hidden: true },
    { ...wishes, username: 'Ben ', unwatched: true },
    { ...wishes, username: 'Cleo' },
  ];
  const drivers = createHiddenDrivers(
    { ...none, linked: async () => linked },
    { hidden: ['Dot'], shown: [] },
  );
  expect(await drivers.unwatched()).toEqual(new Set(['ann', 'ben', 'dot']));
  expect(await drivers.all()).toEqual(new Set(['ann', 'dot']));
});
