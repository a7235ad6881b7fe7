import { expect, test } from 'vitest';
import { foldName } from '../../../src/service/models/identifiers.ts';

test.each([
  ['another case', 'SPEEDY DRIVER'],
  ['two spaces', 'Speedy  Driver'],
  ['a no-break space', 'Speedy\u00a0Driver'],
  ['space around it', ' Speedy Driver '],
  ['a zero-width end', 'Speedy Driver\u200b'],
  ['a soft hyphen', 'Spee\u00addy Driver'],
  ['a direction mark', '\u200eSpeedy Driver'],
  ['a grapheme joiner', 'Speedy\u034f Driver'],
  ['colour codes', '^1Speedy ^8Driver'],
  ['full width', 'Ｓｐｅｅｄｙ　Ｄｒｉｖｅｒ'],
])('a name with %s is the same name', (_what, spelling) => expect(foldName(spelling)).toBe('speedy driver'));

test.each(['Speedy Drivér', 'SpeedyDriver', 'Speedy Drivers', ''])('%j is another name', (other) =>
  expect(foldName(other)).not.toBe('speedy driver'),
);

test('letters that are written in two ways are one', () =>
  expect(foldName('Jo\u0308rg')).toBe(foldName('Jörg')));

test('a long name is cut before it grows: no letter of it makes the work longer', () =>
  expect(foldName('\ufdfa'.repeat(6000)).length).toBeLessThan(128 * 19));
