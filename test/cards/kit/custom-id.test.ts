import { expect, test } from 'vitest';
import { readCustomId, writeCustomId } from '../../../src/cards/kit/custom-id.ts';

const subjects = ['', 'k3nny', 'a:b', 'refresh-garage', '日本 語'];

test('what is written is read again', () => {
  for (const subject of subjects)
    for (const action of ['garage', 'x', ''])
      for (const number of [undefined, 0, 29, 9999])
        for (const mode of action === '' ? ['refresh', 'share'] : ['refresh', 'share', 'neither']) {
          const modes = { refresh: mode === 'refresh', share: mode === 'share' };
          const id = { command: 'forget-me', action, number, subject, ...modes };
          expect(readCustomId(writeCustomId(id))).toEqual(id);
        }
});

test.each([
  ['garage', '1:profile:garage:k3nny', {}],
  ['a page', '1:profile:garage-2:k3nny', { number: 2 }],
  ['a newer record of it', '1:profile:refresh-garage-2:k3nny', { number: 2, refresh: true }],
  ['the same again', '1:profile:refresh:k3nny', { action: '', refresh: true }],
  ['everyone', '1:profile:share-garage-2:k3nny', { number: 2, share: true }],
  ['the same page again', '1:profile:refresh-2:k3nny', { action: '', number: 2, refresh: true }],
])('the id for %s is %s', (_what, written, changes) => {
  expect(writeCustomId({ command: 'profile', action: 'garage', subject: 'k3nny', ...changes })).toBe(written);
});

test.each([
  '',
  '1:profile::k3nny',
  '1:profile:garage-:k3nny',
  '1:profile:garage-first:k3nny',
  '1:profile:garage--1:k3nny',
  '1:profile:garage2:k3nny',
  '1:profile:garage-02:k3nny',
  '1:profile:garage-12345:k3nny',
  '1:profile:2:k3nny',
  '1:profile:-2:k3nny',
  '1:profile:refresh-:k3nny',
  '1:profile:share-:k3nny',
  '1:profile:refresh-share-garage:k3nny',
  '1:profile:Garage:k3nny',
  '1:profile:garage\n:k3nny',
  '2:profile:garage:k3nny',
  'profile:garage:k3nny',
])('%j is an id that no card wrote', (id) => {
  expect(readCustomId(id)).toBeNull();
});
