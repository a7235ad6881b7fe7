/** The community: one guild with its channels, roles and people. */
import {
  type APIDMChannel,
  type APIExternalGuildScheduledEvent,
  type APIGuild,
  type APIGuildMember,
  type APIGuildVoiceChannel,
  type APIRole,
  type APITextChannel,
  type APIUser,
  ChannelType,
  GuildDefaultMessageNotifications,
  GuildExplicitContentFilter,
  GuildMFALevel,
  GuildNSFWLevel,
  GuildPremiumTier,
  GuildVerificationLevel,
  Locale,
  PermissionFlagsBits as Permission,
  PresenceUpdateStatus as Status,
} from 'discord.js';
import { BOT_ID, CHANNELS, fixedId, GUILD_ID, PEOPLE, ROLES } from './community.ts';

export type GuildChannel = APITextChannel | APIGuildVoiceChannel;

/** One person of the community, or the bot. */
export interface Resident {
  readonly member: APIGuildMember;
  readonly locale: Locale;
  readonly status: Status;
}

export interface Guild {
  readonly facts: Omit<APIGuild, 'roles'>;
  readonly roles: Map<string, APIRole>;
  /** In the order of their positions. */
  readonly channels: Map<string, GuildChannel>;
  readonly residents: Map<string, Resident>;
  /** Direct-message channels by id. */
  readonly direct: Map<string, APIDMChannel>;
  /** Scheduled events by id. */
  readonly events: Map<string, APIExternalGuildScheduledEvent>;
  /** Names of commands offered to everyone here, whatever permission the bot requires. */
  readonly openCommands: Set<string>;
  readonly bot: APIUser;
}

/** A plain number: the enum has no name for "no flags". */
const NO_FLAGS: number = 0;

/** The initial community, always the same but for its bot. */
export function seedGuild(botId = BOT_ID): Guild {
  const bot: APIUser = { ...user(botId, 'pitwall', null), bot: true };
  const people = PEOPLE.map((one, index): Resident => {
    const id = fixedId(one.joined, 100 + index);
    const roles = ROLES.filter(({ name }) => one.roles.includes(name)).map(({ id: role }) => role);
    return {
      member: member(user(id, one.username, one.name), roles, one.joined),
      locale: one.locale,
      status: one.status,
    };
  });
  const botRole = ROLES.find(({ name }) => name === 'Pitwall')?.id;
  people.push({
    member: member(bot, botRole === undefined ? [] : [botRole], '2024-01-20'),
    locale: Locale.EnglishUS,
    status: Status.Offline,
  });
  const channels = CHANNELS.map((one, position) =>
    channel(one, position, { id: fixedId('2017-03-12', 200 + position), guildId: GUILD_ID }),
  );
  return {
    facts: guildFacts(people[0]?.member.user.id ?? BOT_ID),
    roles: new Map(ROLES.map((one, position) => [one.id, role(one, position)])),
    channels: new Map(channels.map((one) => [one.id, one])),
    residents: new Map(people.map((one) => [one.member.user.id, one])),
    direct: new Map(),
    events: new Map(),
    openCommands: new Set(),
    bot,
  };
}

function user(id: string, username: string, name: string | null): APIUser {
  const names = { username, global_name: name, discriminator: name === null ? '0642' : '0' };
  return { id, ...names, avatar: null, public_flags: NO_FLAGS, flags: NO_FLAGS, primary_guild: null };
}

function member(person: APIUser, roles: string[], joined: string): APIGuildMember {
  const since = `${joined}T12:00:00.000000+00:00`;
  return {
    user: person,
    nick: null,
    avatar: null,
    banner: null,
    roles,
    joined_at: since,
    premium_since: null,
    deaf: false,
    mute: false,
    pending: false,
    flags: NO_FLAGS,
    communication_disabled_until: null,
  };
}

interface RoleFacts {
  readonly id: string;
  readonly name: string;
  readonly colour: number;
  readonly grants: bigint;
}

export function role({ id, name, colour, grants }: RoleFacts, position: number): APIRole {
  return {
    id,
    name,
    color: colour,
    colors: { primary_color: colour, secondary_color: null, tertiary_color: null },
    hoist: position > 0,
    position,
    permissions: String(grants),
    managed: name === 'Pitwall',
    mentionable: false,
    icon: null,
    unicode_emoji: null,
    flags: NO_FLAGS,
    ...(name === 'Pitwall' && { tags: { bot_id: BOT_ID } }),
  };
}

export function channel(
  { name, topic, voice, quiet }: (typeof CHANNELS)[number],
  position: number,
  { id, guildId }: { readonly id: string; readonly guildId: string },
): GuildChannel {
  const common = {
    id,
    guild_id: guildId,
    name,
    position,
    parent_id: null,
    nsfw: false,
    rate_limit_per_user: 0,
    last_message_id: null,
    flags: 0,
    permission_overwrites: quiet === true ? quietOverwrites() : [],
  };
  if (voice) return { ...common, type: ChannelType.GuildVoice, bitrate: 64_000, user_limit: 0 };
  return { ...common, type: ChannelType.GuildText, topic };
}

function quietOverwrites() {
  const writers = ROLES.filter(({ name }) => name === 'Race Control' || name === 'Pitwall');
  const send = String(Permission.SendMessages);
  return [
    { id: GUILD_ID, type: 0, allow: '0', deny: send },
    ...writers.map(({ id }) => ({ id, type: 0, allow: send, deny: '0' })),
  ];
}

function guildFacts(ownerId: string): Guild['facts'] {
  return {
    id: GUILD_ID,
    name: 'Open Road Racing',
    icon: null,
    splash: null,
    discovery_splash: null,
    banner: null,
    description: null,
    owner_id: ownerId,
    afk_channel_id: null,
    afk_timeout: 300,
    verification_level: GuildVerificationLevel.Low,
    default_message_notifications: GuildDefaultMessageNotifications.OnlyMentions,
    explicit_content_filter: GuildExplicitContentFilter.AllMembers,
    emojis: [],
    stickers: [],
    features: [],
    mfa_level: GuildMFALevel.None,
    application_id: null,
    system_channel_id: null,
    system_channel_flags: NO_FLAGS,
    rules_channel_id: null,
    public_updates_channel_id: null,
    safety_alerts_channel_id: null,
    vanity_url_code: null,
    premium_tier: GuildPremiumTier.None,
    preferred_locale: Locale.EnglishUS,
    nsfw_level: GuildNSFWLevel.Default,
    premium_progress_bar_enabled: false,
    hub_type: null,
    incidents_data: null,
  };
}
