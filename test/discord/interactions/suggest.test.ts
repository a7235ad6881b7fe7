import fc from 'fast-check';
import { expect, test } from 'vitest';
import { choices } from '../../../src/discord/interactions/autocomplete.ts';
import { codePoint } from '../../support/code-point.ts';

const named = (value: string) => ({ name: `Car ${value}`, value });

test('known names that fit come first in their order, so that Enter sends one, and the typed text last', () => {
  expect(choices('ab', [named('ABC'), named('CAB')])).toEqual([
    named('ABC'),
    named('CAB'),
    { name: 'ab', value: 'ab' },
  ]);
});

test('the typed text has its place below any number of suggestions', () => {
  const many = Array.from({ length: 30 }, (_, index) => named(`A${index}`));
  const offered = choices('a', many);
  expect(offered).toHaveLength(25);
  expect(offered.at(-1)).toEqual({ name: 'a', value: 'a' });
});

test('a suggestion that is the typed text comes first, under its own name, and only once', () => {
  expect(choices('CAB', [named('ABC'), named('CAB')])).toEqual([named('CAB'), named('ABC')]);
});

test('where nothing is typed there are only suggestions', () => {
  expect(choices('', [named('ABC')])).toEqual([named('ABC')]);
  expect(choices('  ', [])).toEqual([]);
});

test('Discord accepts every list of choices, and the typed text is in it', () => {
  const text = fc.oneof(
    fc.string({ unit: codePoint, maxLength: 130 }),
    fc.constantFrom('', ' ', 'a'.repeat(101), '🚗'.repeat(60)),
  );
  fc.assert(
    fc.property(
      text,
      fc.array(fc.record({ name: text, value: text }), { maxLength: 40 }),
      (typed, suggestions) => {
        const offered = choices(typed, suggestions);
        expect(offered.length).toBeLessThanOrEqual(25);
        for (const { name, value } of offered) {
          for (const each of [name, value]) {
            expect(each.trim()).not.toBe('');
            expect(each.length).toBeLessThanOrEqual(100);
            expect(each.isWellFormed()).toBe(true);
          }
        }
        for (const part of ['name', 'value'] as const) {
          expect(new Set(offered.map((choice) => choice[part])).size).toBe(offered.length);
        }
        if (typed.trim() !== '' && typed.length <= 100)
          expect([offered[0]?.value, offered.at(-1)?.value]).toContain(typed);
      },
    ),
  );
});
