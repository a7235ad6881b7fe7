import { isDeepStrictEqual } from 'node:util';
import {
  type APIApplicationCommandBasicOption,
  type APIApplicationCommandSubcommandOption,
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ApplicationIntegrationType,
  ChannelType,
  DiscordAPIError,
  InteractionContextType,
  PermissionFlagsBits,
  type REST,
  RESTJSONErrorCodes,
  type RESTPostAPIChatInputApplicationCommandsJSONBody,
  type RESTPostAPIContextMenuApplicationCommandsJSONBody,
  Routes,
} from 'discord.js';
import { z } from 'zod';
import { type CommandGroup, type Option, type Options, PRIVATE_OPTION } from '../app/command.ts';
import { StartError } from '../errors.ts';
import type { Language } from '../i18n/languages.ts';
import type { TextKey, Translator } from '../i18n/translator.ts';
import { CommandName, type Commands, type LoadedCommand } from './load.ts';

type Payload =
  | RESTPostAPIChatInputApplicationCommandsJSONBody
  | RESTPostAPIContextMenuApplicationCommandsJSONBody;

/** Where the commands go. */
export interface Place {
  readonly applicationId: string;
  /** One guild, which has them at once; null for everywhere. */
  readonly guildId: string | null;
}

const DESCRIPTION_LIMIT = 100;
const MENU_LIMIT = 32;

const localizations = z
  .record(z.string(), z.string())
  .nullish()
  .transform((texts) => texts ?? {});

const base = {
  name: z.string(),
  name_localizations: localizations,
  description: z.string(),
  description_localizations: localizations,
};

const Choices = z
  .array(z.object({ name: z.string(), name_localizations: localizations, value: z.string() }))
  .default([]);

const option = {
  ...base,
  type: z.int(),
  required: z.boolean().default(false),
  autocomplete: z.boolean().default(false),
  choices: Choices,
  channel_types: z.array(z.int()).default([]),
};

const numbers = z
  .array(z.int())
  .nullish()
  .transform((list) => list?.toSorted((a, b) => a - b) ?? null);

/** What we say of a command, with chat's defaults for what we leave out. What chat adds of its own is not read. */
const Published = z.array(
  z.object({
    ...base,
    // The entry of a menu has none.
    description: z.string().default(''),
    type: z.int().default(ApplicationCommandType.ChatInput),
    default_member_permissions: z
      .string()
      .nullish()
      .transform((bits) => bits ?? null),
    nsfw: z.boolean().default(false),
    contexts: numbers,
    options: z.array(z.object({ ...option, options: z.array(z.object(option)).default([]) })).default([]),
  }),
);

/**
 * The commands as chat wants to be told of them, in English and in each of `languages`. Chat shows the English text
 * where it is told of no other. Which places they show up in can be said of global commands only.
 */
export function describeCommands(
  commands: Commands,
  translatorFor: (locale: string) => Translator,
  languages: readonly Language[],
  isGlobal: boolean,
): readonly Payload[] {
  return [...commands].flatMap(([name, command]): readonly Payload[] => {
    const told = teller(name, translatorFor, languages);
    const slash = {
      type: ApplicationCommandType.ChatInput as const,
      ...told.name(name),
      ...told.description(command.description),
      options:
        'run' in command
          ? describeOptions(allOptions(command, command.options), told)
          : describeSubcommands(command, told),
    };
    const menus =
      command.userMenu === undefined
        ? []
        : [{ type: ApplicationCommandType.User as const, ...told.menu(command.userMenu.name) }];
    const reach = {
      ...(command.permission === undefined ? {} : { default_member_permissions: MANAGE_GUILD }),
      ...(isGlobal
        ? {
            contexts: command.guildOnly ? GUILD : EVERYWHERE,
            integration_types: command.guildOnly ? [ApplicationIntegrationType.GuildInstall] : ANY_INSTALL,
          }
        : {}),
    };
    return [slash, ...menus].map((one) => ({ ...one, ...reach }));
  });
}

const MANAGE_GUILD = PermissionFlagsBits.ManageGuild.toString();
const GUILD = [InteractionContextType.Guild];
const EVERYWHERE = [...GUILD, InteractionContextType.BotDM, InteractionContextType.PrivateChannel];
const ANY_INSTALL = [ApplicationIntegrationType.GuildInstall, ApplicationIntegrationType.UserInstall];

