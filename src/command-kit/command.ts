/** The parts of a slash command. */

import type { CustomId } from '../cards/kit/custom-id.ts';
import type { TextKey } from '../i18n/translator.ts';
import type { Actions } from './action.ts';
import type { Context, Permission } from './context.ts';
import type { Form } from './form.ts';
import type { Args, Options } from './option.ts';
import type { Reply, Visibility } from './reply.ts';
import type { Topic } from './topics.ts';

/** The option added to commands with `visibility: 'choice'`; `run` does not see it. */
export const PRIVATE_OPTION = 'private';

/** A command without subcommands, or one subcommand. */
export interface Invocable<O extends Options = Options> {
  readonly description: TextKey;
  readonly options: O;
  /** A method, so that commands with any option list fit one table; dispatch reads the arguments by that same list. */
  run(args: Args<O>, context: Context): Promise<Reply>;
  /**
   * The button that repeats the command with these arguments; null where they do not fit into its id. After a miss,
   * similar names (`didYouMean` of the options) are offered as such buttons.
   */
  retryAction?(args: Args<O>): Pick<CustomId, 'action' | 'number' | 'subject'> | null;
  /** Opened where no option is filled in, and by buttons with the action `form`. */
  readonly form?: Form;
  /** A subcommand of an earlier version, which says what to use instead; `/help` does not list it. */
  readonly isRetired?: true;
  /** Permission of a subcommand that needs more than its command; Discord still offers it to everyone. */
  readonly permission?: Permission;
  readonly guildOnly?: true;
}

interface CommandBase {
  /** Null: `/help` does not list it. */
  readonly topic: Topic | null;
  /** Listed first in its topic; the others follow by name. */
  readonly leads?: true;
  /**
   * Readers of the reply; `choice`: everyone, unless the person asks for a private one; `shareable`: private until the person presses
   * *Share*. Input errors are always private.
   */
  readonly visibility: Visibility | 'choice' | 'shareable';
  /** For its buttons, too. */
  readonly permission?: Permission;
  /** Needs a guild; hidden in direct messages and where only a person has installed the bot. */
  readonly guildOnly?: true;
  /** An entry in a person's context menu. The reply is visible only to the person who opened it. */
  readonly userMenu?: {
    /** At most 32 characters, spaces allowed; unique. */
    readonly name: TextKey;
    run(userId: string, context: Context): Promise<Reply>;
  };
  /** The actions of its buttons and menus. */
  readonly actions?: Actions;
  /** The replies show distances, so that the viewer's unit must be known. */
  readonly showsDistances?: true;
}

/** A slash command. Its name is its file's name. */
interface Command<O extends Options = Options> extends CommandBase, Invocable<O> {
  /** The options that `/help` shows filled in. */
  readonly example?: readonly string[];
}

/** A slash command that consists only of subcommands, by name. */
interface CommandGroup extends CommandBase {
  readonly description: TextKey;
  readonly subcommands: Readonly<Record<string, Invocable>>;
  /** Forms that only buttons open, by name; none is the name of a subcommand. */
  readonly forms?: Readonly<Record<string, Form>>;
}

/** A slash command that opens its form. */
interface FormCommand extends CommandBase {
  readonly description: TextKey;
  readonly form: Form;
}

export type AnyCommand = Command | CommandGroup | FormCommand;

/** Discord would refuse two options of one name. */
interface FreeOptionNames {
  readonly options: { readonly [PRIVATE_OPTION]?: never };
}

/** Lets a command infer the types of its arguments from its own option list. */
export function defineCommand<const O extends Options>(
  command: Command<O> & FreeOptionNames & { readonly example?: readonly (keyof O)[] },
): Command<O> {
  return command;
}

/** Defines one subcommand, like {@link defineCommand}. */
export function defineSubcommand<const O extends Options>(
  subcommand: Invocable<O> & FreeOptionNames,
): Invocable {
  return subcommand;
}

export function defineGroup(group: CommandGroup): CommandGroup {
  return group;
}

export function defineFormCommand(command: FormCommand): FormCommand {
  return command;
}
