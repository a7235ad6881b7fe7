import {
  type BaseInteraction,
  type ChatInputCommandInteraction,
  DiscordjsTypeError,
  PermissionFlagsBits,
} from 'discord.js';
import type { Invocable } from '../app/command.ts';
import type { Person } from '../app/context.ts';
import type { Form } from '../app/form.ts';
import { type Args, LONGEST_TEXT, type Option, type Options } from '../app/option.ts';
import { UserError } from '../base/errors.ts';
import type { Translator } from '../i18n/translator.ts';
import type { Commands, LoadedCommand } from './load.ts';

type Typed = ChatInputCommandInteraction['options'];

/** What was invoked: the command itself, or the given subcommand. */
export function invoked(command: LoadedCommand, subcommand: string | null): Invocable | undefined {
  if ('run' in command) return command;
  return subcommand === null || !('subcommands' in command) ? undefined : command.subcommands[subcommand];
}

/** A form, and the command that it belongs to. */
export interface OwnedForm {
  readonly name: string;
  readonly command: LoadedCommand;
  readonly form: Form;
}

/** By the name of its command, or of a subcommand: `board edit`. Null for what has no form. */
export function formOf(commands: Commands, called: string): OwnedForm | null {
  const [name = '', subcommand = null] = called.split(' ');
  const command = commands.get(name);
  if (command === undefined) return null;
  const owner = 'run' in command || 'subcommands' in command ? invoked(command, subcommand) : command;
  return owner?.form === undefined ? null : { name, command, form: owner.form };
}

/** Validates what was typed. Throws with the option's own text, before anything is spent. */
export function readArgs(options: Options, typed: Typed, t: Translator): Args<Options> {
  try {
    return Object.fromEntries(
      Object.entries(options).map(([name, option]) => [name, read(name, option, typed, t)]),
    );
  } catch (error) {
    // A required option is missing or of another kind: a command form from before an update, still open on
    // someone's screen.
    if (error instanceof DiscordjsTypeError) throw new UserError(t('discord.oldCommand'));
    throw error;
  }
}

function read(name: string, option: Option, typed: Typed, t: Translator): string | number | boolean | null {
  switch (option.kind) {
    case 'flag':
      return typed.getBoolean(name, option.required);
    case 'count': {
      const count = typed.getInteger(name, option.required);
      // Discord checks the range, but the form may be from before an update.
      if (count !== null && (count < option.min || count > option.max))
        throw new UserError(t('discord.oldCommand'));
      return count;
    }
    case 'role':
      return typed.getRole(name, option.required)?.id ?? null;
    case 'channel':
    case 'voice':
      return typed.getChannel(name, option.required)?.id ?? null;
    case 'member': {
      const id = typed.getUser(name, option.required)?.id ?? null;
      // Discord includes a member's data if the person is in the guild.
      if (id !== null && typed.getMember(name) === null) throw new UserError(t('input.member'));
      return id;
    }
    case 'user':
      return typed.getUser(name, option.required)?.id ?? null;
    case 'choice': {
      const choice = typed.getString(name, option.required);
      // Discord offers only these, but an outdated list may still be open on someone's screen.
      if (choice !== null && !Object.hasOwn(option.choices, choice))
        throw new UserError(t('discord.oldCommand'));
      return choice;
    }
    case 'text': {
      const text = typed.getString(name);
      if (text === null && !option.required) return null;
      // Before a schema folds it: some letters become eighteen.
      if ((text?.length ?? 0) > LONGEST_TEXT) throw new UserError(t(option.wrong));
      const checked = option.schema.safeParse(text);
      if (!checked.success) throw new UserError(t(option.wrong));
      return checked.data;
    }
  }
}

/**
 * The person behind any kind of interaction. Where only this person has installed the bot, it is not in the guild,
 * whatever permissions they have there.
 */
export function personOf(
  interaction: Pick<
    BaseInteraction,
    'user' | 'locale' | 'guildId' | 'channelId' | 'memberPermissions' | 'authorizingIntegrationOwners'
  >,
): Person {
  const { guildId: installedIn, userId: installedBy } = interaction.authorizingIntegrationOwners;
  const isPersonal = installedBy !== null && installedIn === null;
  return {
    id: interaction.user.id,
    guildId: isPersonal ? null : interaction.guildId,
    channelId: interaction.channelId,
    mayManage: !isPersonal && (interaction.memberPermissions?.has(PermissionFlagsBits.ManageGuild) ?? false),
    locale: interaction.locale,
  };
}
