import { describe, expect, test } from 'vitest';
import { chooseLanguage, languages, readerOf } from '../../../src/sandbox/page/client/languages.ts';
import { en } from '../../../src/sandbox/page/client/locales/en.ts';
import { createReader } from '../../../src/sandbox/page/client/reader.ts';

describe('The language of the page', () => {
  test.each([
    [['pl'], 'pl'],
    [['en-US', 'de'], 'en-US'],
    [['de-AT', 'en'], 'de'],
    [['es-MX'], 'es-ES'],
    [['pt'], 'pt-BR'],
    [['fi', 'ru-RU', 'en'], 'ru'],
    [['en-AU'], 'en-GB'],
    [['fi', 'not a language', ''], 'en-GB'],
    [[], 'en-GB'],
  ] as const)('of a browser that wants %j is %s', (wanted, chosen) => {
    expect(chooseLanguage(wanted)).toBe(chosen);
  });

  test('has a text for every count', async () => {
    const counts = [...Array.from({ length: 102 }, (_, count) => count), 1.5, 1_000_000];
    for (const { language } of languages) {
      const { t, number } = await readerOf(language);
      for (const count of counts) {
        expect(t('page.faults', { count }), language).toContain(number(count));
        expect(t('message.selectUpTo', { count }), language).toContain(number(count));
        expect(t('happened.filled', { server: 'One', count, time: '' }), language).toContain(number(count));
      }
    }
  });

  test.each([
    ['pl', [1, 3, 5, 22], ['1 włączona', '3 włączone', '5 włączonych', '22 włączone']],
    ['ru', [1, 3, 5, 22], ['1 сбой', '3 сбоя', '5 сбоев', '22 сбоя']],
    ['fr', [0, 1, 2], ['0 active', '1 active', '2 actives']],
  ] as const)('counts in %s as its speakers do', async (language, counts, said) => {
    const { t } = await readerOf(language);
    expect(counts.map((count) => t('page.faults', { count }))).toEqual(said);
  });

  test('spells American English as Americans do', async () => {
    const { t } = await readerOf('en-US');
    expect(t('panel.expire')).toBe('Let a license expire');
  });

  test('puts a name into a text as it is, and an element where its words are', () => {
    const reader = createReader('en-GB', en);
    expect(reader.t('message.thinking', { name: '{{count}} $& <b>' })).toBe('{{count}} $& <b> is thinking…');
    expect(reader.pieces('message.used', { name: 1, command: 2 })).toEqual([1, ' used ', 2]);
    expect(() => reader.pieces('message.used', { name: 1 })).toThrow(/command/);
  });
});
