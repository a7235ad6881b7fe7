import type { en } from './locales/en.ts';

/** English texts of the features, by the first part of their keys. A feature adds its own by module augmentation. */
// biome-ignore lint/suspicious/noEmptyInterface: features add to it.
export interface FeatureTexts {}

/** All English texts: they decide which keys there are, and with which placeholders. */
export type EnglishTexts = typeof en & FeatureTexts;

/**
 * The plural forms that `Intl.PluralRules` distinguishes in each language: Polish has "1 wóz", "2 wozy", "5 wozów".
 * The Romance languages have their own form for whole millions: "1 000 000 de voitures". In Russian and Polish,
 * `other` is for fractions only.
 */
export interface PluralForms {
  readonly en: 'one' | 'other';
  readonly de: 'one' | 'other';
  readonly tr: 'one' | 'other';
  readonly nl: 'one' | 'other';
  readonly pl: 'one' | 'few' | 'many' | 'other';
  readonly ru: 'one' | 'few' | 'many' | 'other';
  readonly fr: 'one' | 'many' | 'other';
  readonly es: 'one' | 'many' | 'other';
  readonly it: 'one' | 'many' | 'other';
  readonly pt: 'one' | 'many' | 'other';
}

/** The names in a text's `{{placeholders}}`. */
export type Placeholder<Text> = Text extends `${string}{{${infer Name}}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never;

/** A text with all of these placeholders, in any order. */
type Holding<Name extends string> = [Name] extends [never]
  ? string
  : (Name extends string ? (holds: `${string}{{${Name}}}${string}`) => void : never) extends (
        holds: infer All,
      ) => void
    ? All
    : never;

/** The keys of a text in another language: as in English, with its own plural forms. */
type Key<K, Form extends string> = K extends `${infer Base}_other`
  ? `${Base}_${Form}`
  : K extends `${string}_one`
    ? never
    : K;

type Complete<T, Form extends string> = {
  // "One car" may omit the number.
  readonly [K in keyof T as Key<K, Form>]: T[K] extends string
    ? Holding<Exclude<Placeholder<T[K]>, K extends `${string}_other` ? 'count' : never>>
    : Complete<T[K], Form>;
} & {
  readonly [K in keyof T as K extends `${string}_other` ? K : never]: Holding<
    T[K] extends string ? Placeholder<T[K]> : never
  >;
};

/** A feature's texts in the language L: every key of the English ones, with its placeholders and all plural forms. */
export type FeatureTextsIn<L extends keyof PluralForms, English> = Complete<English, PluralForms[L]>;

/**
 * A catalogue in the language L: keys of the English one with their placeholders, and a text for each plural form.
 * Catalogues `satisfies` it, so that a missing placeholder or an extra key does not compile. A key may be missing until the
 * next release: English stands in for it.
 */
export type Catalogue<L extends keyof PluralForms> = DeepPartial<Complete<typeof en, PluralForms[L]>>;

/** Texts of which any may be missing, at any depth. */
type DeepPartial<T> = { readonly [K in keyof T]?: T[K] extends string ? T[K] : DeepPartial<T[K]> };
