import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createAllCatalogues } from '../../commands/subjects.ts';
import { createTranslators } from '../support/translators.ts';
import { inGameText } from '../text/in-game.ts';

const translatorFor = createTranslators();
const british = translatorFor('en-GB');

describe('a text with placeholders', () => {
  test('inserts names literally: no placeholder, nested key or pattern in them counts', () => {
    const vin = '{{model}} $t(card.refresh) {{- vin}} $& $1 &amp;';
    expect(british('car.title', { model: '{{vin}}', vin })).toBe(`{{vin}} · ${vin}`);
  });

  test('inserts any text literally', () => {
    fc.assert(
      fc.property(inGameText, inGameText, (model, vin) => {
        expect(british('car.title', { model, vin })).toBe(`${model} · ${vin}`);
      }),
    );
  });

  test('writes numbers as its readers do, and picks the plural form by them', () => {
    expect(british('garage.count', { count: 1 })).toBe('1 car');
    expect(british('garage.count', { count: 0 })).toBe('0 cars');
    expect(british('garage.count', { count: 12345 })).toBe('12,345 cars');
    expect(translatorFor('de')('card.more', { n: 12345 })).toBe('+12.345 weitere');
  });

  test('a language without a catalogue reads English, with English plurals', () => {
    // Ukrainian and Arabic have other plural forms, Japanese has one only.
    for (const locale of ['uk', 'ar', 'ja', 'cs', 'zh-CN']) {
      expect(translatorFor(locale)('garage.count', { count: 1 })).toMatch(/^\S+ car$/);
      expect(translatorFor(locale)('garage.count', { count: 3 })).toMatch(/^\S+ cars$/);
    }
  });

  test("falls back to English, with English plurals and the language's own numbers", () => {
    const catalogues = createAllCatalogues();
    const polish = { language: 'pl', texts: { card: { refresh: 'Odśwież' } } };
    const t = createTranslators((locale) => (locale === 'pl' ? polish : catalogues(locale)))('pl');
    expect(t('card.refresh')).toBe('Odśwież');
    expect(t('card.previous')).toBe(british('card.previous'));
    expect(t('garage.count', { count: 1 })).toBe('1 car');
    expect(t('garage.count', { count: 22_222 })).toBe('22\u00a0222 cars');
    expect(t.typed('garage')).toBe('garage');
  });
});

describe('what its readers decided', () => {
  const inMiles = translatorFor('en-GB', { unit: 'mile', colours: true });

  test.each([
    [inMiles.distance(950), '0.6mi'],
    [inMiles.distance(1609.344), '1mi'],
    [inMiles.distance(160_934), '100mi'],
    [inMiles.distance(123_456_789), '76,712mi'],
    [translatorFor('de', { unit: 'mile', colours: true }).distance(1_609_344), '1.000mi'],
    [translatorFor('en-GB', { unit: 'kilometre', colours: false }).distance(12_345), '12.3km'],
  ])('a distance in the unit of their choice: %s', (written, expected) => {
    expect(written.replaceAll(/\s/g, '')).toBe(expected);
  });

  test('changes nothing for others who read the same language', () => {
    expect(translatorFor('en-GB', { unit: 'mile', colours: false }).colours).toBe(false);
    expect(translatorFor('en-GB').colours).toBe(true);
    expect(translatorFor('en-GB').distance(5000)).toMatch(/km/);
    expect(inMiles('garage.count', { count: 2 })).toBe('2 cars');
  });
});

describe('figures', () => {
  test.each([
    [british.number(1234567.89), '1,234,568'],
    [british.number(-0), '0'],
    [british.number(-0.2), '0'],
    [british.number(-3), '-3'],
    [british.number(0.25, 1), '0.3'],
    [british.number(1.7e308), '2E308'],
    [british.percent(0.724), '72%'],
    [british.percent(0.724, 1), '72.4%'],
    [british.percent(0, 1), '0%'],
    [british.percent(0.000199, 1), '<0.1%'],
    [british.percent(0.0005, 1), '0.1%'],
    [british.percent(0.004), '<1%'],
    [british.percent(0.9996, 1), '99.9%'],
    [british.percent(0.999), '99%'],
    [british.percent(1, 1), '100%'],
    [british.percent(1.004, 1), '100.4%'],
    [translatorFor('de').percent(0.000199, 1), '<0,1 %'],
    [british.distance(950), '1 km'],
    [british.distance(12_345), '12.3 km'],
    [british.distance(123_456_789), '123,457 km'],
    [british.duration(2700), '45 min'],
    [british.duration(5400), '1 h 30'],
    [british.duration(7200 + 5 * 60), '2 h 05'],
    [british.duration(3570), '1 h'],
    [british.duration(359_969), '99 h 59'],
    [british.duration(359_970), '100 h'],
    // At least this, or at most: never more, or less, than it was.
    [british.duration(3599, 'least'), '59 min'],
    [british.duration(416_340, 'least'), '115 h'],
    [british.duration(359_999, 'least'), '99 h 59'],
    [british.duration(3541, 'most'), '1 h'],
    [british.duration(360_001, 'most'), '101 h'],
    [british.duration(359_941, 'most'), '100 h'],
    [british.duration(360_000, 'most'), '100 h'],
    [translatorFor('fr').duration(3900), '1 h 05'],
    [translatorFor('ru').duration(3900), '1 ч 05 мин'],
    [british.duration(4_000_000), '1,111 h'],
    [translatorFor('de').number(1234567), '1.234.567'],
    [translatorFor('de').distance(123_456_789), '123.457 km'],
  ])('%s is written %s', (written, expected) => {
    // Intl separates some units by spaces that do not break.
    expect(written.replaceAll(/[\u00a0\u202f]/g, ' ')).toBe(expected);
  });

  test('no figure is longer than a line, in any language', () => {
    fc.assert(
      fc.property(
        fc.double({ noNaN: true }),
        fc.constantFrom('en-GB', 'de', 'hi', 'ar', 'ru', 'ja', 'th'),
        (value, locale) => {
          const { number, percent, distance, duration } = translatorFor(locale);
          for (const text of [number(value, 1), percent(value, 1), distance(value), duration(value)])
            expect(text.length).toBeLessThan(40);
        },
      ),
    );
  });
});

describe('countries', () => {
  test.each([
    ['en-GB', 'de', 'Germany'],
    ['de', 'de', 'Deutschland'],
    ['ja', 'gb', 'イギリス'],
    ['en-GB', 'uk', 'United Kingdom'],
    ['en-GB', 'qq', null],
    ['en-GB', 'zz', null],
    ['de', 'xa', null],
    ['en-GB', 'qo', null],
    ['en-GB', 'su', 'Russia'],
    ['en-GB', 'eu', 'European Union'],
    ['en-GB', 'xk', 'Kosovo'],
  ])('to a reader of %s, %s is %s', (locale, code, name) => {
    expect(translatorFor(locale).country(code)).toBe(name);
  });
});

test('an invalid language tag reads English', () => {
  for (const locale of ['', 'x_y', '../en', 'nonsense tag']) {
    expect(translatorFor(locale)('card.refresh')).toBe('Refresh');
    expect(translatorFor(locale).number(1234)).toBe('1,234');
  }
});
