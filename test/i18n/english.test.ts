/** What English says without Intl is what Intl says. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ENGLISH_BELOW, englishNumber, englishPlural, type NumberStyle } from '../../src/i18n/english.ts';
import { createFormats } from '../../src/i18n/formats.ts';
import { bundledCountries } from '../../src/tools/build/bundled-countries.ts';

const units = ['kilometer', 'mile'].map((unit) => ({ style: 'unit', unit }) as const);
const locales = ['en-GB', 'en-US'];
const style = fc
  .record({
    style: fc.constantFrom({}, { style: 'percent' } as const, ...units),
    maximumFractionDigits: fc.integer({ min: 0, max: 3 }),
  })
  .map(({ style, ...rest }): NumberStyle => ({ ...style, ...rest }));

/** Where rounding is hard: few decimals, halves, next to whole numbers; and any number. */
const number = fc.oneof(
  fc.double({ min: -ENGLISH_BELOW, max: ENGLISH_BELOW, minExcluded: true, maxExcluded: true, noNaN: true }),
  fc.integer({ min: -2_000_000, max: 2_000_000 }).map((steps) => steps / 2000),
  fc.integer({ min: -9_999_999, max: 9_999_999 }).map((steps) => steps / 10_000),
  fc.integer({ min: -5000, max: 5000 }),
  fc.double({ min: -0.01, max: 0.01, noNaN: true }),
);

describe('English', () => {
  test('writes every number as Intl does', () => {
    fc.assert(
      fc.property(fc.constantFrom(...locales), style, number, (locale, asked, value) => {
        const intl = new Intl.NumberFormat(locale, { ...asked, signDisplay: 'negative' });
        expect(englishNumber(locale, asked)?.(value)).toBe(intl.format(value));
      }),
      { numRuns: 3000 },
    );
  });

  test('leaves to Intl what it does not know', () => {
    expect(englishNumber('en-AU', { maximumFractionDigits: 0 })).toBeNull();
    expect(englishNumber('en-GB', { style: 'unit', unit: 'litre', maximumFractionDigits: 0 })).toBeNull();
    expect(createFormats('en-GB').number(12_345_678_901.25, 2)).toBe('12,345,678,901.25');
    expect(createFormats('en-GB').number(1e15)).toBe('1E15');
  });

  test('counts as Intl does', () => {
    const plurals = new Intl.PluralRules('en', { maximumFractionDigits: 0 });
    fc.assert(
      fc.property(number, (count) => {
        expect(englishPlural(count)).toBe(plurals.select(count));
      }),
    );
  });

  test('has in the bundle the countries that the sources know', async () => {
    const module = await import(`data:text/javascript,${encodeURIComponent(bundledCountries())}`);
    for (const locale of locales) {
      const known = Object.entries<string>(module.englishCountries[locale]);
      expect(known.length).toBeGreaterThan(240);
      for (const [code, name] of known) expect(createFormats(locale).country(code.toLowerCase())).toBe(name);
    }
    expect(module.englishCountries['en-GB']['TR']).toBe('Türkiye');
    expect(module.englishCountries['en-US']['LC']).toBe('St. Lucia');
    expect(Object.keys(module.englishCountries['en-GB'])).not.toContain('QQ');
  });
});
