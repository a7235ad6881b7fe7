import type { Placeholder, PluralForms, Translation } from '../../../i18n/translation.ts';
import type { en } from './locales/en.ts';

type Form = PluralForms[keyof PluralForms];

/** What the page says in the language L. */
export type Catalogue<L extends keyof PluralForms> = Translation<typeof en, L>;

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
