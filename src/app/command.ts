/** What a slash command is. */
import type { Topic } from '../cards/about/help-card.ts';
import type { CustomId } from '../cards/kit/custom-id.ts';
import type { TextKey } from '../i18n/translator.ts';
import type { Actions } from './action.ts';
import type { Context } from './context.ts';
import type { Args, Options } from './option.ts';
import type { Reply, Visibility } from './reply.ts';

/** The option that a command with `visibility: 'choice'` has on top of its own; `run` does not see it. */
export const PRIVATE_OPTION = 'private';

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
  readonly topic: Topic;
  /** Whether it stands first below its topic; the others follow by name. */
  readonly leads?: true;
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
export interface Command<O extends Options = Options> extends CommandBase, Invocable<O> {
  /** The options that `/help` shows filled in, as somebody would type them. */
  readonly example?: readonly string[];
}

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
