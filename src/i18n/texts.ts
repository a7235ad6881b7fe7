import type { Catalogues, Texts } from './catalogues.ts';
import { memoised } from './memoised.ts';

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

/** The text of a key with its placeholders filled in. */
export type TextOf = (key: string, values?: Values) => string;

/**
 * The texts of a locale (BCP 47). `count` picks the plural form. Values are inserted unchanged, so that nothing in a
 * name acts as a placeholder; numbers are formatted by `number`.
 */
export function createTexts(
  catalogues: Catalogues,
): (locale: string, number: (value: number) => string) => TextOf {
  // Split once per language, since a card uses about thirty texts.
  const compiled = memoised((texts: Texts) => new Map(flatten(texts)));

  return (locale, number) => {
    const { language, texts } = catalogues(locale);
    const templates = compiled(texts);
    // By the number as it is written: 1.5 of them read as 2.
    const plurals = new Intl.PluralRules(language, { maximumFractionDigits: 0 });

    return (key, values) => {
      const count = values?.['count'];
      const form = typeof count === 'number' ? templates.get(`${key}_${plurals.select(count)}`) : undefined;
      const template = form ?? templates.get(key);
      if (template === undefined) throw new TypeError(`no text has the key ${key}`);
      let text = template[0] ?? '';
      for (let index = 1; index < template.length; index += 2) {
        const value = values?.[template[index] ?? ''] ?? '';
        text += (typeof value === 'number' ? number(value) : value) + (template[index + 1] ?? '');
      }
      return text;
    };
  };
}
