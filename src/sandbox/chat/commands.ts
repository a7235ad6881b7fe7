/** The commands that the bot has published, globally or for the guild. */
import { isDeepStrictEqual } from 'node:util';
import {
  type APIApplicationCommand,
  ApplicationCommandType,
  ApplicationIntegrationType,
} from 'discord-api-types/v10';
import { refusal } from './api-error.ts';
import { type CommandForm, readCommand, readCommands } from './command-form.ts';
import type { Guild } from './guild.ts';
import { RATES } from './rate-limits.ts';
import type { RestRequest, Route } from './rest.ts';

/** A published command: its form as sent, and as Discord returns it. */
export interface Published {
  readonly form: CommandForm;
  readonly command: APIApplicationCommand;
}

export interface Commands {
  /** Global ones, then the guild's own; a guild's command hides a global one with the same name. */
  readonly all: readonly Published[];
  readonly routes: readonly Route[];
}

export function createCommands(guild: Guild, nextId: () => string, changed: () => void): Commands {
  const scopes = { everywhere: new Map<string, Published>(), guild: new Map<string, Published>() };
  type Scope = keyof typeof scopes;

  function publish(scope: Scope, form: CommandForm, before: Published | undefined): Published {
    if (before !== undefined && isDeepStrictEqual(before.form, form)) return before;
    const id = before?.command.id ?? nextId();
    const published = { form, command: given(form, id, nextId(), scope === 'guild' ? guild.facts.id : null) };
    return published;
  }

  function same(scope: Scope, form: CommandForm): Published | undefined {
    return [...scopes[scope].values()].find(
      ({ command }) => command.name === form.name && command.type === form.type,
    );
  }

  function required(scope: Scope, id: string): Published {
    const published = scopes[scope].get(id);
    if (published === undefined) throw refusal('unknown-command');
    return published;
  }

  function scoped(scope: Scope, base: string): readonly Route[] {
    const here = scopes[scope];
    const own = (applicationId = '', ...rest: string[]) => {
      if (applicationId !== guild.bot.id) throw refusal('unknown-application');
      if (scope === 'guild' && rest[0] !== guild.facts.id) throw refusal('missing-access');
      return rest.at(-1) ?? '';
    };
    const one = `${base}/*`;
    return [
      {
        method: 'GET',
        path: base,
        rate: RATES.commands,
        handle: ({ query }, ...ids) => {
          own(...ids);
          return { status: 200, body: [...here.values()].map(({ command }) => shown(command, query)) };
        },
      },
      {
        method: 'PUT',
        path: base,
        rate: RATES.commands,
        handle: ({ body }, ...ids) => {
          own(...ids);
          const next = readCommands(body).map((form) => publish(scope, form, same(scope, form)));
          here.clear();
          for (const published of next) here.set(published.command.id, published);
          changed();
          return { status: 200, body: next.map(({ command }) => command) };
        },
      },
      {
        method: 'POST',
        path: base,
        rate: RATES.commands,
        handle: ({ body }, ...ids) => {
          own(...ids);
          const form = readCommand(body);
          const before = same(scope, form);
          // The limits of a list also apply when one command is added.
          readCommands([
            ...[...here.values()].filter((there) => there !== before).map((there) => there.form),
            form,
          ]);
          const published = publish(scope, form, before);
          here.set(published.command.id, published);
          changed();
          return { status: before === undefined ? 201 : 200, body: published.command };
        },
      },
      {
        method: 'GET',
        path: one,
        rate: RATES.commands,
        handle: (_, ...ids) => ({ status: 200, body: required(scope, own(...ids)).command }),
      },
      {
        method: 'PATCH',
        path: one,
        rate: RATES.commands,
        handle: ({ body }: RestRequest, ...ids: string[]) => {
          const before = required(scope, own(...ids));
          const form = readCommand({ ...before.form, ...(typeof body === 'object' ? body : {}) });
          const published = publish(scope, form, before);
          here.set(published.command.id, published);
          changed();
          return { status: 200, body: published.command };
        },
      },
      {
        method: 'DELETE',
        path: one,
        rate: RATES.commands,
        handle: (_, ...ids) => {
          here.delete(required(scope, own(...ids)).command.id);
          changed();
          return { status: 204 };
        },
      },
    ];
  }

  return {
    get all() {
      const own = [...scopes.guild.values()];
      const hidden = ({ command }: Published) =>
        own.some((other) => other.command.name === command.name && other.command.type === command.type);
      return [...[...scopes.everywhere.values()].filter((one) => !hidden(one)), ...own];
    },
    routes: [
      ...scoped('everywhere', '/applications/*/commands'),
      ...scoped('guild', '/applications/*/guilds/*/commands'),
    ],
  };

  /** As Discord returns it: with an id and a version, without false or absent fields. */
  function given(
    form: CommandForm,
    id: string,
    version: string,
    guildId: string | null,
  ): APIApplicationCommand {
    const { name_localizations = null, default_member_permissions = null } = form;
    return {
      id,
      application_id: guild.bot.id,
      version,
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
}

function optionsOf(form: CommandForm): Pick<APIApplicationCommand, 'options'> {
  if (form.type !== ApplicationCommandType.ChatInput || form.options === undefined) return {};
  return { options: form.options };
}

/** Translations are omitted unless requested. */
function shown(command: APIApplicationCommand, query: URLSearchParams): unknown {
  return query.get('with_localizations') === 'true' ? command : untranslated(command);
}

function untranslated(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(untranslated);
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(
    Object.entries(part)
      .filter(([key]) => key !== 'name_localizations' && key !== 'description_localizations')
      .map(([key, inner]) => [key, untranslated(inner)]),
  );
}
