/** Routes for the bot's identity, the gateway's address and the guild. */
import {
  type APIDMChannel,
  ChannelType,
  Locale,
  PermissionFlagsBits as Permission,
} from 'discord-api-types/v10';
import { z } from 'zod';
import { refusal } from './api-error.ts';
import { readForm } from './form.ts';
import type { Guild } from './guild.ts';
import type { Guilds } from './guilds.ts';
import { permissionsOf } from './permissions.ts';
import { requireChannel } from './places.ts';
import type { Route } from './rest.ts';
import type { SessionStarts } from './session-starts.ts';

/** A plain number: the enum has no name for "no flags". */
const NO_FLAGS: number = 0;
const listed = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(200),
  after: z.string().regex(/^\d+$/).default('0'),
});
const recipient = z.object({ recipient_id: z.string() });

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

export interface GuildRoutesNeeds {
  readonly guilds: Guilds;
  readonly nextId: () => string;
  /** The gateway's address, for one of several copies of the bot or for any. */
  readonly gatewayUrl: (copy: string | null) => string;
  /** The number of shards to recommend. */
  readonly shards: () => number;
  readonly starts: SessionStarts;
}

export function guildRoutes(needs: GuildRoutesNeeds): readonly Route[] {
  const { guilds, nextId, gatewayUrl, shards, starts } = needs;
  const guild = guilds.main;
  const application = () => ({
    id: guild.bot.id,
    name: 'Pitwall',
    icon: null,
    description: '',
    bot_public: true,
    bot_require_code_grant: false,
    verify_key: '0'.repeat(64),
    type: null,
    flags: 0,
    flags_new: '0',
    bot: guild.bot,
    owner: guild.residents.get(guild.facts.owner_id)?.member.user,
    team: null,
    redirect_uris: [],
    interactions_endpoint_url: null,
    role_connections_verification_url: null,
    explicit_content_filter: 0,
    eligible_oauth2_scopes: [],
    approximate_guild_count: guilds.all.length,
    approximate_user_install_count: 0,
    approximate_user_authorization_count: 0,
  });

  function own(guildId: string | undefined): Guild {
    const found = guilds.get(guildId ?? '');
    if (found === undefined) throw refusal('unknown-guild');
    return found;
  }

  function get(path: string, body: (...ids: string[]) => unknown): Route {
    return { method: 'GET', path, handle: (_, ...ids) => ({ status: 200, body: body(...ids) }) };
  }

  return [
    {
      method: 'GET',
      path: '/gateway',
      handle: ({ copy }) => ({ status: 200, body: { url: gatewayUrl(copy) } }),
    },
    {
      method: 'GET',
      path: '/gateway/bot',
      handle: ({ copy }) => ({
        status: 200,
        body: { url: gatewayUrl(copy), shards: shards(), session_start_limit: starts.limit },
      }),
    },
    get('/applications/@me', application),
    get('/oauth2/applications/@me', application),
    get('/users/@me', () => ({
      ...guild.bot,
      verified: true,
      mfa_enabled: true,
      email: null,
      locale: Locale.EnglishUS,
    })),
    {
      method: 'GET',
      path: '/users/@me/guilds',
      handle: ({ query }) => {
        const { limit, after } = readForm(listed, Object.fromEntries(query));
        const rest = guilds.all
          .map((one) => summary(one))
          .filter(({ id }) => BigInt(id) > BigInt(after))
          .toSorted((one, other) => Number(BigInt(one.id) - BigInt(other.id)));
        return { status: 200, body: rest.slice(0, limit) };
      },
    },
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

/** A guild in the list of the bot's own. */
function summary(guild: Guild) {
  const { id, name, icon, features } = guild.facts;
  const permissions = String(permissionsOf(guild, guild.bot.id, null));
  return { id, name, icon, features, owner: false, permissions };
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
