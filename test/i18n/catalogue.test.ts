import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { createAllCatalogues } from '../../commands/subjects.ts';
import { languages as offered } from '../../src/base/languages.ts';
import { loadCommands } from '../../src/discord/publish/load.ts';
import { type Catalogues, createCatalogues } from '../../src/i18n/catalogues.ts';
import { missingFrom } from '../../src/i18n/side-by-side.ts';
import { textsByPath } from '../../src/i18n/texts.ts';
import { createTranslators as translatorsOver } from '../../src/i18n/translator.ts';
import { textLimits } from '../support/text-limits.ts';
import { createTranslators } from '../support/translators.ts';

type Catalogue = { readonly [key: string]: string | Catalogue };

const catalogues = createAllCatalogues();
const en = catalogues('en-GB').texts;

const nested: z.ZodType<string | Catalogue> = z.lazy(() => z.string().or(z.record(z.string(), nested)));

/** The plural forms of a key, of which languages have different ones, count as one. */
const PLURAL = /_(zero|one|two|few|many|other)$/;

const placeholders = (text: string): ReadonlySet<string> =>
  new Set(Array.from(text.matchAll(/\{\{(\w+)\}\}/g), ([, name = '']) => name));

/** The parameters of each key. */
function needs(catalogue: Catalogue): Record<string, ReadonlySet<string>> {
  return Object.fromEntries(
    textsByPath(catalogue)
      .filter(([path]) => !PLURAL.test(path) || path.endsWith('_other'))
      .map(([path, text]) => [path, placeholders(text)]),
  );
}

/** Faults of the keys, the placeholders and the plural forms of a translation. A text may be missing as a whole. */
function faultsIn(catalogue: Catalogue, language: string): readonly string[] {
  const english = needs(en);
  const misnamed = Object.entries(needs(catalogue)).flatMap(([path, names]) => {
    const expected = english[path];
    if (expected === undefined) return [`${path} is unknown`];
    return names.symmetricDifference(expected).size === 0 ? [] : [`${path} has other placeholders`];
  });
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  const byPath = new Map(textsByPath(catalogue));
  const plurals = new Set([...byPath.keys()].filter((path) => PLURAL.test(path)));
  const keys = new Set([...plurals].map((path) => path.replace(PLURAL, '')));
  const expectedForms = new Set([...keys].flatMap((key) => forms.map((form) => `${key}_${form}`)));
  const misplaced = [...plurals].filter((path) => {
    const known = placeholders(byPath.get(path.replace(PLURAL, '_other')) ?? '');
    const own = placeholders(byPath.get(path) ?? '');
    // "One car" need not say the number; all else is said in every form.
    return !own.isSubsetOf(known) || [...known.difference(own)].some((name) => name !== 'count');
  });
  return [
    ...misnamed,
    ...[...expectedForms.difference(plurals)].map((path) => `${path} is missing`),
    ...[...plurals.difference(expectedForms)].map((path) => `${path} is no form of the language`),
    ...misplaced.map((path) => `${path} has other placeholders than its other forms`),
  ];
}

/** The commands that a text names, as it is typed: `/board create`. */
const mentions = (text: string): readonly string[] =>
  Array.from(text.matchAll(/(?<=^|`)\/[-\p{L}]+(?: [-\p{L}]+(?=`|$))?/gu), ([mention]) => mention);

const limits = textLimits(await loadCommands(new URL('../../commands/', import.meta.url)));

/** The folders of texts: `en.ts`, and a file for each language. */
const folders = globSync(['src/i18n/locales/en.ts', 'commands/*/texts/en.ts']).map((file) => dirname(file));
const files = globSync(folders.map((folder) => `${folder}/*.json`));
const languages = globSync('src/i18n/locales/*.json').map((file) => basename(file, '.json'));

test.each(folders)('the English texts of %s stand beside them for translators', async (folder) => {
  const { en: english } = await import(resolve(folder, 'en.ts'));
  const written = `${JSON.stringify(english, null, 2)}\n`;
  await expect(written, 'npm run check -- --write').toMatchFileSnapshot(resolve(folder, 'en.json'));
});

