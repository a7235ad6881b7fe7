/** What a slash command is, and all that it may see. */
import type { APIActionRowComponent, APIComponentInMessageActionRow, APIEmbed } from 'discord-api-types/v10';
import type { z } from 'zod';
import type { Service } from './service/client.ts';
import type { Seen } from './store/seen.ts';
import type { WordKey, Words } from './words/words.ts';

/** Who may read a reply: everyone in the channel, or only the person who asked. */
export type Visibility = 'public' | 'private';

/** What is sent back, as chat takes it. Mentions are switched off wherever a reply is sent. */
export interface Reply {
  readonly content?: string;
  readonly embeds?: readonly APIEmbed[];
  readonly components?: readonly APIActionRowComponent<APIComponentInMessageActionRow>[];
}

/** Plain facts about who asks. */
export interface Person {
  readonly id: string;
  readonly guildId: string | null;
}

/** All that a command gets to work with: no client, no clock, no environment. */
export interface Context {
  readonly service: Service;
  /** Names and VINs seen lately, for suggestions. */
  readonly seen: Seen;
  /** In the reader's language, with the reader's numbers. */
  readonly words: Words;
  readonly person: Person;
}

export interface Suggestion {
  readonly name: string;
  readonly value: string;
}

/** A free text that a person types. */
export interface TextOption {
  readonly description: WordKey;
  readonly required: boolean;
  /** Bad input is told at once, privately, in the words of `wrong`, before `run` is called or anything spent. */
  readonly schema: z.ZodType<string, string>;
  readonly wrong: WordKey;
  /** Suggestions while typing, best first. From memory only: it is never waited for. The typed text is added by the caller. */
  readonly complete?: (typed: string, context: Pick<Context, 'seen' | 'words'>) => readonly Suggestion[];
}

export type Options = Readonly<Record<string, TextOption>>;

/** What `run` gets, inferred from the option list: optional ones that were left out are null. */
export type Args<O extends Options> = {
  readonly [Name in keyof O]: O[Name]['required'] extends true
    ? z.output<O[Name]['schema']>
    : z.output<O[Name]['schema']> | null;
};

/** A press of a button, or a choice in a menu, of one of the command's own messages. */
export interface Act {
  /** From the custom id; check it: it comes from outside. */
  readonly action: string;
  readonly subject: string;
  /** What was picked in a menu; empty for a button. */
  readonly values: readonly string[];
}

/** A slash command. Its name is its file's name. */
export interface Command<O extends Options = Options> {
  readonly description: WordKey;
  readonly options: O;
  /** Who sees the reply; errors about the input are always private. */
  readonly visibility: Visibility;
  readonly run: (args: Args<O>, context: Context) => Promise<Reply>;
  readonly act?: (act: Act, context: Context) => Promise<Reply>;
}

/** Lets a command infer the types of its arguments from its own option list. */
export function defineCommand<const O extends Options>(command: Command<O>): Command<O> {
  return command;
}
