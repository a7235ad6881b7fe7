import type { en } from './locales/en.ts';

/** The plural forms that `Intl.PluralRules` distinguishes in each of the page's languages. */
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

type Form = PluralForms[keyof PluralForms];

/** The names in a text's `{{placeholders}}`. */
type Placeholder<Text> = Text extends `${string}{{${infer Name}}}${infer Rest}`
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

type Translated<Group, Forms extends string> = {
  readonly [K in keyof Group as K extends `${infer Base}_other`
    ? `${Base}_${Forms}`
    : K extends `${string}_one`
      ? never
      : K]: Holding<Placeholder<Group[K]>>;
};

/** English's keys with their placeholders, and a text for each plural form; anything else does not compile. */
export type Catalogue<L extends keyof PluralForms> = {
  readonly [Group in keyof typeof en]: Translated<(typeof en)[Group], PluralForms[L]>;
};

/** A catalogue of any language: groups of texts. */
export type Texts = Readonly<Record<string, Readonly<Record<string, string>>>>;

type Base<K> = K extends `${infer Key}_${Form}` ? Key : K;

/** Of every text: `composer.send`. One with plural forms is called without the form. */
export type TextKey = {
  [Group in keyof typeof en]: `${Group}.${Base<keyof (typeof en)[Group]> & string}`;
}[keyof typeof en];

type At<K extends TextKey> = K extends `${infer Group extends keyof typeof en}.${infer Key}`
  ? Key extends keyof (typeof en)[Group]
    ? (typeof en)[Group][Key]
    : `${Key}_other` extends keyof (typeof en)[Group]
      ? (typeof en)[Group][`${Key}_other` & keyof (typeof en)[Group]]
      : never
  : never;

/** The placeholders that a text needs filled. */
export type Needs<K extends TextKey> = Placeholder<At<K>>;
