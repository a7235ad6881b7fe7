import {
  type APIApplicationCommandInteractionDataBasicOption,
  type APIApplicationCommandInteractionDataOption,
  type APIInteractionDataResolved,
  ApplicationCommandOptionType,
} from 'discord.js';
import { UserError } from '../../base/errors.ts';
import { boardRefusal } from '../../command-kit/boards.ts';
import type { AnyCommand, Invocable } from '../../command-kit/command.ts';
import type { Field, Form } from '../../command-kit/form.ts';
import {
  type Args,
  findChoice,
  MAX_TEXT_LENGTH,
  type Option,
  type Options,
  type SuggestionContext,
} from '../../command-kit/option.ts';
import type { Translator } from '../../i18n/translator.ts';
import type { Interaction } from '../interaction.ts';
import type { Commands } from '../publish/load.ts';

/** The options that a person has typed. */
export interface TypedOptions {
  readonly subcommand: string | null;
  readonly options: ReadonlyMap<string, APIApplicationCommandInteractionDataBasicOption>;
  /** The people and channels of the ids among them. */
  readonly resolved: APIInteractionDataResolved;
}

/** Reads a command's data, with the options of its subcommand. */
export function typedIn({
  options = [],
  resolved = {},
}: {
  readonly options?: readonly APIApplicationCommandInteractionDataOption[];
  readonly resolved?: APIInteractionDataResolved;
}): TypedOptions {
  let subcommand: string | null = null;
  const typedOptions = new Map<string, APIApplicationCommandInteractionDataBasicOption>();
  for (const option of options)
    if (option.type === ApplicationCommandOptionType.Subcommand) {
      subcommand = option.name;
      for (const part of option.options ?? []) typedOptions.set(part.name, part);
    }
    // The bot has no groups of subcommands.
    else if (option.type !== ApplicationCommandOptionType.SubcommandGroup)
      typedOptions.set(option.name, option);
  return { subcommand, options: typedOptions, resolved };
}

/** The command itself, or the given subcommand. */
export function findInvoked(command: AnyCommand, subcommand: string | null): Invocable | undefined {
  if ('run' in command) return command;
  return subcommand === null || !('subcommands' in command) ? undefined : command.subcommands[subcommand];
}

/** A form, and the command that it belongs to. */
export interface OwnedForm {
  readonly name: string;
  readonly command: AnyCommand;
  readonly form: Form;
}

/** Finds a form by its command, its subcommand or its own name: `board edit`. Null: there is no form. */
export function findForm(commands: Commands, commandText: string): OwnedForm | null {
  const [name = '', subcommand = null] = commandText.split(' ');
  const command = commands.get(name);
  if (command === undefined) return null;
  const owner = 'run' in command || 'subcommands' in command ? findInvoked(command, subcommand) : command;
  const form = owner?.form ?? buttonForm(command, subcommand);
  return form === undefined ? null : { name, command, form };
}

function buttonForm(command: AnyCommand, name: string | null): Form | undefined {
  if (name === null || !('forms' in command) || command.forms === undefined) return undefined;
  return Object.hasOwn(command.forms, name) ? command.forms[name] : undefined;
}

/** Place of the question, and the look of its suggestions. */
interface ArgContext extends SuggestionContext {
  /** In the language of the person's Discord, which shows the choices in that. */
  readonly clientT: Translator;
  /** Null where nothing is known of it; the commands then say so. */
  readonly guild: Interaction['guild'];
}

/** Validates what was typed. Throws with the option's own text, before anything is spent. */
export function readArgs(options: Options, typedOptions: TypedOptions, asking: ArgContext): Args<Options> {
  return Object.fromEntries(
    Object.entries(options).map(([name, option]) => {
      const value = read(name, option, typedOptions, asking);
      if (value !== null) refuseForeign(option.kind, String(value), asking);
      return [name, value];
    }),
  );
}

/** Throws for a channel or a role that the guild does not have, whatever Discord is said to have made of its id. */
export function refuseForeign(
  kind: Option['kind'] | Field['kind'],
  id: string,
  { guild, t }: Pick<ArgContext, 'guild' | 't'>,
): void {
  if (guild === null) return;
  if ((kind === 'channel' || kind === 'voice') && !guild.channels.has(id))
    throw new UserError(boardRefusal({ kind: 'unknown-channel' }, id, t));
  if (kind === 'role' && !guild.roles.has(id)) throw new UserError(t('discord.oldCommand'));
}

function read(
  name: string,
  option: Option,
  { options, resolved }: TypedOptions,
  { t, clientT, ...suggesting }: Omit<ArgContext, 'guild'>,
): string | number | boolean | null {
  const typedOption = options.get(name);
  if (typedOption === undefined && !option.required) return null;
  if (typedOption === undefined && option.kind === 'text') throw new UserError(t(option.wrong));
  const value = typedOption === undefined ? null : allowedValue(option, typedOption, resolved, [clientT, t]);
  // Missing, of another kind, or one that Discord would have refused: the form is from before an update, still open
  // on someone's screen.
  if (value === null)
    throw new UserError(t(option.kind === 'choice' ? 'discord.oldChoice' : 'discord.oldCommand'));
  // Discord includes a member's data if the person is in the guild.
  if (option.kind === 'member' && !has(resolved.members, value)) throw new UserError(t('input.member'));
  if (option.kind !== 'text') return value;
  // Before a schema folds it: some letters become eighteen.
  if (String(value).length > MAX_TEXT_LENGTH) throw new UserError(t(option.wrong));
  const checked = option.schema.safeParse(option.suggested?.(String(value), { t, ...suggesting }) ?? value);
  if (!checked.success) throw new UserError(option.explain?.(String(value), t) ?? t(option.wrong));
  return checked.data;
}

/** Null for what the option does not allow. */
function allowedValue(
  option: Option,
  typedOption: APIApplicationCommandInteractionDataBasicOption,
  { roles, channels, users }: TypedOptions['resolved'],
  languages: readonly Translator[],
): string | number | boolean | null {
  switch (typedOption.type) {
    case ApplicationCommandOptionType.Boolean:
      return option.kind === 'flag' ? typedOption.value : null;
    case ApplicationCommandOptionType.Integer: {
      const count = Number(typedOption.value);
      return option.kind === 'count' && count >= option.min && count <= option.max ? count : null;
    }
    case ApplicationCommandOptionType.Role:
      return option.kind === 'role' && has(roles, typedOption.value) ? typedOption.value : null;
    case ApplicationCommandOptionType.Channel:
      return (option.kind === 'channel' || option.kind === 'voice') && has(channels, typedOption.value)
        ? typedOption.value
        : null;
    case ApplicationCommandOptionType.User:
      return option.kind === 'member' && has(users, typedOption.value) ? typedOption.value : null;
    case ApplicationCommandOptionType.String:
      if (option.kind === 'choice') return findChoice(option.choices, typedOption.value, languages);
      return option.kind === 'text' ? typedOption.value : null;
    default:
      return null;
  }
}

function has(resolved: object | undefined, id: string | number | boolean): boolean {
  return Object.hasOwn(resolved ?? {}, String(id));
}
