import type { en } from './locales/en.ts';
import type { PluralForms, Translation } from './translation.ts';

/** What the bot says in the language L. */
export type Catalogue<L extends keyof PluralForms> = Translation<typeof en, L>;
