import {
  type APIGuild,
  type ChannelType,
  GatewayDispatchEvents,
  type GatewayDispatchPayload,
  type GatewayGuildCreateDispatchData,
} from 'discord-api-types/v10';
import type { Membership, Overwrite } from '../permissions.ts';

interface Channel {
  readonly type: ChannelType;
  readonly topic: string | null;
  readonly overwrites: readonly Overwrite[];
}

/** A guild as far as the bot needs it; the member is the bot itself. */
export interface Guild extends Membership {
  readonly name: string;
  readonly ownerId: string;
  /** BCP 47. */
  readonly locale: string;
  /** When the bot joined it, in unix milliseconds. */
  readonly joinedAt: number;
  /** Where Discord says that somebody has joined. */
  readonly systemChannelId: string | null;
  /** Without threads. */
  readonly channels: ReadonlyMap<string, Channel>;
}

/** A guild that a dispatch was about. */
interface Change {
  readonly guildId: string;
  /** The guild, where it has come: at a login, after an outage of Discord, or because the bot was invited. */
  readonly came: Guild | null;
  /** The bot is no longer a member; an outage of Discord does not count. */
  readonly left?: true;
}

export interface ShardGuilds {
  /** Null for one that Discord cannot serve now. */
  readonly all: ReadonlyMap<string, Guild | null>;
  /** Takes over what a dispatch says about guilds. */
  apply(dispatch: GatewayDispatchPayload): readonly Change[];
}

/** The guilds of one shard, by its dispatches. */
export function createShardGuilds(): ShardGuilds {
  const all = new Map<string, Guild | null>();
  const oneOf = createTexts();
  let me = '';

  function set(guildId: string, guild: Guild | null): readonly Change[] {
    all.set(guildId, guild);
    return [{ guildId, came: null }];
  }

  /** Does nothing where the guild is not there: it comes whole. */
  function change(guildId: string, news: (guild: Guild) => Partial<Guild>): readonly Change[] {
    const guild = all.get(guildId) ?? null;
    return guild === null ? [] : set(guildId, { ...guild, ...news(guild) });
  }

  /** At a login, Discord names all of them, and sends each one later. */
  function logIn(ids: readonly string[]): readonly Change[] {
    const before = [...all.keys()];
    all.clear();
    for (const id of ids) all.set(id, null);
    return [...new Set([...before, ...ids])].map((guildId) => ({ guildId, came: null }));
  }

  return {
    all,
    apply({ t, d }) {
      switch (t) {
        case GatewayDispatchEvents.Ready:
          me = d.user.id;
          return logIn(d.guilds.map(({ id }) => id));
        case GatewayDispatchEvents.GuildCreate: {
          if (d.unavailable) return set(d.id, null);
          const guild = guildOf(d, me, oneOf);
          all.set(d.id, guild);
          return [{ guildId: d.id, came: guild }];
        }
        case GatewayDispatchEvents.GuildDelete:
          if (d.unavailable) return set(d.id, null);
          all.delete(d.id);
          return [{ guildId: d.id, came: null, left: true }];
        case GatewayDispatchEvents.GuildUpdate:
          return change(d.id, () => factsOf(d));
        case GatewayDispatchEvents.GuildMemberUpdate:
          return d.user.id === me ? change(d.guild_id, () => ({ memberRoles: d.roles })) : [];
        case GatewayDispatchEvents.GuildRoleCreate:
        case GatewayDispatchEvents.GuildRoleUpdate:
          return change(d.guild_id, ({ roles }) => ({ roles: put(roles, d.role.id, d.role.permissions) }));
        case GatewayDispatchEvents.GuildRoleDelete:
          return change(d.guild_id, ({ roles }) => ({ roles: put(roles, d.role_id, null) }));
        case GatewayDispatchEvents.ChannelCreate:
        case GatewayDispatchEvents.ChannelUpdate:
          return change(d.guild_id, ({ channels }) => ({
            channels: put(channels, d.id, channelOf(d, oneOf)),
          }));
        case GatewayDispatchEvents.ChannelDelete:
          return change(d.guild_id, ({ channels }) => ({ channels: put(channels, d.id, null) }));
        default:
          return [];
      }
    },
  };
}

function put<T>(map: ReadonlyMap<string, T>, id: string, value: T | null): ReadonlyMap<string, T> {
  const changed = new Map(map);
  if (value === null) changed.delete(id);
  else changed.set(id, value);
  return changed;
}

/** What every message about a whole guild holds. */
function factsOf({ id, name, owner_id, preferred_locale, system_channel_id, roles }: APIGuild) {
  return {
    id,
    name,
    ownerId: owner_id,
    locale: preferred_locale,
    systemChannelId: system_channel_id,
    roles: new Map(roles.map((role) => [role.id, role.permissions])),
  };
}

function guildOf(created: GatewayGuildCreateDispatchData, me: string, oneOf: Texts): Guild {
  return {
    ...factsOf(created),
    joinedAt: Date.parse(created.joined_at),
    memberId: me,
    memberRoles: created.members.find(({ user }) => user.id === me)?.roles ?? null,
    channels: new Map(created.channels.map((channel) => [channel.id, channelOf(channel, oneOf)])),
  };
}

function channelOf(channel: GatewayGuildCreateDispatchData['channels'][number], oneOf: Texts): Channel {
  const topic = 'topic' in channel ? (channel.topic ?? null) : null;
  const overwrites = 'permission_overwrites' in channel ? (channel.permission_overwrites ?? []) : [];
  return {
    type: channel.type,
    topic,
    overwrites: overwrites.map(({ id, allow, deny }) => ({
      id: oneOf(id),
      allow: oneOf(allow),
      deny: oneOf(deny),
    })),
  };
}

type Texts = (text: string) => string;

/** One copy of texts that Discord repeats: all channels of a server name the same roles and permissions. */
function createTexts(): Texts {
  const known = new Map<string, string>();
  return (text) => {
    const first = known.get(text);
    if (first === undefined) known.set(text, text);
    return first ?? text;
  };
}