test.each(files)('%s is texts by the keys of the English ones beside it', (file) => {
  const keysOf = (path: string): ReadonlySet<string> => {
    const texts = z.record(z.string(), nested).parse(JSON.parse(readFileSync(path, 'utf8')));
    return new Set(textsByPath(texts).map(([key]) => key.replace(PLURAL, '')));
  };
  const unknown = keysOf(file).difference(keysOf(`${dirname(file)}/en.json`));
  expect([...unknown]).toEqual([]);
});

test('there is a catalogue for each language that is offered, and no other', () => {
  const bases = offered.map((language) => new Intl.Locale(language).language);
  expect(languages.toSorted()).toEqual([...new Set(bases)].toSorted());
});

test('American English says the same in its own spelling', () => {
  const spelt = catalogues('en-US').texts;
  expect(needs(spelt)).toEqual(needs(en));
  for (const [path, text] of textsByPath(spelt))
    expect(text, `${path}: add the American spelling to src/i18n/catalogues.ts`).not.toMatch(
      /colour|favour|honour|behaviour|licence|metre|centre|tyre|kerb|grey|cheque|catalogue|travell|cancell|(author|recogn|organ|real|minim|custom)is(e|i)/i,
    );
  expect(spelt).not.toEqual(en);
});

describe.each(languages)('the catalogue of %s', (language) => {
  const catalogue = catalogues(language).texts;

  test('has the English keys and placeholders, and each plural form of its language', () => {
    expect([...textsByPath(catalogue)].filter(([path]) => PLURAL.test(path)).length).toBeGreaterThan(0);
    expect(faultsIn(catalogue, language)).toEqual([]);
  });

  test('has no empty text and no placeholder that is not closed', () => {
    for (const [path, text] of textsByPath(catalogue)) {
      expect(text.trim(), path).toBe(text);
      expect(text, path).not.toBe('');
      expect(text.replaceAll(/\{\{\w+\}\}/g, ''), path).not.toMatch(/[{}]|\$t\(/);
    }
  });

  test('has one full stop after a duration, whose unit may end with its own', () => {
    const t = createTranslators()(language);
    const [minutes, hours] = [t.duration(35 * 60), t.duration(5 * 3600)];
    for (const [path, text] of textsByPath(catalogue))
      for (const duration of [minutes, hours])
        expect(text.replaceAll('{{duration}}', duration), path).not.toContain('..');
  });

  test('names commands as they are typed in that language', () => {
    const typed = new Map<string, unknown>(Object.entries(catalogue['typed'] ?? {}));
    const own = new Map(textsByPath(catalogue));
    const naming = textsByPath(en).filter(([, text]) => mentions(text).length > 0);
    expect(naming.length).toBeGreaterThan(10);
    for (const [path, english] of naming) {
      const expected = mentions(english).map((mention) =>
        mention.replaceAll(/[-\w]+/g, (name) => `${typed.get(name) ?? name}`),
      );
      const text = own.get(path);
      if (text !== undefined) expect(mentions(text), path).toEqual(expected);
    }
  });

  test('keeps within Discord’s limits wherever Discord gets a text as it is', () => {
    const own = new Map(textsByPath(catalogue));
    const tooLong = [...limits].filter(([key, limit]) => [...(own.get(key) ?? '')].length > limit);
    expect(tooLong).toEqual([]);
  });
});

describe('a file that comes back from a translator', () => {
  const { language: _, ...sent } = z.record(z.string(), nested).parse(catalogues('ru').texts);

  /** The catalogues that read the file, written as Weblate does. */
  function receive(texts: Catalogue): Catalogues {
    const folder = mkdtempSync(join(tmpdir(), 'pitwall-texts-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'ru.json'), JSON.stringify(texts, null, 4));
    return createCatalogues([], pathToFileURL(join(folder, '/')));
  }

  /** The texts with another one in that place; null: with none. */
  function alter(texts: Catalogue, [name = '', ...path]: readonly string[], text: string | null): Catalogue {
    const { [name]: old, ...others } = texts;
    if (path.length === 0) return text === null ? others : { ...others, [name]: text };
    return { ...others, [name]: alter(typeof old === 'object' ? old : {}, path, text) };
  }

  const reverse = (texts: Catalogue): Catalogue =>
    Object.fromEntries(
      Object.entries(texts)
        .toReversed()
        .map(([key, text]) => [key, typeof text === 'string' ? text : reverse(text)]),
    );

  test('may have another order and indent', () => {
    const { texts } = receive(reverse(sent))('ru');
    expect(texts).toEqual(receive(sent)('ru').texts);
    expect(faultsIn(texts, 'ru')).toEqual([]);
  });

  test('may lack a text: English stands in for it, and it is listed', () => {
    const received = receive(alter(sent, ['card', 'refresh'], null));
    expect(translatorsOver(received)('ru')('card.refresh')).toBe('Refresh');
    expect(translatorsOver(received)('ru')('privacy.hide')).toBe('Скрыть меня');
    const { texts } = received('ru');
    expect(faultsIn(texts, 'ru')).toEqual([]);
    expect(missingFrom(texts, en)).toContain('card.refresh');
    expect(missingFrom(texts, en)).not.toContain('privacy.hide');
  });

  test.each([
    [
      'a placeholder that the text does not have',
      'privacy.timeZone',
      'Пояс: {{place}}',
      'has other placeholders',
    ],
    ['a placeholder that is lost', 'privacy.timeZone', 'Пояс', 'has other placeholders'],
    ['an unknown key', 'card.refreshAll', 'Обновить всё', 'is unknown'],
    ['a plural form that is missing', 'gains.chases_few', null, 'is missing'],
    ['a plural form of another language', 'gains.chases_two', '{{count}}', 'is no form of the language'],
  ])('is refused with %s', (_what, path, text, fault) => {
    const { texts } = receive(alter(sent, path.split('.'), text))('ru');
    expect(faultsIn(texts, 'ru')).toEqual([`${path} ${fault}`]);
  });
});

test('a release has each language whole that its page calls whole', () => {
  const page = readFileSync('src/i18n/locales/README.md', 'utf8');
  const rows = Array.from(page.matchAll(/^\| `(\w+)` .*\| (whole|partial) \|/gm), ([, ...row]) => row);
  expect(rows.map(([language]) => language).toSorted()).toEqual(
    languages.filter((each) => each !== 'en').toSorted(),
  );
  const changes = readFileSync('.github/CHANGELOG.md', 'utf8');
  const [latest = ''] = /^## .*$/m.exec(changes) ?? [];
  const whole = rows.filter(([, state]) => state === 'whole' && !/^## \[?Unreleased\]?$/.test(latest));
  const lacking = whole.flatMap(([language = '']) =>
    missingFrom(catalogues(language).texts, en).map((key) => `${key} in ${language}`),
  );
  expect(lacking, 'npx node src/tools/catalogue.ts lists them').toEqual([]);
});

test('uses every text: its key stands in the code, or fits a key that is put together', () => {
  const code = globSync(['src/**/*.ts', 'commands/**/*.ts'], {
    exclude: ['src/i18n/locales/*', '**/texts/*', 'src/sandbox/**'],
  })
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const written = new Set(Array.from(code.matchAll(/'([\w.-]+)'/g), ([, key = '']) => key));
  const patterns = Array.from(
    code.matchAll(/`([\w.-]+\.)\$\{[^`]*\}([\w.-]*)`/g),
    ([, before = '', after = '']) => ({
      before,
      after,
    }),
  );
  // `typed` is read by the name of a command or option.
  const unused = textsByPath(en)
    .map(([path]) => path.replace(PLURAL, ''))
    .filter((key) => !key.startsWith('typed.') && !written.has(key))
    .filter((key) => !patterns.some(({ before, after }) => key.startsWith(before) && key.endsWith(after)));
  expect([...new Set(unused)]).toEqual([]);
});
