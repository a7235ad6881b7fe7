import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { en } from '../../src/words/en.ts';

type Catalogue = { readonly [key: string]: string | Catalogue };

/** Every text by its path: `garage.count_one`. */
function texts(catalogue: Catalogue, path = ''): (readonly [string, string])[] {
  return Object.entries(catalogue).flatMap(([key, value]) =>
    typeof value === 'string' ? [[path + key, value] as const] : texts(value, `${path}${key}.`),
  );
}

/** What each key needs to be told; the plural forms of a key, of which languages have different ones, as one. */
function needs(catalogue: Catalogue): Record<string, string> {
  return Object.fromEntries(
    texts(catalogue).map(([path, text]) => [
      path.replace(/_(zero|one|two|few|many|other)$/, ''),
      [...new Set(Array.from(text.matchAll(/\{\{(\w+)\}\}/g), ([, name]) => name))].toSorted().join(' '),
    ]),
  );
}

const languages = globSync('src/words/*.ts')
  .map((file) => basename(file, '.ts'))
  .filter((name) => /^[a-z]{2}(-[A-Z]{2})?$/.test(name));

test('English is among the languages', () => {
  expect(languages).toContain('en');
});

describe.each(languages)('the catalogue of %s', async (language) => {
  const module: Record<string, Catalogue> = await import(`../../src/words/${language}.ts`);
  const catalogue = module[language.replace('-', '')] ?? {};

  test('has the keys and placeholders of the English one', () => {
    expect(needs(catalogue)).toEqual(needs(en));
  });

  test('has no empty text and no placeholder that is not closed', () => {
    for (const [path, text] of texts(catalogue)) {
      expect(text.trim(), path).toBe(text);
      expect(text, path).not.toBe('');
      expect(text.replaceAll(/\{\{\w+\}\}/g, ''), path).not.toMatch(/[{}]|\$t\(/);
    }
  });

  test('has every plural form that its language needs', () => {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    const paths = new Set(texts(catalogue).map(([path]) => path));
    const plurals = new Set(
      [...paths].filter((path) => path.endsWith('_other')).map((path) => path.slice(0, -6)),
    );
    expect(plurals.size).toBeGreaterThan(0);
    for (const key of plurals) for (const form of forms) expect(paths).toContain(`${key}_${form}`);
  });

  test("keeps within chat's limits for labels and descriptions", () => {
    for (const [path, text] of texts(catalogue)) {
      if (/\.(description|options\.\w+)$/.test(path)) expect(text.length, path).toBeLessThanOrEqual(100);
      if (/^profile\.view\.|^car\.\w+Button$|^card\.(refresh|next|previous)$/.test(path))
        expect(text.length, path).toBeLessThanOrEqual(80);
    }
  });
});
