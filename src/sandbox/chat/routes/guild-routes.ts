/** Routes for guilds, their people and channels, and for direct messages. */
import { type APIDMChannel, type APIRole, ChannelType, PermissionFlagsBits as Permission } from 'discord.js';
import { z } from 'zod';
import { refusal } from '../api-error.ts';
import type { Guild } from '../guild/guild.ts';
import type { Guilds } from '../guild/guilds.ts';
import { permissionsOf } from '../guild/permissions.ts';
import { readForm } from '../judge/form.ts';
import { get, type Route } from '../rest/rest.ts';
import { requireChannel } from './places.ts';

/** A plain number: the enum has no name for "no flags". */
const NO_FLAGS: number = 0;
const recipient = z.object({ recipient_id: z.union([z.string(), z.int().transform(String)]) });

const MEMBER_ROLE = '/guilds/*/members/*/roles/*';

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

  /** `to`: the member's other roles, and the one that it is about. */
  function changeRoles(
    [guildId, userId = '', roleId = '']: readonly string[],
    to: (others: readonly string[], roleId: string) => readonly string[],
  ) {
    const { id } = requireGivable(own(guildId), roleId);
    const resident = own(guildId).residents.get(userId);
    if (resident === undefined) throw refusal('unknown-member');
    const others = resident.member.roles.filter((each) => each !== id);
    resident.member.roles = [...to(others, id)];
    return { status: 204 };
  }

  return [
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
    {
      method: 'PUT',
      path: MEMBER_ROLE,
      handle: (_, ...ids) => changeRoles(ids, (held, role) => [...held, role]),
    },
    {
      method: 'DELETE',
      path: MEMBER_ROLE,
      handle: (_, ...ids) => changeRoles(ids, (held) => held),
    },
    get('/channels/*', (id = '') => {
      return requireChannel(guilds, id, Permission.ViewChannel) ?? guild.direct.get(id);
    }),
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

/** A role that the bot may give and take: it needs Manage Roles, and a role of its own above. */
function requireGivable(guild: Guild, roleId: string): APIRole {
  const role = guild.roles.get(roleId);
  if (role === undefined) throw refusal('unknown-role');
  const may = permissionsOf(guild, guild.bot.id, null) & Permission.ManageRoles;
  const held = guild.residents.get(guild.bot.id)?.member.roles ?? [];
  const highest = Math.max(0, ...held.map((id) => guild.roles.get(id)?.position ?? 0));
  if (may === 0n || role.managed || role.id === guild.facts.id || role.position >= highest)
    throw refusal('missing-permissions');
  return role;
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
