import { expect, test } from 'vitest';
import { kinds, runDay } from '../../soak/day.ts';
import { wrongs } from '../../soak/verdict.ts';

/** In these hours of both days every kind of fault is met. `npm run soak -- board` runs whole days, as many as are asked for. */
const DAYS = [16, 23];
const HOURS = 10;
const met = new Set<string>();

test.for(DAYS)(
  '14: on random day %i there is one board, never older after newer, soon repaired',
  { timeout: 120_000 },
  async (seed) => {
    const day = await runDay(seed, { hours: HOURS });
    expect(wrongs(day)).toEqual([]);
    expect(day.faults).toBeGreaterThan(40);
    for (const kind of Object.keys(day.recovery)) met.add(kind);
  },
);

test('and every kind of fault was among them', () => {
  expect(kinds.filter((kind) => !met.has(kind))).toEqual([]);
});
