import fc from 'fast-check';
import { expect, test } from 'vitest';
import { choices } from '../../src/discord/suggest.ts';

const named = (value: string) => ({ name: `Car ${value}`, value });

test('the typed text is the first choice, and the suggestions follow in their order', () => {
  expect(choices('ab', [named('ABC'), named('CAB')])).toEqual([
    { name: 'ab', value: 'ab' },
    named('ABC'),
    named('CAB'),
  ]);
});

test('a suggestion that is the typed text comes first, under its own name, and only once', () => {
  expect(choices('CAB', [named('ABC'), named('CAB')])).toEqual([named('CAB'), named('ABC')]);
});

test('where nothing is typed there are only suggestions', () => {
  expect(choices('', [named('ABC')])).toEqual([named('ABC')]);
  expect(choices('  ', [])).toEqual([]);
});

test('chat takes every list of choices, and the typed text is in it', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 130 }),
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
        if (typed.trim() !== '' && typed.length <= 100) expect(offered[0]?.value).toBe(typed);
      },
    ),
  );
});
