import { expect, test } from 'vitest';
import { bar } from '../../../src/cards/kit/bar.ts';
import { barParts } from '../../../src/cards/kit/bar-parts.ts';
import { createTranslators } from '../../../src/i18n/translator.ts';

const t = createTranslators()('en-GB');

test.each([
  [0, '▱▱▱▱▱▱▱▱▱▱ 0%'],
  [0.004, '▰▱▱▱▱▱▱▱▱▱ 0.4%'],
  [0.724, '▰▰▰▰▰▰▰▱▱▱ 72.4%'],
  [0.996, '▰▰▰▰▰▰▰▰▰▱ 99.6%'],
  [1, '▰▰▰▰▰▰▰▰▰▰ 100%'],
  [12, '▰▰▰▰▰▰▰▰▰▰ 1,200%'],
  [-0.5, '▱▱▱▱▱▱▱▱▱▱ -50%'],
])('%d is drawn as %s', (fraction, drawn) => {
  expect(bar(fraction, t)).toBe(drawn);
});

const drawn = createTranslators({ emoji: (name) => `<:${name}:1>` })('en-GB');

test.each([
  [0, ['ns0', 'nm0', 'nm0', 'nm0', 'ne0'], '0%'],
  [0.004, ['ps1', 'nm0', 'nm0', 'nm0', 'ne0'], '0.4%'],
  [0.5, ['fs2', 'fm2', 'fm1', 'nm0', 'ne0'], '50%'],
  [0.8, ['gs2', 'gm2', 'gm2', 'gm2', 'ne0'], '80%'],
  [0.996, ['gs2', 'gm2', 'gm2', 'gm2', 'ge1'], '99.6%'],
  [12, ['gs2', 'gm2', 'gm2', 'gm2', 'ge2'], '1,200%'],
])('%d is drawn as %s where the application has the pictures', (fraction, parts, figure) => {
  expect(bar(fraction, drawn)).toBe(`${parts.map((part) => `<:pw1_${part}:1>`).join('')} ${figure}`);
});

test('with one picture missing, a bar is text', () => {
  const some = createTranslators({ emoji: (name) => (name === 'pw1_ne0' ? null : `<:${name}:1>`) })('en-GB');
  expect(bar(0.7, some)).toBe('▰▰▰▰▰▰▰▱▱▱ 70%');
});

test('the parts to be uploaded are those that bars are made of', () => {
  const known = new Set(barParts().map(({ name }) => name));
  expect(known.size).toBe(barParts().length);
  const bars = Array.from({ length: 1001 }, (_, share) => bar(share / 1000, drawn));
  const used = new Set(bars.flatMap((text) => [...text.matchAll(/<:(\w+):/g)].map(([, name]) => name)));
  expect(used).toEqual(known);
});
