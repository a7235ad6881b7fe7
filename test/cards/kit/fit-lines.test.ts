import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitLines } from '../../../src/cards/kit/fit-lines.ts';
import { createTranslators } from '../../support/translators.ts';

const t = createTranslators()('en-GB');

test('what fits stands as it is', () => {
  expect(fitLines(['one', 'two'], { characters: 7 }, t)).toBe('one\ntwo');
  expect(fitLines([], { characters: 7 }, t)).toBe('');
});

test('entries that do not fit are counted in a line with reserved space', () => {
  expect(fitLines(['one', 'two', 'three'], { characters: 12 }, t)).toBe('one\n+2 more');
  expect(fitLines(['one', 'two', 'three'], { characters: 10 }, t)).toBe('+3 more');
});

test('a list stops at its maximum of entries, however much space is left', () => {
  expect(fitLines(['a', 'b', 'c'], { characters: 100, entries: 2 }, t)).toBe('a\nb\n+1 more');
  expect(fitLines(['a', 'b'], { characters: 100, entries: 2 }, t)).toBe('a\nb');
});

test('any list fits: whole entries, the right count, no entry left out that fits', () => {
  const entry = fc.string({ maxLength: 40 }).map((text) => text.replaceAll(/[\n+]/g, ' '));
  fc.assert(
    fc.property(
      fc.array(entry, { maxLength: 40 }),
      fc.integer({ min: 10, max: 400 }),
      (entries, characters) => {
        const text = fitLines(entries, { characters }, t);
        expect(text.length).toBeLessThanOrEqual(characters);
        const left = Number(/\+(\d+) more$/.exec(text)?.[1] ?? 0);
        const shown = entries.length - left;
        const render = (count: number): string =>
          [
            ...entries.slice(0, count),
            ...(count < entries.length ? [`+${entries.length - count} more`] : []),
          ].join('\n');
        expect(text).toBe(render(shown));
        if (left > 0) expect(render(shown + 1).length).toBeGreaterThan(characters);
      },
    ),
  );
});
