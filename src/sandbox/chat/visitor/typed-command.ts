/** Turns a typed command into interaction data: its options, looked up and resolved. */
import {
  type APIApplicationCommandInteractionDataBasicOption,
  type APIApplicationCommandInteractionDataOption,
  type APIInteractionDataResolved,
  ApplicationCommandType,
  type InteractionType,
  type Locale,
  ApplicationCommandOptionType as OptionType,
} from 'discord.js';
import type { Guild } from '../guild/guild.ts';
import { permissionsOf } from '../guild/permissions.ts';
import type { OptionForm } from '../judge/command-form.ts';
import { named, type Published } from '../state/commands.ts';
import type { Asker } from './interaction-frame.ts';
import type { TypedOption } from './visitor.ts';

/**
 * The command as Discord sends it to the bot, named with its subcommands. `focused`: the option still being typed;
 * without it, all required options must be there. Throws where Discord's client would not send it: an unknown command
 * or option, a missing or invalid value.
 */
export function typedCommand(
  { guild, resident: { locale } }: Asker,
  commands: readonly Published[],
  command: string,
  typed: readonly TypedOption[],
  focused: string | null,
) {
  const [first = '', ...steps] = command.split(' ');
  const published = commands.find(
    ({ form }) => form.type === ApplicationCommandType.ChatInput && isCalled(form, first, locale),
  );
  if (published === undefined || published.form.type !== ApplicationCommandType.ChatInput)
    throw new Error(`there is no command /${first}`);
  const { path, offered } = stepsOf(published.form.options ?? [], first, steps, locale);
  for (const { name: given } of typed)
    if (!offered.some((option) => isCalled(option, given, locale)))
      throw new Error(`/${command} has no option ${given}`);

  const resolved: APIInteractionDataResolved = {};
  const values = offered.flatMap((option) => {
    const given = typed.find((one) => isCalled(option, one.name, locale));
    if (focused !== null && isCalled(option, focused, locale))
      return [suggesting(option, String(given?.value ?? ''))];
    if (given !== undefined) return [filled(guild, option, given.value, focused === null, resolved)];
    if (focused === null && 'required' in option && option.required === true)
      throw new Error(`/${command} needs ${option.name}`);
    return [];
  });
  if (focused !== null && !values.some((value) => 'focused' in value))
    throw new Error(`/${command} has no option ${focused}`);

  const data = {
    ...named(published),
    type: ApplicationCommandType.ChatInput as const,
    options: within(path, values),
    ...(Object.keys(resolved).length > 0 ? { resolved } : {}),
  };
  return { name: [published.command.name, ...path].join(' '), data };
}

/** The subcommand's path, untranslated, and the options that it offers. */
function stepsOf(
  options: readonly OptionForm[],
  command: string,
  steps: readonly string[],
  locale: Locale,
): { readonly path: readonly string[]; readonly offered: readonly OptionForm[] } {
  let offered = options;
  const path = steps.map((step) => {
    const inner = offered.find((option) => isCalled(option, step, locale));
    if (inner?.type !== OptionType.Subcommand && inner?.type !== OptionType.SubcommandGroup)
      throw new Error(`/${command} has no subcommand ${step}`);
    offered = inner.options ?? [];
    return inner.name;
  });
  if (offered.some(({ type }) => type === OptionType.Subcommand || type === OptionType.SubcommandGroup))
    throw new Error(`/${[command, ...path].join(' ')} needs a subcommand`);
  return { path, offered };
}

/** The values within their subcommand, and that within its group. */
function within(
  [outer, last]: readonly string[],
  options: Value[],
): APIApplicationCommandInteractionDataOption[] {
  if (outer === undefined) return options;
  const subcommand = { type: OptionType.Subcommand as const, name: last ?? outer, options };
  return last === undefined
    ? [subcommand]
    : [{ type: OptionType.SubcommandGroup, name: outer, options: [subcommand] }];
}

