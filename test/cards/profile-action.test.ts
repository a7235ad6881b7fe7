import { expect, test } from 'vitest';
import { readAction, views, writeAction } from '../../src/cards/profile/profile-action.ts';

test('what is written is read again', () => {
  for (const view of views)
    for (const page of [null, 0, 29])
      for (const refresh of [true, false])
        expect(readAction(writeAction({ view, page }, refresh))).toEqual({ view, page, refresh });
});

test.each([
  '',
  'nosuch',
  'garage-',
  'garage-first',
  'garage--1',
  'garage-12345',
  'refresh-',
  'Garage',
  'toString',
  'garage\n',
])('%j is an action that no card wrote', (action) => {
  expect(readAction(action)).toBeNull();
});
