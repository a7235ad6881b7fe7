import { memoiseByKey } from '../base/memoise.ts';
import { memoiseByObject } from '../base/memoise-by-object.ts';
import type { Catalogues, Texts } from './catalogues.ts';

/** A text split at its `{{placeholders}}`: literal, name, literal, name, …, literal. */
type Template = readonly string[];

type Values = Readonly<Record<string, string | number>>;

/** Counts whose plural form is remembered: asking Intl takes ten times as long as the rest of the text. */
const REMEMBERED = 500;

/** All texts by the paths to them: `profile.options.player`. */
export function textsByPath(texts: Texts, path = ''): readonly (readonly [key: string, text: string])[] {
  return Object.entries(texts).flatMap(([name, at]) =>
    typeof at === 'string' ? [[path + name, at] as const] : textsByPath(at, `${path}${name}.`),
  );
}

/** The templates of a catalogue by their keys, each split when it is first used: a person reads few of a language's 1,300. */
const templatesOf = memoiseByObject((texts: Texts) =>
  memoiseByKey((key: string): Template | null => findText(texts, key)?.split(/\{\{(\w+)\}\}/) ?? null),
);

function findText(texts: Texts, key: string): string | null {
  let entry: Texts | string = texts;
  for (const name of key.split('.')) {
    if (typeof entry === 'string' || !Object.hasOwn(entry, name)) return null;
    entry = entry[name] ?? '';
  }
  return typeof entry === 'string' ? entry : null;
}

/** The text of a key with its placeholders filled in. */
export type TextOf = (key: string, values?: Values) => string;

/**
 * The texts of a locale (BCP 47). `count` picks the plural form. Values are inserted unchanged, so that nothing in a
 * name acts as a placeholder; numbers are formatted by `number`. A function each, which may be given properties.
 */
export function createTexts(
  catalogues: Catalogues,
): (locale: string) => (number: (value: number) => string) => TextOf {
  return (locale) => {
    const { language, texts } = catalogues(locale);
    const templates = templatesOf(texts);
    const formOf = formsOf(language);

    return (number) => (key, values) => {
      const count = values?.['count'];
      const partsIn = (all: typeof templates, of: typeof formOf) =>
        (typeof count === 'number' ? all(`${key}_${of(count)}`) : null) ?? all(key);
      // A language may lack what is new.
      const parts = partsIn(templates, formOf) ?? partsIn(templatesOf(catalogues('en').texts), formsOf('en'));
      if (parts === null) throw new TypeError(`no text has the key ${key}`);
      let text = parts[0] ?? '';
      for (let index = 1; index < parts.length; index += 2) {
        const value = values?.[parts[index] ?? ''] ?? '';
        text += (typeof value === 'number' ? number(value) : value) + (parts[index + 1] ?? '');
      }
      return text;
    };
  };
}

/** By the number as it is written: 1.5 of them read as 2. */
const formsOf = memoiseByKey((language: string): ((count: number) => string) => {
  const plurals = new Intl.PluralRules(language, { maximumFractionDigits: 0 });
  return memoiseByKey((count) => plurals.select(count), REMEMBERED);
});
