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
  function refuseOthers(applicationId?: string, guildId?: string): void {
    if (applicationId !== guild.bot.id) throw refusal('unknown-application');
    if (scope.guildId !== null && guildId !== scope.guildId) throw refusal('missing-access');
  }
  const all = { path: base, rate: RATES.commands };
  return [
    {
      ...all,
      method: 'GET',
      handle: ({ query }, ...ids) => {
        refuseOthers(...ids);
        return { status: 200, body: scope.all.map(({ command }) => shown(command, query)) };
      },
    },
    {
      ...all,
      method: 'PUT',
      handle: ({ body }, ...ids) => {
        refuseOthers(...ids);
        return { status: 200, body: scope.replaceAll(body).map(({ command }) => command) };
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
