import type { Texts } from './catalogues.ts';

/** The forms that other languages have beyond English `one` and `other`. */
const FORM = /_(zero|one|two|few|many)$/;

/**
 * A catalogue beside the English one, as a Markdown table for each part of it. A plural form that English does not
 * have stands beside its `other`.
 */
export function sideBySide(english: Texts, translated: Texts, heading: string): string {
  const columns = `| key | English | ${heading} |\n| --- | --- | --- |`;
  return Object.entries(translated)
    .map(([part, texts]) => {
      const rows = flat(part, texts).map(([key, text]) => {
        const known = textAt(english, key) ?? textAt(english, key.replace(FORM, '_other')) ?? '';
        return `| ${key} | ${cell(known)} | ${cell(text)} |`;
      });
      return [`## ${part}`, '', columns, ...rows, ''].join('\n');
    })
    .join('\n');
}

/** The keys of the English texts that a catalogue lacks; a text with plural forms counts once. */
export function missingFrom(translated: Texts, english: Texts): readonly string[] {
  return Object.entries(english)
    .flatMap(([part, texts]) => flat(part, texts))
    .map(([key]) => key)
    .filter((key) => !FORM.test(key) && textAt(translated, key) === null);
}

function flat(key: string, text: string | Texts): readonly (readonly [key: string, text: string])[] {
  return typeof text === 'string'
    ? [[key, text]]
    : Object.entries(text).flatMap(([name, inner]) => flat(`${key}.${name}`, inner));
}

function textAt(texts: Texts, key: string): string | null {
  const found = key
    .split('.')
    .reduce<string | Texts | undefined>(
      (within, name) => (typeof within === 'object' ? within[name] : undefined),
      texts,
    );
  return typeof found === 'string' ? found : null;
}

/** One line, in which nothing ends the cell. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ⏎ ');
}
