import {
  type APIApplicationCommandBasicOption,
  type APIApplicationCommandSubcommandOption,
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ApplicationIntegrationType,
  InteractionContextType,
  PermissionFlagsBits,
  type RESTPostAPIChatInputApplicationCommandsJSONBody,
  type RESTPostAPIContextMenuApplicationCommandsJSONBody,
} from 'discord.js';
import { StartError } from '../../base/errors.ts';
import type { Language } from '../../base/languages.ts';
import { TEXT_CHANNELS } from '../../cards/kit/card.ts';
import { type AnyCommand, PRIVATE_OPTION } from '../../command-kit/command.ts';
import type { Permission } from '../../command-kit/context.ts';
import { MAX_TEXT_LENGTH, type Option, type Options } from '../../command-kit/option.ts';
import type { TextKey, Translator } from '../../i18n/translator.ts';
import { CommandName, type Commands } from './load.ts';

export type Payload =
  | RESTPostAPIChatInputApplicationCommandsJSONBody
  | RESTPostAPIContextMenuApplicationCommandsJSONBody;

const MAX_DESCRIPTION_LENGTH = 100;
const MAX_MENU_LENGTH = 32;

/**
 * The commands in Discord's form, in English and each of `languages`. Discord falls back on English. Only global
 * commands can state where they appear.
 */
export function describeCommands(
  commands: Commands,
  translatorFor: (locale: string) => Translator,
  languages: readonly Language[],
  isGlobal: boolean,
): readonly Payload[] {
  return [...commands].flatMap(([name, command]): readonly Payload[] => {
    const texts = localizer(name, translatorFor, languages);
    const slash = {
      type: ApplicationCommandType.ChatInput as const,
      ...texts.name(name),
      ...texts.description(command.description),
      options: describeAnyOptions(command, texts),
    };
    const menus =
      command.userMenu === undefined
        ? []
        : [{ type: ApplicationCommandType.User as const, ...texts.menu(command.userMenu.name) }];
    const reach = {
      ...(command.permission === undefined ? {} : { default_member_permissions: bits[command.permission] }),
      ...(isGlobal
        ? {
            contexts: command.guildOnly ? GUILD : EVERYWHERE,
            integration_types: command.guildOnly ? [ApplicationIntegrationType.GuildInstall] : ANY_INSTALL,
          }
        : {}),
    };
    return [slash, ...menus].map((payload) => ({ ...payload, ...reach }));
  });
}

const bits: Readonly<Record<Permission, string>> = {
  'manage-guild': PermissionFlagsBits.ManageGuild.toString(),
  'manage-roles': PermissionFlagsBits.ManageRoles.toString(),
};
const GUILD = [InteractionContextType.Guild];
const EVERYWHERE = [...GUILD, InteractionContextType.BotDM, InteractionContextType.PrivateChannel];
const ANY_INSTALL = [ApplicationIntegrationType.GuildInstall, ApplicationIntegrationType.UserInstall];

/** The texts of one command in every language. Throws a {@link StartError} that names a text Discord would refuse. */
function localizer(
  command: string,
  translatorFor: (locale: string) => Translator,
  languages: readonly Language[],
) {
  const refuse = (part: string, locale: string, why: string) =>
    new StartError(`/${command}: ${part} in ${locale} ${why}`);
  const text = (key: TextKey, locale: string, limit: number): string => {
    const t = translatorFor(locale)(key);
    if (t === '' || [...t].length > limit) throw refuse(key, locale, `is not 1 to ${limit} characters`);
    return t;
  };
  const nameIn = (locale: string, name: string): string => {
    const checked = CommandName.safeParse(translatorFor(locale).typed(name) ?? name);
    if (!checked.success) throw refuse(name, locale, checked.error.issues[0]?.message ?? '');
    return checked.data;
  };
  /** The translations that differ from English, by language; null for none. */
  const localized = (english: string, inLanguage: (locale: string) => string) => {
    const translations = languages
      .map((language) => [language, inLanguage(language)] as const)
      .filter(([, t]) => t !== english);
    return translations.length === 0 ? null : Object.fromEntries(translations);
  };
  const both = (key: TextKey, limit: number) => {
    const english = text(key, 'en', limit);
    return [english, localized(english, (each) => text(key, each, limit))] as const;
  };
  return {
    /** The name in the code is the English name. */
    name: (name: string) => ({
      name,
      name_localizations: localized(name, (each) => nameIn(each, name)),
    }),
    menu: (key: TextKey) => {
      const [name, name_localizations] = both(key, MAX_MENU_LENGTH);
      return { name, name_localizations };
    },
    description: (key: TextKey) => {
      const [description, description_localizations] = both(key, MAX_DESCRIPTION_LENGTH);
      return { description, description_localizations };
    },
    choice: (value: string, key: TextKey) => {
      const [name, name_localizations] = both(key, MAX_DESCRIPTION_LENGTH);
      return { name, name_localizations, value };
    },
  };
}

type Localizer = ReturnType<typeof localizer>;

/** The option added to all commands whose visibility is a choice. */
const privately: Option = { kind: 'flag', description: 'discord.privateOption', required: false };

function describeAnyOptions(
  command: AnyCommand,
  texts: Localizer,
): (APIApplicationCommandBasicOption | APIApplicationCommandSubcommandOption)[] {
  const added = command.visibility === 'choice' ? { [PRIVATE_OPTION]: privately } : {};
  const described = (options: Options) => describeOptions({ ...options, ...added }, texts);
  if ('run' in command) return described(command.options);
  if (!('subcommands' in command)) return [];
  return Object.entries(command.subcommands).map(([name, { description, options }]) => ({
    type: ApplicationCommandOptionType.Subcommand,
    ...texts.name(name),
    ...texts.description(description),
    options: described(options),
  }));
}

function describeOptions(options: Options, texts: Localizer): APIApplicationCommandBasicOption[] {
  // Discord refuses a required option after an optional one.
  return Object.entries(options)
    .toSorted(([, a], [, b]) => Number(b.required) - Number(a.required))
    .map(([name, option]) => describeOption(name, option, texts));
}

function describeOption(name: string, option: Option, texts: Localizer): APIApplicationCommandBasicOption {
  const base = {
    ...texts.name(name),
    ...texts.description(option.description),
    required: option.required,
  };
  switch (option.kind) {
    case 'text':
      return {
        ...base,
        type: ApplicationCommandOptionType.String,
        max_length: MAX_TEXT_LENGTH,
        ...(option.complete === undefined ? {} : { autocomplete: true }),
      };
    case 'choice': {
      const choices = Object.entries(option.choices).map(([value, key]) => texts.choice(value, key));
      return { ...base, type: ApplicationCommandOptionType.String, choices };
    }
    case 'count':
      return {
        ...base,
        type: ApplicationCommandOptionType.Integer,
        min_value: option.min,
        max_value: option.max,
      };
    case 'role':
      return { ...base, type: ApplicationCommandOptionType.Role };
    case 'channel':
      return { ...base, type: ApplicationCommandOptionType.Channel, channel_types: [...TEXT_CHANNELS] };
    case 'member':
      return { ...base, type: ApplicationCommandOptionType.User };
    case 'flag':
      return { ...base, type: ApplicationCommandOptionType.Boolean };
  }
}
