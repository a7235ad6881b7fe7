import { ComponentType } from 'discord.js';
import { expect, test } from 'vitest';
import { driverInLine, driverMenu, driverName } from '../../../src/cards/kit/driver.ts';
import { createTranslators } from '../../support/translators.ts';

const t = createTranslators()('en-GB');

test.each([
  ['oldtimer', 'Old·Timer', 'Old·Timer (oldtimer)'],
  ['k3nny', '^1K3nny^8', 'K3nny'],
  ['k3nny', null, 'k3nny'],
  ['k3nny', '^1 \u200b', 'k3nny'],
  [null, '^4Ron', 'Ron'],
  [null, null, '?'],
  // A caret of a login name is no colour.
  ['^1x', 'Ron', 'Ron (^1x)'],
])('a driver who logs in as %j and plays as %j is %j', (username, nickname, name) => {
  expect(driverName({ username, nickname })).toBe(name);
});

test('both names are told apart however long they are, in a line or below a button', () => {
  const name = driverName({ username: 'l'.repeat(64), nickname: 'n'.repeat(500_000) });
  expect(name).toMatch(/^n{37}… \(l{37}…\)$/);
  expect(name.length).toBeLessThanOrEqual(80);
  expect(driverInLine({ username: 'a_b', nickname: '*x*' })).toBe('\\*x\\* \\(a\\_b\\)');
});

test('the menu below a list opens a profile of each driver who can be asked for, once', () => {
  const [row] = driverMenu(
    [
      { username: 'oldtimer', nickname: '^1Old·Timer' },
      { username: 'OldTimer', nickname: null },
      { username: null, nickname: 'Ron' },
      { username: '\u202e', nickname: 'backwards' },
      { username: 'zoë', nickname: null },
    ],
    t,
  );
  const [select] = row?.components ?? [];
  if (select?.type !== ComponentType.StringSelect) throw new Error('no menu');
  expect(select.custom_id).toBe('1:profile:open:');
  expect(select.options).toEqual([
    { label: 'Old·Timer (oldtimer)', value: 'oldtimer' },
    { label: 'zoë', value: 'zoë' },
  ]);
});

test('a menu has at most 25 drivers, and there is none without one', () => {
  const many = Array.from({ length: 30 }, (_, index) => ({ username: `d${index}`, nickname: null }));
  const [select] = driverMenu(many, t)[0]?.components ?? [];
  expect(select).toMatchObject({ options: { length: 25 } });
  expect(driverMenu([{ username: null, nickname: 'Ron' }], t)).toEqual([]);
});
