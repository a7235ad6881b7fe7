import type { Texts } from './catalogues.ts';
import { textsByPath } from './texts.ts';

/** The forms that other languages have beyond English `one` and `other`. */
const FORM = /_(zero|one|two|few|many)$/;

/**
 * A catalogue beside the English one, as a Markdown table for each part of it. A plural form that English does not
 * have stands beside its `other`.
 */
export function sideBySide(english: Texts, translated: Texts, heading: string): string {
  const columns = `| key | English | ${heading} |\n| --- | --- | --- |`;
  const inEnglish = new Map(textsByPath(english));
  return Object.entries(translated)
    .map(([part, texts]) => {
      const rows = textsByPath({ [part]: texts }).map(([key, text]) => {
        const englishText = inEnglish.get(key) ?? inEnglish.get(key.replace(FORM, '_other')) ?? '';
        return `| ${key} | ${cell(englishText)} | ${cell(text)} |`;
      });
      return [`## ${part}`, '', columns, ...rows, ''].join('\n');
    })
    .join('\n');
}

/** The keys of the English texts that a catalogue lacks; a text with plural forms counts once. */
export function missingFrom(translated: Texts, english: Texts): readonly string[] {
  const textByKey = new Map(textsByPath(translated));
  return textsByPath(english)
    .map(([key]) => key)
    .filter((key) => !FORM.test(key) && !textByKey.has(key));
}

/** One line, in which nothing ends the cell. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ⏎ ');
}
