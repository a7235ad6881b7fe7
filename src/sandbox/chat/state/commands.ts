/** The commands that the bot has published, globally or for the guild. */
import { isDeepStrictEqual } from 'node:util';
import { type APIApplicationCommand, ApplicationCommandType, ApplicationIntegrationType } from 'discord.js';
import type { Guild } from '../guild/guild.ts';
import { type CommandForm, readCommands } from '../judge/command-form.ts';

/** A published command: its form as sent, and as Discord returns it. */
export interface Published {
  readonly form: CommandForm;
  readonly command: APIApplicationCommand;
}

/** A published command as named in an interaction. */
export function named({ command: { id, name, guild_id } }: Published) {
  return { id, name, ...(guild_id !== undefined && { guild_id }) };
}

/** The commands of one place: everywhere, or the guild. */
export interface CommandScope {
  /** Null: everywhere. */
  readonly guildId: string | null;
  readonly all: readonly Published[];
  /** A command that stays the same keeps its id and version. Throws 50035 before anything changes. */
  replaceAll(body: unknown): readonly Published[];
}

export interface Commands {
  /** Global ones, then the guild's own; a guild's command hides a global one with the same name. */
  readonly all: readonly Published[];
  readonly everywhere: CommandScope;
  readonly guild: CommandScope;
}

export function createCommands({ bot, facts }: Guild, nextId: () => string, changed: () => void): Commands {
  const everywhere = createScope(bot.id, null, nextId, changed);
  const guild = createScope(bot.id, facts.id, nextId, changed);
  return {
    everywhere,
    guild,
    get all() {
      const own = guild.all;
      return [...everywhere.all.filter(({ form }) => namesake(own, form) === undefined), ...own];
    },
  };
}

function createScope(
  botId: string,
  guildId: string | null,
  nextId: () => string,
  changed: () => void,
): CommandScope {
  let all: readonly Published[] = [];

  function publish(form: CommandForm): Published {
    const before = namesake(all, form);
    if (before !== undefined && isDeepStrictEqual(before.form, form)) return before;
    const id = before?.command.id ?? nextId();
    return { form, command: given(form, { id, application_id: botId, version: nextId() }, guildId) };
  }

  return {
    guildId,
    get all() {
      return all;
    },
    replaceAll(body) {
      all = readCommands(body).map(publish);
      changed();
      return all;
    },
  };
}

function namesake(commands: readonly Published[], form: CommandForm): Published | undefined {
  return commands.find(({ command }) => command.name === form.name && command.type === form.type);
}

/** As Discord returns it: with an id and a version, without false or absent fields. */
function given(
  form: CommandForm,
  ids: Pick<APIApplicationCommand, 'id' | 'application_id' | 'version'>,
  guildId: string | null,
): APIApplicationCommand {
  const { name_localizations = null, default_member_permissions = null } = form;
  return {
    ...ids,
    type: form.type,
    name: form.name,
    name_localizations,
    description: form.type === ApplicationCommandType.ChatInput ? form.description : '',
    description_localizations:
      form.type === ApplicationCommandType.ChatInput ? (form.description_localizations ?? null) : null,
    default_member_permissions,
    nsfw: form.nsfw ?? false,
    ...(guildId === null
      ? {
          contexts: form.contexts ?? null,
          integration_types: form.integration_types ?? [ApplicationIntegrationType.GuildInstall],
          dm_permission: form.dm_permission ?? true,
        }
      : { guild_id: guildId }),
    ...optionsOf(form),
  };
}

function optionsOf(form: CommandForm): Pick<APIApplicationCommand, 'options'> {
  if (form.type !== ApplicationCommandType.ChatInput || form.options === undefined) return {};
  return { options: form.options };
}
