/** The options of a command. */
import type { z } from 'zod';
import type { TextKey, Translator } from '../i18n/translator.ts';
import type { LiveServer } from '../service/models/live-status.ts';
import type { RecentNames } from './names/recent-names.ts';

/** Recently seen names, and the viewer's translator. */
export interface SuggestionContext {
  readonly recentNames: RecentNames;
  readonly t: Translator;
}

export interface Suggestion {
  readonly name: string;
  readonly value: string;
}

/** Returns one form for typed texts that people take for the same. */
export function toComparableText(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase();
}

/**
 * Returns the choice that was sent: its value, or its text in one of these languages in place of the value, as Discord sometimes
 * sends it. Null for anything else, and for a text of several choices.
 */
export function findChoice(
  choices: Readonly<Record<string, TextKey>>,
  value: string,
  languages: readonly Translator[],
): string | null {
  if (Object.hasOwn(choices, value)) return value;
  const matches = Object.entries(choices).filter(([, key]) =>
    languages.some((t) => toComparableText(t(key)) === toComparableText(value)),
  );
  return matches.length === 1 ? (matches[0]?.[0] ?? null) : null;
}

/** Limit of a typed text in UTF-16 units. No name, VIN or zone is longer; Discord would take 6000. */
export const MAX_TEXT_LENGTH = 100;

export type Option = { readonly description: TextKey; readonly required: boolean } & (
  | {
      /** Free text. */
      readonly kind: 'text';
      /** Invalid input gets the text `wrong` at once, privately, before `run` is called or anything is spent. */
      readonly schema: z.ZodType<string, string>;
      readonly wrong: TextKey;
      /** Suggestions while typing, best first. Synchronous, from memory only. The caller adds the typed text. */
      readonly complete?: (
        input: string,
        context: SuggestionContext & {
          /** The username the person is linked to; null for none. */
          readonly own: string | null;
          /** The server that the driver is on by the live files of this moment; null where they do not say. */
          readonly serverOf: (username: string) => LiveServer | null;
          /** The person's time zone, or the guild's. */
          readonly zone: string;
          /** When they typed it, by Discord's clock, in unix milliseconds. */
          readonly now: number;
        },
      ) => readonly Suggestion[];
      /**
       * The value of the suggestion whose text was typed; null for what is none. Discord sometimes sends the text in place of the
       * value, and people copy it.
       */
      readonly suggested?: (input: string, context: SuggestionContext) => string | null;
      /** Similar names seen before, nearest first; empty if this very name was seen. */
      readonly didYouMean?: (input: string, context: SuggestionContext) => readonly Suggestion[];
    }
  | {
      /** One of a few. */
      readonly kind: 'choice';
      /** At most 25: value → its text. */
      readonly choices: Readonly<Record<string, TextKey>>;
    }
  | {
      /** A text channel or a role, or a member of the guild; `run` gets its id. */
      readonly kind: 'channel' | 'role' | 'member';
    }
  | {
      /** A whole number; Discord refuses any other, and one that is too small or too large. */
      readonly kind: 'count';
      readonly min: number;
      readonly max: number;
    }
  | {
      /** Yes or no. */
      readonly kind: 'flag';
    }
);
export type TextOption = Extract<Option, { readonly kind: 'text' }>;
export type Options = Readonly<Record<string, Option>>;

type ArgValue<O extends Option> = O extends { readonly schema: infer Schema extends z.ZodType }
  ? z.output<Schema>
  : O extends { readonly choices: infer Choices }
    ? keyof Choices & string
    : O['kind'] extends 'flag'
      ? boolean
      : O['kind'] extends 'count'
        ? number
        : string;

/** The arguments of `run`, inferred from the option list; omitted optional ones are null. */
export type Args<O extends Options> = {
  readonly [Name in keyof O]: O[Name]['required'] extends true ? ArgValue<O[Name]> : ArgValue<O[Name]> | null;
};