/** Whether it has that name, untranslated or in that language. */
export function isCalled(
  form: Pick<OptionForm, 'name' | 'name_localizations'>,
  called: string,
  locale: Locale,
): boolean {
  return form.name === called || form.name_localizations?.[locale] === called;
}

/** A person as sent in resolved data; null for an unknown id. */
export function resolvedPerson(guild: Guild, id: string) {
  const resident = guild.residents.get(id);
  if (resident === undefined) return null;
  const { user, deaf: _deaf, mute: _mute, ...member } = resident.member;
  const permissions = String(permissionsOf(guild, id, null));
  return { users: { [id]: user }, members: { [id]: { ...member, permissions } } };
}

type Value = APIApplicationCommandInteractionDataBasicOption<
  InteractionType.ApplicationCommand | InteractionType.ApplicationCommandAutocomplete
>;

function suggesting(option: OptionForm, value: string): Value & { focused: boolean } {
  const { name, type } = option;
  if (!('autocomplete' in option) || option.autocomplete !== true)
    throw new Error(`${name} offers no suggestions`);
  if (type === OptionType.String) return { name, type, value, focused: true };
  if (type === OptionType.Integer || type === OptionType.Number) return { name, type, value, focused: true };
  throw new Error(`${name} is not typed`);
}

function filled(
  guild: Guild,
  option: OptionForm,
  value: string | number | boolean,
  complete: boolean,
  resolved: APIInteractionDataResolved,
): Value {
  const { name, type } = option;
  const wrong = (why: string) => new Error(`${name}: ${why}`);
  const picks = 'choices' in option ? (option.choices ?? []) : [];
  if (complete && picks.length > 0 && !picks.some((pick) => pick.value === value))
    throw wrong(`${value} is none of its choices`);
  switch (type) {
    case OptionType.String: {
      const text = String(value);
      const length = [...text].length;
      if (complete && (length < (option.min_length ?? 0) || length > (option.max_length ?? 6000)))
        throw wrong(`${length} characters do not fit`);
      for (const [, id = ''] of text.matchAll(/<@!?(\d+)>/g)) resolvePerson(guild, id, resolved);
      return { name, type, value: text };
    }
    case OptionType.Integer:
    case OptionType.Number: {
      const number = Number(value);
      const whole = type === OptionType.Number || Number.isInteger(number);
      const { min_value = -(2 ** 53), max_value = 2 ** 53 } = option;
      if (!whole || !(number >= min_value && number <= max_value)) throw wrong(`${value} does not fit`);
      return { name, type, value: number };
    }
    case OptionType.Boolean:
      return { name, type, value: value === true || value === 'true' };
    case OptionType.Role: {
      const role = guild.roles.get(String(value));
      if (role === undefined) throw wrong('no such role');
      resolved.roles = { ...resolved.roles, [role.id]: role };
      return { name, type, value: role.id };
    }
    case OptionType.Channel: {
      const channel = guild.channels.get(String(value));
      if (channel === undefined) throw wrong('no such channel');
      const fits = (option.channel_types ?? []).length === 0 || option.channel_types?.includes(channel.type);
      if (fits !== true) throw wrong('no channel of that kind');
      const { id, name: called, type: kind } = channel;
      const permissions = String(permissionsOf(guild, guild.bot.id, channel));
      const one = { id, name: called, type: kind, permissions, app_permissions: permissions };
      resolved.channels = { ...resolved.channels, [id]: one };
      return { name, type, value: id };
    }
    case OptionType.User:
    case OptionType.Mentionable: {
      if (!resolvePerson(guild, String(value), resolved)) throw wrong('no such person');
      return { name, type, value: String(value) };
    }
    default:
      throw wrong('cannot be typed here');
  }
}

/** Discord does this for people picked and for those mentioned in a text. False: an unknown id. */
function resolvePerson(guild: Guild, id: string, resolved: APIInteractionDataResolved): boolean {
  const person = resolvedPerson(guild, id);
  if (person === null) return false;
  resolved.users = { ...resolved.users, ...person.users };
  resolved.members = { ...resolved.members, ...person.members };
  return true;
}
