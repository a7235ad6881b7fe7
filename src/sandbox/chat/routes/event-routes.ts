/** Routes for scheduled events, of the kind that takes place elsewhere. */
import {
  type APIExternalGuildScheduledEvent,
  GuildScheduledEventEntityType,
  GuildScheduledEventPrivacyLevel,
  GuildScheduledEventStatus,
  PermissionFlagsBits as Permission,
} from 'discord.js';
import { z } from 'zod';
import { ApiError, refusal } from '../api-error.ts';
import type { Guild } from '../guild/guild.ts';
import type { Guilds } from '../guild/guilds.ts';
import { permissionsOf } from '../guild/permissions.ts';
import { readForm } from '../judge/form.ts';
import { get, type Route } from '../rest/rest.ts';

const INVALID_FORM = 50_035;
const moment = z.iso.datetime({ offset: true });
const form = z.object({
  name: z.string().min(1).max(100),
  privacy_level: z.literal(GuildScheduledEventPrivacyLevel.GuildOnly),
  entity_type: z.literal(GuildScheduledEventEntityType.External),
  entity_metadata: z.object({ location: z.string().min(1).max(100) }),
  scheduled_start_time: moment,
  scheduled_end_time: moment,
  recurrence_rule: z
    .object({
      start: moment,
      frequency: z.literal(2),
      interval: z.literal(1),
      by_weekday: z.array(z.int().min(0).max(6)).length(1),
    })
    .nullish(),
});

export function eventRoutes(guilds: Guilds, nextId: () => string, now: () => number): readonly Route[] {
  function own(guildId: string): Guild {
    const found = guilds.get(guildId);
    if (found === undefined) throw refusal('unknown-guild');
    return found;
  }

  function find(guildId: string, id: string): APIExternalGuildScheduledEvent {
    const found = own(guildId).events.get(id);
    if (found === undefined) throw refusal('unknown-event');
    return found;
  }

  function put(guildId: string, id: string, body: unknown): APIExternalGuildScheduledEvent {
    const guild = own(guildId);
    if ((permissionsOf(guild, guild.bot.id, null) & Permission.CreateEvents) === 0n)
      throw refusal('missing-permissions');
    const { recurrence_rule: rule, ...given } = readForm(form, body);
    const [from, to] = [Date.parse(given.scheduled_start_time), Date.parse(given.scheduled_end_time)];
    if (from <= now() || to <= from) throw new ApiError(400, INVALID_FORM, 'Invalid Form Body');
    const event: APIExternalGuildScheduledEvent & { readonly guild_scheduled_event_exceptions: [] } = {
      ...given,
      id,
      guild_id: guildId,
      channel_id: null,
      creator_id: guild.bot.id,
      creator: guild.bot,
      description: null,
      entity_id: null,
      guild_scheduled_event_exceptions: [],
      image: null,
      status: GuildScheduledEventStatus.Scheduled,
      recurrence_rule:
        rule == null
          ? null
          : {
              ...{ ...rule, end: null, by_n_weekday: null, by_month: null, by_month_day: null },
              ...{ by_year_day: null, count: null },
            },
    };
    guild.events.set(id, event);
    return event;
  }

  const all = '/guilds/*/scheduled-events';
  return [
    get(all, (guildId = '') => [...own(guildId).events.values()]),
    get(`${all}/*`, (guildId = '', id = '') => find(guildId, id)),
    {
      method: 'POST',
      path: all,
      handle: ({ body }, guildId = '') => ({ status: 200, body: put(guildId, nextId(), body) }),
    },
    {
      method: 'PATCH',
      path: `${all}/*`,
      handle: ({ body }, guildId = '', id = '') => {
        find(guildId, id);
        return { status: 200, body: put(guildId, id, body) };
      },
    },
    {
      method: 'DELETE',
      path: `${all}/*`,
      handle: (_, guildId = '', id = '') => {
        find(guildId, id);
        own(guildId).events.delete(id);
        return { status: 204 };
      },
    },
  ];
}
