import { expect, test } from 'vitest';
import { conditionBar } from '../../../src/cards/kit/bar.ts';
import { createTranslators } from '../../support/translators.ts';

const t = createTranslators()('en-GB');

test.each([
  [0, '▱▱▱▱▱▱▱▱▱▱ 0%'],
  [0.004, '▰▱▱▱▱▱▱▱▱▱ <1%'],
  [0.724, '▰▰▰▰▰▰▰▱▱▱ 72%'],
  [0.996, '▰▰▰▰▰▰▰▰▰▱ 99%'],
  [1, '▰▰▰▰▰▰▰▰▰▰ 100%'],
  [12, '▰▰▰▰▰▰▰▰▰▰ 1,200%'],
  [-0.5, '▱▱▱▱▱▱▱▱▱▱ -50%'],
])('%d is drawn as %s', (fraction, drawn) => {
  expect(conditionBar(fraction, t)).toBe(drawn);
});
