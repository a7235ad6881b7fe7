/** The commands that the bot has published, globally or for the guild. */
import { isDeepStrictEqual } from 'node:util';
import { type APIApplicationCommand, ApplicationCommandType, ApplicationIntegrationType } from 'discord.js';
import { refusal } from '../api-error.ts';
import type { Guild } from '../guild/guild.ts';
import { type CommandForm, readCommand, readCommands } from '../judge/command-form.ts';

/** A published command: its form as sent, and as Discord returns it. */
export interface Published {
  readonly form: CommandForm;
  readonly command: APIApplicationCommand;
}

/** A published command as named in an interaction. */
export function named({ command: { id, name, guild_id } }: Published) {
  return { id, name, ...(guild_id !== undefined && { guild_id }) };
}

/** The commands of one place: everywhere, or the guild. Those that throw, throw before anything changes. */
export interface CommandScope {
  /** Null: everywhere. */
  readonly guildId: string | null;
  readonly all: readonly Published[];
  /** Throws 10063. */
  find(id: string): Published;
  /** Throws 50035. */
  replaceAll(body: unknown): readonly Published[];
  /** Instead of the one with the same name, or as one more. Throws 50035. */
  put(body: unknown): { readonly published: Published; readonly isNew: boolean };
  /** Throws 10063 or 50035. */
  change(id: string, body: unknown): Published;
  /** Throws 10063. */
  remove(id: string): void;
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
      const hidden = ({ command }: Published) =>
        own.some((other) => other.command.name === command.name && other.command.type === command.type);
      return [...everywhere.all.filter((one) => !hidden(one)), ...own];
    },
  };
}

function createScope(
  botId: string,
  guildId: string | null,
  nextId: () => string,
  changed: () => void,
): CommandScope {
  const here = new Map<string, Published>();

  const publish = createPublishing(botId, guildId, nextId);
  const same = (form: CommandForm) => namesake([...here.values()], form);

  function keep(published: Published): Published {
    here.set(published.command.id, published);
    changed();
    return published;
  }

  function find(id: string): Published {
    const published = here.get(id);
    if (published === undefined) throw refusal('unknown-command');
    return published;
  }

  return {
    guildId,
    get all() {
      return [...here.values()];
    },
    find,
    replaceAll(body) {
      const next = readCommands(body).map((form) => publish(form, same(form)));
      here.clear();
      for (const published of next) here.set(published.command.id, published);
      changed();
      return next;
    },
    put(body) {
      const form = readCommand(body);
      const before = same(form);
      const others = [...here.values()].filter((there) => there !== before);
      // The limits of a list also apply when one command is added.
      readCommands([...others.map((there) => there.form), form]);
      return { published: keep(publish(form, before)), isNew: before === undefined };
    },
    change(id, body) {
      const before = find(id);
      return keep(
        publish(readCommand({ ...before.form, ...(typeof body === 'object' ? body : {}) }), before),
      );
    },
    remove(id) {
      here.delete(find(id).command.id);
      changed();
    },
  };
}

/** Turns a form into a command: the one before, where it is the same; then its version is, too. */
function createPublishing(botId: string, guildId: string | null, nextId: () => string) {
  return (form: CommandForm, before: Published | undefined): Published => {
    if (before !== undefined && isDeepStrictEqual(before.form, form)) return before;
    const id = before?.command.id ?? nextId();
    return { form, command: given(form, { id, application_id: botId, version: nextId() }, guildId) };
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
