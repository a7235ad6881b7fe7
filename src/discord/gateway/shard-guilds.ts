import {
  type APIGuild,
  type APIGuildMember,
  type ChannelType,
  GatewayDispatchEvents,
  type GatewayDispatchPayload,
  type GatewayGuildCreateDispatchData,
} from 'discord.js';
import type { Membership, Overwrites } from '../permissions.ts';

/** A guild as far as the bot needs it; the member is the bot itself. */
export interface Guild extends Membership {
  readonly name: string;
  readonly ownerId: string;
  /** BCP 47. */
  readonly locale: string;
  /** When the bot joined it, in unix milliseconds. */
  readonly joinedAt: number;
  /** Until when the bot is in time-out, in unix milliseconds; 0 where it never was. */
  readonly timedOutUntil: number;
  /** Where Discord says that somebody has joined. */
  readonly systemChannelId: string | null;
  /** Without threads. */
  readonly channels: ReadonlyMap<
    string,
    {
      readonly type: ChannelType;
      readonly topic: string | null;
      readonly overwrites: Overwrites;
    }
  >;
}

/** A guild that a dispatch was about. */
interface GuildChange {
  readonly guildId: string;
  /** The guild, where it has come: at a login, after an outage of Discord, or because the bot was invited. */
  readonly came: Guild | null;
  /** The bot is no longer a member; an outage of Discord does not count. */
  readonly left?: true;
}

/** The guilds of one shard, by its dispatches. */
export function createShardGuilds(): {
  /** Null for one that Discord cannot serve now. */
  readonly all: ReadonlyMap<string, Guild | null>;
  /** Takes over what a dispatch says about guilds. Throws for one that is not as Discord describes it, and changes nothing. */
  apply(dispatch: GatewayDispatchPayload): readonly GuildChange[];
} {
  const all = new Map<string, Guild | null>();
  let me = '';

  function set(guildId: string, guild: Guild | null): readonly GuildChange[] {
    all.set(guildId, guild);
    return [{ guildId, came: null }];
  }

  /** Does nothing where the guild is not there: it comes whole. */
  function change(guildId: string, news: (guild: Guild) => Partial<Guild>): readonly GuildChange[] {
    const guild = all.get(guildId) ?? null;
    return guild === null ? [] : set(guildId, { ...guild, ...news(guild) });
  }

  /** At a login, Discord names all of them, those of an outage too, and sends each one later. */
  function logIn(ids: readonly string[]): readonly GuildChange[] {
    const here = new Set(ids);
    const left = [...all.keys()].filter((id) => !here.has(id));
    all.clear();
    for (const id of here) all.set(id, null);
    return [
      ...[...here].map((guildId) => ({ guildId, came: null })),
      ...left.map((guildId) => ({ guildId, came: null, left: true as const })),
    ];
  }

  return {
    all,
    apply({ t, d }) {
      switch (t) {
        case GatewayDispatchEvents.Ready: {
          const ids = d.guilds.map(({ id }) => id);
          me = d.user.id;
          return logIn(ids);
        }
        case GatewayDispatchEvents.GuildCreate: {
          if (d.unavailable) return set(d.id, null);
          const guild = guildOf(d, me);
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
          return d.user.id === me ? change(d.guild_id, () => ownOf(d)) : [];
        case GatewayDispatchEvents.GuildRoleCreate:
        case GatewayDispatchEvents.GuildRoleUpdate:
          // One that is deleted does not come back by an update.
          return change(d.guild_id, ({ roles }) =>
            t === GatewayDispatchEvents.GuildRoleCreate || roles.has(d.role.id)
              ? { roles: put(roles, d.role.id, bits(d.role.permissions)) }
              : {},
          );
        case GatewayDispatchEvents.GuildRoleDelete:
          return change(d.guild_id, ({ roles }) => ({ roles: put(roles, d.role_id, null) }));
        case GatewayDispatchEvents.ChannelCreate:
        case GatewayDispatchEvents.ChannelUpdate:
          return change(d.guild_id, ({ channels }) => ({
            channels: put(channels, d.id, channelOf(d, createTexts())),
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

/** The fields that every message about a whole guild has. */
function factsOf({ id, name, owner_id, preferred_locale, system_channel_id, roles }: APIGuild) {
  return {
    id,
    name,
    ownerId: owner_id,
    locale: preferred_locale,
    systemChannelId: system_channel_id,
    roles: new Map(roles.map((role) => [role.id, bits(role.permissions)])),
  };
}

function guildOf(created: GatewayGuildCreateDispatchData, me: string): Guild {
  const oneOf = createTexts();
  const own = created.members.find(({ user }) => user.id === me);
  return {
    ...factsOf(created),
    joinedAt: Date.parse(created.joined_at),
    memberId: me,
    ...(own === undefined ? { memberRoles: null, timedOutUntil: 0 } : ownOf(own)),
    channels: new Map(created.channels.map((channel) => [channel.id, channelOf(channel, oneOf)])),
  };
}

/** The bot's own membership. */
function ownOf({
  roles,
  communication_disabled_until: until,
}: Pick<APIGuildMember, 'roles' | 'communication_disabled_until'>) {
  return { memberRoles: [...roles], timedOutUntil: until ? Date.parse(until) || 0 : 0 };
}

/** Throws for what is no number: it would fail wherever it is looked at. */
function bits(permissions: string): string {
  return String(BigInt(permissions));
}

function channelOf(
  channel: GatewayGuildCreateDispatchData['channels'][number],
  oneOf: (text: string) => string,
) {
  const topic = 'topic' in channel ? (channel.topic ?? null) : null;
  const overwrites = 'permission_overwrites' in channel ? (channel.permission_overwrites ?? []) : [];
  return {
    type: channel.type,
    topic,
    overwrites: overwrites.map(({ id, allow, deny }) => ({
      id: oneOf(id),
      allow: oneOf(bits(allow)),
      deny: oneOf(bits(deny)),
    })),
  };
}

/** One copy of texts that Discord repeats: all channels of a guild name the same roles and permissions. */
function createTexts(): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const first = known.get(text);
    if (first === undefined) known.set(text, text);
    return first ?? text;
  };
}
