import { american } from './american.ts';
import type { Language } from './languages.ts';
import { de } from './locales/de.ts';
import { en } from './locales/en.ts';
import { fr } from './locales/fr.ts';
import { pl } from './locales/pl.ts';
import { tr } from './locales/tr.ts';
import { memoised } from './memoised.ts';

/** By language; British English is the fallback for all. */
const catalogues = { en, 'en-US': american(en), de, tr, pl, fr } satisfies Readonly<
  Record<Exclude<Language, 'en-GB'> | 'en', Texts>
>;

/** Texts by their keys, as deep as a catalogue is. */
interface Texts {
  readonly [key: string]: string | Texts;
}

/** A text split at its `{{placeholders}}`: literal, name, literal, name, …, literal. */
type Template = readonly string[];

type Values = Readonly<Record<string, string | number>>;

function flatten(texts: Texts, prefix = ''): readonly (readonly [key: string, template: Template])[] {
  return Object.entries(texts).flatMap(([key, text]) =>
    typeof text === 'string'
      ? [[prefix + key, text.split(/\{\{(\w+)\}\}/)] as const]
      : flatten(text, `${prefix}${key}.`),
  );
}

function isLanguage(language: string): language is keyof typeof catalogues {
  return Object.hasOwn(catalogues, language);
}

/** Counts whose plural form is remembered: asking Intl takes ten times as long as the rest of the text. */
const REMEMBERED = 500;

function formsOf(language: string): (count: number) => Intl.LDMLPluralRule {
  const rules = new Intl.PluralRules(language);
  return memoised((count) => rules.select(count), REMEMBERED);
}

/** Split once per language, since a card uses about thirty texts. */
const compiled = memoised((language: keyof typeof catalogues) => ({
  templates: new Map(flatten(catalogues[language])),
  formOf: formsOf(language),
}));

/**
 * The texts of a locale (BCP 47), or of English if it has no catalogue. `count` picks the plural form. Values are
 * inserted unchanged, so that nothing in a name acts as a placeholder; numbers are formatted by `number`.
 */
export function textsOf(
  locale: string,
  number: (value: number) => string,
): (key: string, values?: Values) => string {
  const language = [locale, new Intl.Locale(locale).language].find(isLanguage) ?? 'en';
  const { templates, formOf } = compiled(language);

  return (key, values) => {
    const count = values?.['count'];
    const form = typeof count === 'number' ? templates.get(`${key}_${formOf(count)}`) : undefined;
    const template = form ?? templates.get(key);
    if (template === undefined) throw new TypeError(`no text has the key ${key}`);
    let text = template[0] ?? '';
    for (let index = 1; index < template.length; index += 2) {
      const value = values?.[template[index] ?? ''] ?? '';
      text += (typeof value === 'number' ? number(value) : value) + (template[index + 1] ?? '');
    }
    return text;
  };
}
