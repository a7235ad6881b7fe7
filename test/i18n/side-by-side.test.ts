import { expect, test } from 'vitest';
import { createAllCatalogues } from '../../commands/subjects.ts';
import { languages } from '../../src/base/languages.ts';
import { missingFrom, sideBySide } from '../../src/i18n/side-by-side.ts';

const catalogues = createAllCatalogues();
const english = catalogues('en').texts;
const rowsOf = (printed: string): readonly string[] =>
  printed.split('\n').filter((line) => /^\| \w+\./.test(line));

test('every text stands beside its English one, in one line', () => {
  const printed = sideBySide(
    { page: { next: 'Next', wrong: 'Not\nhere | there' } },
    { page: { next: 'Avanti', wrong: 'Né qui\nné | là' } },
    'Italian',
  );
  expect(printed.split('\n')).toEqual([
    '## page',
    '',
    '| key | English | Italian |',
    '| --- | --- | --- |',
    '| page.next | Next | Avanti |',
    '| page.wrong | Not ⏎ here \\| there | Né qui ⏎ né \\| là |',
    '',
  ]);
});

test('a plural form that English does not have stands beside its general one', () => {
  expect(rowsOf(sideBySide(english, catalogues('ru').texts, 'Russian'))).toContain(
    '| garage.count_few | {{count}} cars | {{count}} машины |',
  );
});

test('what a language lacks is listed, a text with plural forms once', () => {
  const all = { page: { next: 'Next', left_one: '1 page', left_other: '{{count}} pages' }, help: 'Help' };
  expect(missingFrom({ page: { next: 'Avanti' } }, all)).toEqual(['page.left_other', 'help']);
});

test.each(languages)('no text of %s is without its English one', (language) => {
  const rows = rowsOf(sideBySide(english, catalogues(language).texts, language));
  expect(rows.length).toBeGreaterThan(800);
  for (const row of rows) expect(row).not.toMatch(/\|\s+\|/);
});
