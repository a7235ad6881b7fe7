import { isDeepStrictEqual } from 'node:util';
import {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  DiscordAPIError,
  type Locale,
  type REST,
  RESTJSONErrorCodes,
  type RESTPostAPIChatInputApplicationCommandsJSONBody,
  Routes,
} from 'discord.js';
import { z } from 'zod';
import type { Command } from '../command.ts';
import { StartError } from '../errors.ts';
import type { Words } from '../words/words.ts';
import type { Commands } from './load.ts';

type Payload = RESTPostAPIChatInputApplicationCommandsJSONBody;

/** Where the commands go. */
export interface Place {
  readonly applicationId: string;
  /** One guild, which has them at once; null for everywhere. */
  readonly guildId: string | null;
}

const DESCRIPTION_LIMIT = 100;

const localizations = z
  .record(z.string(), z.string())
  .nullish()
  .transform((texts) => texts ?? {});

/** What we say of a command, with chat's defaults for what we leave out. What chat adds of its own is not read. */
const Published = z.array(
  z.object({
    type: z.int().default(ApplicationCommandType.ChatInput),
    name: z.string(),
    description: z.string(),
    description_localizations: localizations,
    default_member_permissions: z
      .string()
      .nullish()
      .transform((bits) => bits ?? null),
    nsfw: z.boolean().default(false),
    options: z
      .array(
        z.looseObject({
          type: z.int(),
          name: z.string(),
          description: z.string(),
          description_localizations: localizations,
          required: z.boolean().default(false),
          autocomplete: z.boolean().default(false),
        }),
      )
      .default([]),
  }),
);

/** The commands as chat wants to be told of them, in English and in each of `languages` (chat's names for them). */
export function describeCommands(
  commands: Commands,
  wordsFor: (locale: string) => Words,
  languages: readonly Locale[],
): readonly Payload[] {
  return [...commands].map(([name, command]) => describe(name, command, wordsFor, languages));
}

function describe(
  name: string,
  command: Command,
  wordsFor: (locale: string) => Words,
  languages: readonly Locale[],
): Payload {
  const text = (key: Command['description'], locale: string): string => {
    const description = wordsFor(locale).text(key);
    if (description === '' || [...description].length > DESCRIPTION_LIMIT)
      throw new StartError(
        `commands/${name}.ts: ${key} in ${locale} is not 1 to ${DESCRIPTION_LIMIT} characters`,
      );
    return description;
  };
  const described = (key: Command['description']) => ({
    description: text(key, 'en'),
    ...(languages.length === 0
      ? {}
      : { description_localizations: Object.fromEntries(languages.map((each) => [each, text(key, each)])) }),
  });
  // Chat refuses a required option after one that is not.
  const options = Object.entries(command.options).toSorted(
    ([, a], [, b]) => Number(b.required) - Number(a.required),
  );
  return {
    type: ApplicationCommandType.ChatInput,
    name,
    ...described(command.description),
    options: options.map(([optionName, option]) => ({
      type: ApplicationCommandOptionType.String,
      name: optionName,
      ...described(option.description),
      required: option.required,
      ...(option.complete === undefined ? {} : { autocomplete: true }),
    })),
  };
}

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
        'DISCORD_GUILD_ID: Pitwall is not in that server, or was invited without the scope applications.commands; invite it anew',
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
