import { expect, test } from 'vitest';
import { createHiddenDrivers } from '../../src/people/hidden-drivers.ts';

const none = { linked: async () => [], hide: async () => false };

test.each(['ann b', 'ANN  B', 'Ann\u00a0B', '^1Ann B\u200b', 'Ａｎｎ Ｂ'])(
  'the operator hides Ann B as %j, too, and shows her again',
  (spelling) => {
    expect(createHiddenDrivers(none, { hidden: ['Ann B'], shown: [] }).isHidden(spelling)).toBe(true);
    expect(createHiddenDrivers(none, { hidden: [], shown: ['Ann B'] }).isFixed(spelling)).toBe(true);
  },
);

test('a driver who hides is hidden under other spellings of the name', async () => {
  const links = { ...none, linked: async () => [{ username: 'Ann', hidden: true }] };
  const drivers = createHiddenDrivers(links, { hidden: [], shown: [] });
  await drivers.refresh();
  expect(['Ann', 'a\u00adnn', 'ann\u200e'].map(drivers.isHidden)).toEqual([true, true, true]);
  expect(drivers.isHidden('Anna')).toBe(false);
});
