import type { languageNames } from '../base/languages.ts';
import type { en } from './locales/en.ts';

/** English texts of the subjects, by the first part of their keys. Each subject adds its own by module augmentation. */
// biome-ignore lint/suspicious/noEmptyInterface: subjects add to it.
export interface SubjectTexts {}

/** All English texts: they decide which keys there are, and with which placeholders. */
export type EnglishTexts = typeof en & { readonly language: typeof languageNames } & SubjectTexts;

/**
 * The plural forms of all languages, of which `Intl.PluralRules` picks: Polish has "1 wóz", "2 wozy", "5 wozów". The
 * Romance languages have their own form for whole millions: "1 000 000 de voitures". In Russian and Polish, `other` is for
 * fractions only.
 */
export type PluralForm = 'one' | 'few' | 'many' | 'other';

/** The names in a text's `{{placeholders}}`. */
export type Placeholder<Text> = Text extends `${string}{{${infer Name}}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never;
