import { expect, test } from 'vitest';
import { chooseLanguage } from '../../../src/sandbox/page/client/languages.ts';

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
