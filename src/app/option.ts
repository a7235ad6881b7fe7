/** What a person can type into a command. */
import type { z } from 'zod';
import type { TextKey, Translator } from '../i18n/translator.ts';
import type { RecentNames } from '../store/names/recent-names.ts';

/** The names that were seen lately, and how the reader reads. */
export interface Seen {
  readonly recentNames: RecentNames;
  readonly t: Translator;
}

/** What suggestions are made of. */
export interface CompletionContext extends Seen {
  /** Username of the driver that the person says to be; null where they said nothing. */
  readonly own: string | null;
}

export interface Suggestion {
  readonly name: string;
  readonly value: string;
}

interface OptionBase {
  readonly description: TextKey;
  readonly required: boolean;
}

/** A free text that a person types. */
export interface TextOption extends OptionBase {
  readonly kind: 'text';
  /** Bad input is told at once, privately, in the words of `wrong`, before `run` is called or anything spent. */
  readonly schema: z.ZodType<string, string>;
  readonly wrong: TextKey;
  /** Suggestions while typing, best first. From memory only: it is never waited for. The typed text is added by the caller. */
  readonly complete?: (typed: string, context: CompletionContext) => readonly Suggestion[];
  /** Names that were seen and are written nearly like this one, nearest first; empty where this very name was seen. */
  readonly didYouMean?: (typed: string, seen: Seen) => readonly Suggestion[];
}

/** One of a few. */
export interface ChoiceOption extends OptionBase {
  readonly kind: 'choice';
  /** At most 25: value → the words for it. */
  readonly choices: Readonly<Record<string, TextKey>>;
}

/** A text channel of the guild, a person, or a person who is in this guild: its id is what `run` gets. */
export interface PlaceOption extends OptionBase {
  readonly kind: 'channel' | 'user' | 'member';
}

/** Yes or no. */
export interface FlagOption extends OptionBase {
  readonly kind: 'flag';
}

export type Option = TextOption | ChoiceOption | PlaceOption | FlagOption;
export type Options = Readonly<Record<string, Option>>;

type Value<O extends Option> = O extends TextOption
  ? z.output<O['schema']>
  : O extends ChoiceOption
    ? keyof O['choices'] & string
    : O extends FlagOption
      ? boolean
      : string;

/** What `run` gets, inferred from the option list: optional ones that were left out are null. */
export type Args<O extends Options> = {
  readonly [Name in keyof O]: O[Name]['required'] extends true ? Value<O[Name]> : Value<O[Name]> | null;
};
