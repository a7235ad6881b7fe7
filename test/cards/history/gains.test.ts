import { expect, test } from 'vitest';
import { gainLines } from '../../../src/cards/history/gains.ts';
import type { Figures } from '../../../src/community/history/history.ts';
import { driver, NOON } from '../../support/records.ts';
import { createTranslators } from '../../support/translators.ts';

const t = createTranslators()('en-GB');
const DAY = 86_400_000;

/** What a profile of today says about a reading of so many milliseconds ago. */
function told(figures: Figures, now: object, ago = DAY): string | undefined {
  const past = { earlier: { at: NOON - ago, figures }, best: null };
  const [line] = gainLines({ record: driver({ money: null, ...now }), asOf: NOON }, past, t);
  return line?.replace(/ since <t:\d+:d>$/, '');
}

test('gains are shown figure by figure, and none where all are the same', () => {
  const before = { driven_distance: 5000, chases_won_cop: 3, chases_won_robber: 50, money: 700 };
  const now = { stats: { driven_distance: 9000, chases_won_cop: 4, chases_won_robber: 50 }, money: 600 };
  expect(told(before, now)).toBe('+4 km · +1 chase won · money −100');
  expect(told({ money: 700 }, { money: 700, stats: null })).toBe('Unchanged');
  // Those of one role are not all.
  expect(told({ chases_won_cop: 3, money: 1 }, { ...now, money: 2 })).toBe('money +1');
});

test('nothing is called unchanged that cannot be compared, or has become less', () => {
  expect(told({ driven_distance: 5000 }, { stats: null })).toBeUndefined();
  expect(told({}, { stats: { driven_distance: 5000 } })).toBeUndefined();
  expect(told({ driven_distance: 5000 }, { stats: { driven_distance: 4000 } })).toBeUndefined();
});

test('a record is not compared with itself, as it would be where none newer can be had', () => {
  const same = { stats: { driven_distance: 5000 } };
  expect(told({ driven_distance: 5000 }, same, 999)).toBeUndefined();
  expect(told({ driven_distance: 5000 }, same, -DAY)).toBeUndefined();
  expect(told({ driven_distance: 5000 }, same, 1000)).toBe('Unchanged');
});

test('the rank is the best of the five, and says of which', () => {
  const best = { subject: 'chases', rank: 3, count: 57 } as const;
  const lines = gainLines({ record: driver({ money: null }), asOf: NOON }, { earlier: null, best }, t);
  expect(lines).toEqual(['#3 of 57 by chases won · 7 days']);
});

test.each([
  [10, 57, '#10 of 57'],
  [15, 60, '#15 of 60'],
  [11, 1900, '#11 of 1,900'],
])('rank %i of %i reads %s', (rank, count, place) => {
  const past = { earlier: null, best: { subject: 'distance', rank, count } } as const;
  const lines = gainLines({ record: driver({ money: null }), asOf: NOON }, past, t);
  expect(lines).toEqual([`${place} by distance · 7 days`]);
});
