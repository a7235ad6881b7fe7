import { expect, test } from 'vitest';
import { runDay } from '../soak/day.ts';
import { wrongs } from '../soak/verdict.ts';

/** A day takes about a second. */
const DAYS = 20;

test.for(Array.from({ length: DAYS }, (_, index) => index + 1))(
  '14: on random day %i the board is one, never older after newer, and back soon after every fault',
  async (seed) => {
    const day = await runDay(seed);
    expect(wrongs(day)).toEqual([]);
    expect(day.faults).toBeGreaterThan(50);
  },
);
