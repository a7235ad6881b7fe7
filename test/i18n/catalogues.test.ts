import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { createAllCatalogues } from '../../commands/subjects.ts';
import { createCatalogues } from '../../src/i18n/catalogues.ts';
import { createTranslators } from '../../src/i18n/translator.ts';

test('a catalogue is read when somebody reads its language, and once', () => {
  const read: string[] = [];
  const catalogues = createCatalogues();
  const translatorFor = createTranslators((locale) => {
    read.push(locale);
    return catalogues(locale);
  });
  expect(read).toEqual([]);
  const miles = { unit: 'mile', colours: false } as const;
  expect(translatorFor('ru')('card.refresh')).toBe('Обновить');
  expect(translatorFor('ru', miles)('card.refresh')).toBe('Обновить');
  expect(translatorFor('pt-BR')('card.refresh')).toBe('Atualizar');
  expect(read).toEqual(['ru', 'pt-BR']);
});

test('a language without a file reads English, which needs none', () => {
  const folder = pathToFileURL(join(mkdtempSync(join(tmpdir(), 'pitwall-')), '/'));
  const translatorFor = createTranslators(createCatalogues([], folder));
  for (const locale of ['en-GB', 'en-US', 'de', 'sv', 'ja'])
    expect(translatorFor(locale)('card.refresh')).toBe('Refresh');
});

test('regions share the catalogue of their language', () => {
  const catalogues = createAllCatalogues();
  expect(catalogues('pt-PT')).toEqual(catalogues('pt-BR'));
  expect(catalogues('en-AU')).toEqual(catalogues('en-GB'));
  const latin = createTranslators(catalogues)('es-419');
  expect(latin('settings.how')).toContain('Administrar servidor');
  expect(latin('card.refresh')).toBe(createTranslators(catalogues)('es-ES')('card.refresh'));
});

/** All texts of a catalogue, one after the other. */
const textsIn = (catalogue: object): readonly string[] =>
  Object.values(catalogue).flatMap((text) => (typeof text === 'string' ? text : textsIn(text)));

test.each([
  ['en-US', 'en-GB'],
  ['es-419', 'es-ES'],
] as const)('no text in %s lacks a word that it has in %s', (region, language) => {
  const catalogues = createAllCatalogues();
  const [spelt, original] = [region, language].map((locale) => textsIn(catalogues(locale)));
  const gaps = (text: string) => text.match(/^ | {2}| $| (?=[.,:;)])/g)?.length ?? 0;
  spelt?.forEach((text, index) => {
    expect([text, gaps(text)]).toEqual([text, gaps(original?.[index] ?? '')]);
    expect(text).not.toContain('$');
  });
});
