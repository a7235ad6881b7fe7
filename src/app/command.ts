/** What a slash command is, and all that it may see. */
import type { APIActionRowComponent, APIComponentInMessageActionRow, APIEmbed } from 'discord-api-types/v10';
import type { z } from 'zod';
import type { Boards } from '../board/requests.ts';
import type { BudgetFigures } from '../cards/about/budget-card.ts';
import type { Diagnosis } from '../cards/about/diagnosis-card.ts';
import type { TextKey, Translator } from '../i18n/translator.ts';
import type { Service } from '../service/client.ts';
import type { GuildSettingsStore } from '../store/guild-settings.ts';
import type { Links } from '../store/links.ts';
import type { RecentNames } from '../store/names/recent-names.ts';
import type { Subscriptions } from '../store/subscriptions.ts';
import type { UserData } from '../store/user-data.ts';

/** Who may read a reply: everyone in the channel, or only the person who asked. */
export type Visibility = 'public' | 'private';

/** The option that a command with `visibility: 'choice'` has on top of its own; `run` does not see it. */
export const PRIVATE_OPTION = 'private';

/** What is sent back, as chat takes it. Mentions are switched off wherever a reply is sent. */
export interface Reply {
  readonly content?: string;
  readonly embeds?: readonly APIEmbed[];
  readonly components?: readonly APIActionRowComponent<APIComponentInMessageActionRow>[];
  /** Of a button: said to whoever pressed it alone, and the message stays as it is. */
  readonly ephemeral?: true;
  /** Text files, by name. */
  readonly files?: readonly { readonly name: string; readonly text: string }[];
}

/** Plain facts about who asks, and where. */
export interface Person {
  readonly id: string;
  /** Null in a direct message, and in a guild without the bot, where only this person has installed it. */
  readonly guildId: string | null;
  readonly channelId: string | null;
  /** Whether this person holds Manage Server in that guild. */
  readonly mayManage: boolean;
}

/** All that a command gets to work with: no client, no clock, no environment. */
export interface Context {
  readonly service: Service;
  /** Names and VINs seen lately, for suggestions. */
  readonly recentNames: RecentNames;
  /** In the reader's language, with the reader's numbers. */
  readonly t: Translator;
  readonly person: Person;
  /** How often the data service may still be asked; null while nobody knows, so that nothing is asked. */
  readonly budget: () => Promise<BudgetFigures | null>;
  /** How the bot is doing, with the boards of that guild. */
  readonly diagnose: (guildId: string | null) => Promise<Diagnosis>;
  /** What this bot can be asked, by name. */
  readonly commandList: readonly CommandFacts[];
  /** Where more about this bot can be read; null where nobody has said. */
  readonly readme: string | null;
  /** Unix milliseconds at which it was asked. */
  readonly now: number;
  /** Who is which driver. */
  readonly links: Links;
  readonly guildSettings: GuildSettingsStore;
  readonly subscriptions: Subscriptions;
  readonly boards: Boards;
  /** What is stored under a person's account. */
  readonly userData: UserData;
}

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

/** A press of a button, or a choice in a menu, of one of the command's own messages. */
export interface ComponentPress {
  /** From the custom id; check it: it comes from outside. */
  readonly action: string;
  readonly subject: string;
  /** What was picked in a menu; empty for a button. */
  readonly values: readonly string[];
}

/** Something that can be invoked: a command without subcommands, or one subcommand. */
export interface Invocable<O extends Options = Options> {
  readonly description: TextKey;
  readonly options: O;
  /** A method, so that commands of every option list fit one table: the dispatch reads the arguments by that same list. */
  run(args: Args<O>, context: Context): Promise<Reply>;
  /**
   * What a button says that asks the same of these arguments; null where they do not fit into its id. A miss then
   * offers what was nearly typed (`near` of the options), each as such a button.
   */
  retryAction?(args: Args<O>): Pick<ComponentPress, 'action' | 'subject'> | null;
}

/** An entry of the menu that opens on a person. Only whoever opened it sees the reply. */
export interface UserMenu {
  /** At most 32 characters, spaces allowed; another one for every menu. */
  readonly name: TextKey;
  run(userId: string, context: Context): Promise<Reply>;
}

/** What `/help` tells of a command. */
export interface CommandFacts extends Pick<CommandBase, 'example' | 'permission' | 'guildOnly'> {
  readonly name: string;
  readonly description: TextKey;
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
  readonly onComponent?: (onComponent: ComponentPress, context: Context) => Promise<Reply>;
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
