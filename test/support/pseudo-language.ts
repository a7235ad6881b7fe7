/** A made-up language, longer than any real one: a text that fits in it fits in all. */

import { createAllCatalogues } from '../../commands/subjects.ts';
import type { Catalogues, Texts } from '../../src/i18n/catalogues.ts';

/** English with accents, by Unicode's name for such a language. Its numbers are written as in English. */
export const PSEUDO = 'en-XA';

/** They enclose every text, so that a text that was cut shows. */
export const BOUNDS = ['⟦', '⟧'] as const;

const RIGHT_TO_LEFT = '\u200f';
const ACCENTS: Readonly<Record<string, string>> = { a: 'å', e: 'ë', i: 'ï', o: 'ø', u: 'ü', c: 'ç', n: 'ñ' };

const NAMES = /^typed\.|^server\.(one|two|three|four|events|training)$/;

/** What stays as it is: placeholders, code with its names of commands, and the mark of small print. */
const KEPT = /(\{\{\w+\}\}|`[^`]*`|^-# )/;

/** The real languages, and this one. */
export function withPseudo(limits: ReadonlyMap<string, number>): Catalogues {
  const real = createAllCatalogues();
  const texts = longer(real('en').texts, limits);
  return (locale) => (locale === PSEUDO ? { language: 'en', texts } : real(locale));
}

/** Every text 40 % longer, or up to its limit where `limits` has one for its key. */
function longer(texts: Texts, limits: ReadonlyMap<string, number>, prefix = ''): Texts {
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => {
      const key = prefix + name;
      if (typeof text !== 'string') return [name, longer(text, limits, `${key}.`)];
      // Names of commands have rules of their own; those of the servers are the same in every language.
      return [name, NAMES.test(key) ? text : longerText(text, limits.get(key) ?? Number.POSITIVE_INFINITY)];
    }),
  );
}

function longerText(text: string, limit: number): string {
  const [small = '', rest = ''] = text.startsWith('-# ') ? ['-# ', text.slice(3)] : ['', text];
  const accented = rest
    .split(KEPT)
    .map((part, index) =>
      index % 2 === 0 ? part.replaceAll(/[aeioucn]/g, (letter) => ACCENTS[letter] ?? letter) : part,
    )
    .join('');
  const added = Math.max(6, Math.ceil(rest.length * 0.4)) - RIGHT_TO_LEFT.length - BOUNDS.join('').length;
  const filler = ' lørëm'
    .repeat(Math.ceil(added / 6))
    .slice(0, added)
    .trimEnd();
  const whole = `${small}${BOUNDS[0]}${RIGHT_TO_LEFT}${accented}${filler}${BOUNDS[1]}`;
  return whole.length <= limit ? whole : text;
}
