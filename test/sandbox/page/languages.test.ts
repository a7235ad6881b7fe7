import { describe, expect, test } from 'vitest';
import { languages as spoken } from '../../../src/base/languages.ts';
import { chooseLanguage, languages } from '../../../src/sandbox/page/client/languages.ts';
import { pieces, t } from '../../../src/sandbox/page/client/text.ts';

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
] as const)('a browser that wants %j asks the bot in %s', (wanted, chosen) => {
  expect(chooseLanguage(wanted)).toBe(chosen);
});

test('the page offers every language that the bot speaks', () => {
  expect(Object.keys(languages).toSorted()).toEqual(spoken.toSorted());
});

describe('A text of the page', () => {
  test('takes a name as it is, and a number in English', () => {
    expect(t('message.thinking', { name: '{{count}} $& <b>' })).toBe('{{count}} $& <b> is thinking…');
    expect(t('page.faults', { count: 1234 })).toBe('1,234 on');
  });

  test('has an element where its words are', () => {
    expect(pieces('message.used', { name: 1, command: 2 })).toEqual([1, ' used ', 2]);
    expect(() => pieces('message.used', { name: 1 })).toThrow(/command/);
  });
});
