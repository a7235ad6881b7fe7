import { expect, test } from 'vitest';
import { MINUTE } from '../../src/base/duration.ts';
import { addMinutes, pointsIn } from '../../src/history/counts.ts';
import { steps } from '../../src/history/kinds.ts';

test('reads and continues a step that an earlier version wrote with more sums', () => {
  const [, ten] = steps;
  const text = addMinutes('[[0,1,2,2,1,0,0,1]]', ten, [{ at: MINUTE, drivers: 4, most: 4, police: 3 }]);
  const point = { at: 0, known: 2 * MINUTE, drivers: 3, most: 4, police: 2 };
  expect(pointsIn({ start: 0, text }, ten.step)).toEqual([point]);
});
