import { expect, test } from 'vitest';
import { modelName } from '../../../src/cards/car/car-models.ts';
import { createTranslators } from '../../support/translators.ts';

const t = createTranslators()('en-GB');

test.each([
  ['XRT', 'XR GT Turbo'],
  ['xrt', 'XR GT Turbo'],
  ['UF1.XMAS', 'UF 1000 (XMAS)'],
  ['A1B2C3', 'Mod A1B2C3'],
  ['a1b2c3.TAXI', 'Mod a1b2c3 (TAXI)'],
  ['ZZ9', 'ZZ9'],
  ['__proto__', '__proto__'],
  ['', 'Unknown model'],
  [' \u00a0', 'Unknown model'],
  ['XRT. ', 'XR GT Turbo'],
  [null, 'Unknown model'],
])('%s is called %s', (code, name) => {
  expect(modelName(code, t)).toBe(name);
});

test('a name is short however long the code is', () => {
  for (const code of ['x'.repeat(5000), `${'y.'.repeat(5000)}`, '日本'.repeat(99)])
    expect(modelName(code, t).length).toBeLessThan(50);
});
