/** What a slash command is. */
import type { z } from 'zod';
import type { CustomId } from '../cards/kit/custom-id.ts';
import type { TextKey } from '../i18n/translator.ts';
import type { Actions } from './action.ts';
import type { Context } from './context.ts';
import type { Reply, Visibility } from './reply.ts';

/** The option that a command with `visibility: 'choice'` has on top of its own; `run` does not see it. */
export const PRIVATE_OPTION = 'private';

/** What suggestions are made of. */
export interface CompletionContext extends Pick<Context, 'recentNames' | 't'> {
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
  readonly didYouMean?: (typed: string, context: Pick<Context, 'recentNames' | 't'>) => readonly Suggestion[];
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

/** Something that can be invoked: a command without subcommands, or one subcommand. */
export interface Invocable<O extends Options = Options> {
  readonly description: TextKey;
  readonly options: O;
  /** A method, so that commands of every option list fit one table: the dispatch reads the arguments by that same list. */
  run(args: Args<O>, context: Context): Promise<Reply>;
  /**
   * What a button says that asks the same of these arguments; null where they do not fit into its id. A miss then
   * offers what was nearly typed (`didYouMean` of the options), each as such a button.
   */
  retryAction?(args: Args<O>): Pick<CustomId, 'action' | 'number' | 'subject'> | null;
}

/** An entry of the menu that opens on a person. Only whoever opened it sees the reply. */
export interface UserMenu {
  /** At most 32 characters, spaces allowed; another one for every menu. */
  readonly name: TextKey;
  run(userId: string, context: Context): Promise<Reply>;
}

interface CommandBase {
  /** How it is typed, for `/help`: `/car vin:AB12C`. */
  readonly example?: TextKey;
  /** Who sees the reply, or `choice`: everyone, unless the person asks for it privately. Errors about the input are always private. */
  readonly visibility: Visibility | 'choice';
  /** Only for those who hold Manage Server; their buttons, too. */
  readonly permission?: 'manage-guild';
  /** Needs a guild, and is hidden in direct messages and where only a person has installed the bot. */
  readonly guildOnly?: true;
  readonly userMenu?: UserMenu;
  /** What its buttons and menus do. */
  readonly actions?: Actions;
  /** Whether its replies show distances, so that it has to be known in which unit the reader wants them. */
  readonly showsDistances?: true;
}

/** A slash command. Its name is its file's name. */
export interface Command<O extends Options = Options> extends CommandBase, Invocable<O> {}

/** A slash command that only leads to its subcommands, by name. */
export interface CommandGroup extends CommandBase {
  readonly description: TextKey;
  readonly subcommands: Readonly<Record<string, Invocable>>;
}

/** Lets a command infer the types of its arguments from its own option list. */
export function defineCommand<const O extends Options>(command: Command<O>): Command<O> {
  return command;
}

/** The same for one subcommand. */
export function defineSubcommand<const O extends Options>(subcommand: Invocable<O>): Invocable {
  return subcommand;
}

/** A command that only leads to its subcommands. */
export function defineGroup(group: CommandGroup): CommandGroup {
  return group;
}
