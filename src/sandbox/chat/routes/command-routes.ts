/** Routes for the bot's commands, everywhere and in the guild. */
import type { APIApplicationCommand } from 'discord.js';
import { refusal } from '../api-error.ts';
import type { Guild } from '../guild/guild.ts';
import { RATES } from '../rest/rate-limits.ts';
import type { Route } from '../rest/rest.ts';
import type { CommandScope, Commands } from '../state/commands.ts';

export function commandRoutes(commands: Commands, guild: Guild): readonly Route[] {
  return [
    ...scopeRoutes(commands.everywhere, '/applications/*/commands', guild),
    ...scopeRoutes(commands.guild, '/applications/*/guilds/*/commands', guild),
  ];
}

function scopeRoutes(scope: CommandScope, base: string, guild: Guild): readonly Route[] {
  /** Refuses others' commands; the last id is that of a command, if any. */
  const own = (applicationId = '', ...rest: string[]) => {
    if (applicationId !== guild.bot.id) throw refusal('unknown-application');
    if (scope.guildId !== null && rest[0] !== scope.guildId) throw refusal('missing-access');
    return rest.at(-1) ?? '';
  };
  const all = { path: base, rate: RATES.commands };
  const one = { path: `${base}/*`, rate: RATES.commands };
  return [
    {
      ...all,
      method: 'GET',
      handle: ({ query }, ...ids) => {
        own(...ids);
        return { status: 200, body: scope.all.map(({ command }) => shown(command, query)) };
      },
    },
    {
      ...all,
      method: 'PUT',
      handle: ({ body }, ...ids) => {
        own(...ids);
        return { status: 200, body: scope.replaceAll(body).map(({ command }) => command) };
      },
    },
    {
      ...all,
      method: 'POST',
      handle: ({ body }, ...ids) => {
        own(...ids);
        const { published, isNew } = scope.put(body);
        return { status: isNew ? 201 : 200, body: published.command };
      },
    },
    {
      ...one,
      method: 'GET',
      handle: (_, ...ids) => ({ status: 200, body: scope.find(own(...ids)).command }),
    },
    {
      ...one,
      method: 'PATCH',
      handle: ({ body }, ...ids) => ({ status: 200, body: scope.change(own(...ids), body).command }),
    },
    {
      ...one,
      method: 'DELETE',
      handle: (_, ...ids) => {
        scope.remove(own(...ids));
        return { status: 204 };
      },
    },
  ];
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
