/** Those for whom the worst that may come is drawn. */
import { languages } from '../../src/base/languages.ts';
import { longNames } from './hostile-names.ts';
import { PSEUDO, withPseudo } from './pseudo-language.ts';
import { createTranslators } from './translators.ts';

/** In the real languages, and in the one that is longer than all of them. */
export const translatorFor = createTranslators(withPseudo(new Map()));

/** All of them, and some that write other figures. */
export const locales: readonly string[] = [PSEUDO, ...languages, 'ja', 'hi', 'ar'];

/** Each kind of name in the longest language and the one with the longest figures; one kind in every language. */
export const worst = Object.entries(longNames).map(([kind, name], index) => ({
  ...{ kind, name },
  locales: index === 0 ? locales : [PSEUDO, 'ar'],
}));
