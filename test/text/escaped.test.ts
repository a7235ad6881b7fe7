import fc from 'fast-check';
import { expect, test } from 'vitest';
import { escaped } from '../../src/text/escaped.ts';
import { markdown } from '../../src/text/markdown.ts';
import { plain } from '../../src/text/plain.ts';
import { inGameText } from './in-game.ts';

const inTwoPasses = (text: string): string => markdown(plain(text));

test.for([
  ['an ordinary name', 'Kenny', 'Kenny'],
  ['codes and markup', '^7[^1TC^7] ^vpro^v', '\\[TC\\] \\|pro\\|'],
  ['a caret that begins no code', 'a^b^', 'a^b^'],
  ['letters of other alphabets', 'Příliš ^1日本', 'Příliš 日本'],
  ['a mark, an invisible character, a byte of Windows-1252', 'e\u0301\u200b\u0080_', 'e\u0301€\\_'],
] as const)('%s', ([, text, expected]) => {
  expect(escaped(text)).toBe(expected);
});

test('says the same as reading and escaping one after the other, however long', () => {
  fc.assert(
    fc.property(inGameText, fc.integer({ min: 1, max: 60 }), (text, times) => {
      expect(escaped(text)).toBe(inTwoPasses(text));
      const long = text.repeat(times);
      expect(escaped(long)).toBe(inTwoPasses(long));
    }),
  );
});

test('where it stops being one pass, nothing is lost', () => {
  for (const length of [255, 256, 257, 600])
    for (const unit of ['_', '^v', 'a']) {
      const text = unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
      expect(escaped(text)).toBe(inTwoPasses(text));
    }
});
