import { expect, test } from 'vitest';
import { createAllCatalogues } from '../../../commands/subjects.ts';
import { textsByPath } from '../../../src/i18n/texts.ts';

/** Endings of a title that make a man of its driver. */
const manly: Readonly<Record<string, RegExp>> = { de: /(?:fahrer|retter)$/i, ru: /ник$/i };

test.each(Object.entries(manly))('a title of %s fits every driver', (language, ending) => {
  const texts = textsByPath(createAllCatalogues()(language).texts);
  const titles = texts.filter(([key]) => key.startsWith('recap.title.'));
  expect(titles.length).toBeGreaterThan(5);
  expect(titles.filter(([, text]) => ending.test(text))).toEqual([]);
});
