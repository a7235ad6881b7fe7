import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { displayName, toPlainText } from '../../src/text/plain.ts';
import { inGameText } from './in-game.ts';

test('colours, escapes and code pages leave plain Unicode', () => {
  expect(toPlainText('^7[^1TC^7] ^JKenny ^vpro^v^8')).toBe('[TC] Kenny |pro|');
});

describe('the name that is shown', () => {
  test('is the plain nickname', () => {
    expect(displayName('^1Red ^7Racer', 'racer')).toBe('Red Racer');
  });

  test.each([
    ['no nickname', null],
    ['an empty one', ''],
    ['nothing but colours', '^1^2^3^8'],
    ['nothing but spaces', ' \u00a0\u3000^1 '],
    ['nothing but zero-width characters', '\u200b\u2060\ufeff'],
    ['nothing but fillers', '\u3164\u115f\u2800\uffa0'],
    ['nothing but marks', ' \u0301\ufe0f'],
  ])('is the username for %s', (_, nickname) => {
    expect(displayName(nickname, 'racer one')).toBe('racer one');
  });

  test('is a cleaned username, whose carets are no codes', () => {
    expect(displayName(null, 'ra\u202ecer\n^1')).toBe('racer ^1');
  });

  test('is seen even where neither can be', () => {
    expect(displayName('^1', '\u200b')).toBe('?');
  });

  test('is one visible line whatever both hold', () => {
    fc.assert(
      fc.property(fc.option(inGameText), inGameText, (nickname, username) => {
        const name = displayName(nickname, username);
        expect(name.trim()).not.toBe('');
        expect(name).not.toMatch(/[\p{Cc}\p{Cs}\u2028\u2029]/u);
      }),
    );
  });
});
