import {
  ApplicationCommandOptionType,
  type ChatInputCommandInteraction,
  type CommandInteractionOption,
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
import type { Guild } from '../gateway/guild.ts';
import type { Commands } from '../publish/load.ts';

/** The options that a person has typed, by name. */
export type TypedOptions = Pick<ChatInputCommandInteraction['options'], 'get'>;

/** The options that a person has typed for a command or its subcommand. */
export function listOptions({
  data,
}: Pick<ChatInputCommandInteraction['options'], 'data'>): readonly CommandInteractionOption[] {
  const [first] = data;
  return first?.type === ApplicationCommandOptionType.Subcommand ? (first.options ?? []) : data;
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
  readonly guild: Guild | null;
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

/** A channel or a role that the guild does not have, whatever Discord is said to have made of its id. Empty: none. */
export function isForeign(kind: Option['kind'] | Field['kind'], id: string, guild: Guild | null): boolean {
  if (guild === null || id === '') return false;
  return (kind === 'channel' && !guild.channels.has(id)) || (kind === 'role' && !guild.roles.has(id));
}

/** Throws for what {@link isForeign}. */
export function refuseForeign(
  kind: Option['kind'] | Field['kind'],
  id: string,
  { guild, t }: Pick<ArgContext, 'guild' | 't'>,
): void {
  if (!isForeign(kind, id, guild)) return;
  throw new UserError(
    kind === 'channel' ? boardRefusal({ kind: 'unknown-channel' }, id, t) : t('discord.oldCommand'),
  );
}

function read(
  name: string,
  option: Option,
  options: TypedOptions,
  { t, clientT, ...suggesting }: Omit<ArgContext, 'guild'>,
): string | number | boolean | null {
  const typedOption = options.get(name);
  if (typedOption === null && !option.required) return null;
  if (typedOption === null && option.kind === 'text') throw new UserError(t(option.wrong));
  const value = typedOption === null ? null : allowedValue(option, typedOption, [clientT, t]);
  // Missing, of another kind, or one that Discord would have refused: the form is from before an update, still open
  // on someone's screen.
  if (value === null)
    throw new UserError(t(option.kind === 'choice' ? 'discord.oldChoice' : 'discord.oldCommand'));
  // Discord includes a member's data if the person is in the guild.
  if (option.kind === 'member' && !typedOption?.member) throw new UserError(t('input.member'));
  if (option.kind !== 'text') return value;
  // Before a schema folds it: some letters become eighteen.
  if (String(value).length > MAX_TEXT_LENGTH) throw new UserError(t(option.wrong));
  const checked = option.schema.safeParse(option.suggested?.(String(value), { t, ...suggesting }) ?? value);
  if (!checked.success) throw new UserError(t(option.wrong));
  return checked.data;
}

/** Null for what the option does not allow. */
function allowedValue(
  option: Option,
  { type, value: sentValue, user }: CommandInteractionOption,
  languages: readonly Translator[],
): string | number | boolean | null {
  const value = sentValue ?? null;
  switch (type) {
    case ApplicationCommandOptionType.Boolean:
      return option.kind === 'flag' ? value : null;
    case ApplicationCommandOptionType.Integer: {
      const count = Number(value);
      return option.kind === 'count' && count >= option.min && count <= option.max ? count : null;
    }
    case ApplicationCommandOptionType.Role:
      return option.kind === 'role' ? value : null;
    case ApplicationCommandOptionType.Channel:
      return option.kind === 'channel' ? value : null;
    case ApplicationCommandOptionType.User:
      return option.kind === 'member' && user !== undefined ? value : null;
    case ApplicationCommandOptionType.String:
      if (option.kind === 'choice') return findChoice(option.choices, String(value), languages);
      return option.kind === 'text' ? value : null;
    default:
      return null;
  }
}