/** The texts of one command in every language, or a {@link StartError} that names what chat would refuse. */
function teller(
  command: string,
  translatorFor: (locale: string) => Translator,
  languages: readonly Language[],
) {
  const refuse = (what: string, locale: string, why: string) =>
    new StartError(`commands/${command}.ts: ${what} in ${locale} ${why}`);
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
  /** What differs from the English text, by language; null where nothing does. */
  const localized = (english: string, inLanguage: (locale: string) => string) => {
    const others = languages
      .map((each) => [each, inLanguage(each)] as const)
      .filter(([, t]) => t !== english);
    return others.length === 0 ? null : Object.fromEntries(others);
  };
  const both = (key: TextKey, limit: number) => {
    const english = text(key, 'en', limit);
    return [english, localized(english, (each) => text(key, each, limit))] as const;
  };
  return {
    /** The name in the code is the English one. */
    name: (name: string) => ({
      name,
      name_localizations: localized(name, (each) => nameIn(each, name)),
    }),
    menu: (key: TextKey) => {
      const [name, name_localizations] = both(key, MENU_LIMIT);
      return { name, name_localizations };
    },
    description: (key: TextKey) => {
      const [description, description_localizations] = both(key, DESCRIPTION_LIMIT);
      return { description, description_localizations };
    },
    choice: (value: string, key: TextKey) => {
      const [name, name_localizations] = both(key, DESCRIPTION_LIMIT);
      return { name, name_localizations, value };
    },
  };
}

type Teller = ReturnType<typeof teller>;

/** The option that is the same for all commands which leave it to the person who reads the answer. */
const privately: Option = { kind: 'flag', description: 'chat.privateOption', required: false };

function allOptions({ visibility }: LoadedCommand, options: Options): Options {
  return visibility === 'choice' ? { ...options, [PRIVATE_OPTION]: privately } : options;
}

function describeSubcommands(command: CommandGroup, told: Teller): APIApplicationCommandSubcommandOption[] {
  return Object.entries(command.subcommands).map(([name, subcommand]) => ({
    type: ApplicationCommandOptionType.Subcommand,
    ...told.name(name),
    ...told.description(subcommand.description),
    options: describeOptions(allOptions(command, subcommand.options), told),
  }));
}

function describeOptions(options: Options, told: Teller): APIApplicationCommandBasicOption[] {
  // Chat refuses a required option after one that is not.
  return Object.entries(options)
    .toSorted(([, a], [, b]) => Number(b.required) - Number(a.required))
    .map(([name, option]) => describeOption(name, option, told));
}

function describeOption(name: string, option: Option, told: Teller): APIApplicationCommandBasicOption {
  const base = {
    ...told.name(name),
    ...told.description(option.description),
    required: option.required,
  };
  switch (option.kind) {
    case 'text':
      return option.complete === undefined
        ? { ...base, type: ApplicationCommandOptionType.String }
        : { ...base, type: ApplicationCommandOptionType.String, autocomplete: true };
    case 'choice': {
      const choices = Object.entries(option.choices).map(([value, key]) => told.choice(value, key));
      return { ...base, type: ApplicationCommandOptionType.String, choices };
    }
    case 'channel':
      return { ...base, type: ApplicationCommandOptionType.Channel, channel_types: [...TEXT_CHANNELS] };
    case 'user':
    case 'member':
      return { ...base, type: ApplicationCommandOptionType.User };
    case 'flag':
      return { ...base, type: ApplicationCommandOptionType.Boolean };
  }
}

const TEXT_CHANNELS = [ChannelType.GuildText, ChannelType.GuildAnnouncement] as const;

/** Replaces what is published, unless that says the same already: chat allows 200 new commands a day. */
export async function publishCommands(
  rest: REST,
  { applicationId, guildId }: Place,
  payloads: readonly Payload[],
): Promise<'published' | 'unchanged'> {
  const route =
    guildId === null
      ? Routes.applicationCommands(applicationId)
      : Routes.applicationGuildCommands(applicationId, guildId);
  try {
    const published = await rest.get(route, { query: new URLSearchParams({ with_localizations: 'true' }) });
    if (isSame(payloads, published)) return 'unchanged';
    await rest.put(route, { body: payloads });
    return 'published';
  } catch (error) {
    if (
      guildId !== null &&
      error instanceof DiscordAPIError &&
      error.code === RESTJSONErrorCodes.MissingAccess
    )
      throw new StartError(
        'DISCORD_GUILD_ID: Pitwall is not in that server, or was invited without the scope applications.commands; invite it again',
      );
    throw error;
  }
}

function isSame(payloads: readonly Payload[], published: unknown): boolean {
  const there = Published.safeParse(published);
  const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1);
  return (
    there.success &&
    isDeepStrictEqual(Published.parse(payloads).toSorted(byName), there.data.toSorted(byName))
  );
}
