/** Routes for guilds, their people and channels, and for direct messages. */
import { type APIDMChannel, ChannelType, PermissionFlagsBits as Permission } from 'discord-api-types/v10';
import { z } from 'zod';
import { refusal } from '../api-error.ts';
import type { Guild } from '../guild/guild.ts';
import type { Guilds } from '../guild/guilds.ts';
import { readForm } from '../judge/form.ts';
import { get, type Route } from '../rest/rest.ts';
import { requireChannel } from './places.ts';

/** A plain number: the enum has no name for "no flags". */
const NO_FLAGS: number = 0;
const recipient = z.object({ recipient_id: z.union([z.string(), z.int().transform(String)]) });

/** Guild fields that only REST has; unused here. */
const UNUSED_BY_GUILD = {
  home_header: null,
  region: 'deprecated',
  widget_enabled: false,
  widget_channel_id: null,
  max_presences: null,
  max_members: 500_000,
  max_video_channel_users: 25,
  max_stage_video_channel_users: 50,
  premium_subscription_count: 0,
  nsfw: false,
};

export function guildRoutes(guilds: Guilds, nextId: () => string): readonly Route[] {
  const guild = guilds.main;

  function own(guildId: string | undefined): Guild {
    const found = guilds.get(guildId ?? '');
    if (found === undefined) throw refusal('unknown-guild');
    return found;
  }

  return [
    get('/users/*', (id = '') => {
      const resident = guild.residents.get(id);
      if (resident === undefined) throw refusal('unknown-user');
      return resident.member.user;
    }),
    get('/guilds/*', (id) => {
      const { facts, roles } = own(id);
      return { ...facts, ...UNUSED_BY_GUILD, roles: [...roles.values()] };
    }),
    get('/guilds/*/channels', (id) => [...own(id).channels.values()]),
    get('/guilds/*/roles', (id) => [...own(id).roles.values()]),
    get('/guilds/*/members/*', (id, userId = '') => {
      const resident = own(id).residents.get(userId === '@me' ? guild.bot.id : userId);
      if (resident === undefined) throw refusal('unknown-member');
      return resident.member;
    }),
    get('/channels/*', (id = '') => {
      return requireChannel(guilds, id, Permission.ViewChannel) ?? guild.direct.get(id);
    }),
    {
      method: 'POST',
      path: '/channels/*/typing',
      handle: (_, id = '') => {
        requireChannel(guilds, id, Permission.SendMessages);
        return { status: 204 };
      },
    },
    {
      method: 'POST',
      path: '/users/@me/channels',
      handle: ({ body }) => {
        const { recipient_id } = readForm(recipient, body);
        return { status: 200, body: directChannel(guild, recipient_id, nextId) };
      },
    },
  ];
}

/** The direct-message channel with that person, created if missing. */
export function directChannel(guild: Guild, userId: string, nextId: () => string): APIDMChannel {
  const person = guild.residents.get(userId)?.member.user;
  if (person === undefined) throw refusal('unknown-user');
  const there = [...guild.direct.values()].find(({ recipients = [] }) => recipients[0]?.id === userId);
  if (there !== undefined) return there;
  const id = nextId();
  const channel: APIDMChannel = {
    id,
    type: ChannelType.DM,
    name: null,
    recipients: [person],
    last_message_id: null,
    flags: NO_FLAGS,
  };
  guild.direct.set(id, channel);
  return channel;
}
