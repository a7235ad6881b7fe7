/** The community that lives in this chat: one guild, its channels, roles and people. */
import {
  type APIDMChannel,
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
} from 'discord-api-types/v10';
import { firstSnowflake } from './snowflake.ts';

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
  /** Conversations with one person each, by channel id. */
  readonly direct: Map<string, APIDMChannel>;
  readonly bot: APIUser;
}

/** Ids that never change, so that tests and pages can be compared from run to run: the day and a number. */
function fixedId(day: string, number: number): string {
  return String(firstSnowflake(Date.parse(day)) + BigInt(number));
}

const GUILD_ID = fixedId('2017-03-11', 1);
const BOT_ID = fixedId('2024-01-20', 7);

/** A plain number: the flags have no name for none of them. */
const NO_FLAGS: number = 0;

const EVERYONE =
  Permission.ViewChannel |
  Permission.SendMessages |
  Permission.EmbedLinks |
  Permission.AttachFiles |
  Permission.ReadMessageHistory |
  Permission.AddReactions |
  Permission.UseExternalEmojis |
  Permission.UseApplicationCommands |
  Permission.Connect |
  Permission.Speak |
  Permission.ChangeNickname;

const ROLES = [
  { id: GUILD_ID, name: '@everyone', colour: 0, grants: EVERYONE },
  {
    id: fixedId('2017-03-11', 11),
    name: 'Race Control',
    colour: 0xe67e22,
    grants: Permission.ManageGuild | Permission.ManageChannels | Permission.ManageMessages,
  },
  { id: fixedId('2018-06-02', 12), name: 'Police', colour: 0x3498db, grants: 0n },
  { id: fixedId('2018-06-02', 13), name: 'Recovery', colour: 0xf1c40f, grants: 0n },
  { id: fixedId('2019-09-14', 14), name: 'Driver', colour: 0x2ecc71, grants: 0n },
  {
    id: fixedId('2024-01-20', 15),
    name: 'Pitwall',
    colour: 0x5865f2,
    grants: Permission.ViewChannel | Permission.SendMessages | Permission.EmbedLinks,
  },
] as const;

type RoleName = (typeof ROLES)[number]['name'];

const PEOPLE: readonly {
  readonly username: string;
  readonly name: string;
  readonly joined: string;
  readonly roles: readonly RoleName[];
  readonly locale: Locale;
  readonly status: Status;
}[] = [
  {
    username: 'heidi.lorenz',
    name: 'Heidi Lorenz',
    joined: '2017-03-11',
    roles: ['Race Control', 'Driver'],
    locale: Locale.EnglishGB,
    status: Status.Online,
  },
  {
    username: 'marek_w',
    name: 'Marek W.',
    joined: '2018-02-04',
    roles: ['Driver', 'Police'],
    locale: Locale.Polish,
    status: Status.Online,
  },
  {
    username: 'burak.akin',
    name: 'Burak Akın',
    joined: '2018-07-19',
    roles: ['Driver'],
    locale: Locale.Turkish,
    status: Status.Idle,
  },
  {
    username: 'oldschool_tom',
    name: 'Tom (old school)',
    joined: '2018-11-30',
    roles: ['Recovery', 'Driver'],
    locale: Locale.EnglishGB,
    status: Status.DoNotDisturb,
  },
  {
    username: 'claire.fontaine',
    name: 'Claire',
    joined: '2019-04-08',
    roles: ['Driver'],
    locale: Locale.French,
    status: Status.Online,
  },
  {
    username: 'nighttow',
    name: 'NightTow 🛻',
    joined: '2019-10-21',
    roles: ['Recovery'],
    locale: Locale.German,
    status: Status.Offline,
  },
  {
    username: 'jussi_k',
    name: 'Jussi K',
    joined: '2020-01-15',
    roles: ['Driver'],
    locale: Locale.Finnish,
    status: Status.Online,
  },
  {
    username: 'yamato.dr',
    name: '大和 Drift',
    joined: '2020-08-27',
    roles: ['Driver'],
    locale: Locale.Japanese,
    status: Status.Idle,
  },
  {
    username: 'sgt_pepper',
    name: 'Sgt. Pepper',
    joined: '2021-03-03',
    roles: ['Police'],
    locale: Locale.EnglishUS,
    status: Status.DoNotDisturb,
  },
  {
    username: 'lena.k',
    name: 'Лена',
    joined: '2021-12-12',
    roles: ['Driver'],
    locale: Locale.Russian,
    status: Status.Offline,
  },
  {
    username: 'rafa_gt',
    name: 'Rafa GT',
    joined: '2022-05-17',
    roles: ['Driver'],
    locale: Locale.SpanishES,
    status: Status.Online,
  },
  {
    username: 'newbie_finn',
    name: 'Finn',
    joined: '2023-09-01',
    roles: [],
    locale: Locale.EnglishUS,
    status: Status.Online,
  },
];

const CHANNELS: readonly {
  readonly name: string;
  readonly topic: string | null;
  readonly voice: boolean;
  /** Only Race Control and the bot may write. */
  readonly quiet?: boolean;
}[] = [
  { name: 'pitwall-chat', topic: 'Talk about driving. Ask the bot here.', voice: false },
  { name: 'live-servers', topic: 'Who is driving where, right now.', voice: false, quiet: true },
  { name: 'garage-talk', topic: 'Buying, selling, repairing.', voice: false },
  { name: 'announcements', topic: 'News of the community.', voice: false, quiet: true },
  { name: 'Pit Lane', topic: null, voice: true },
  { name: 'Patrol Radio', topic: null, voice: true },
];

/** The community as it is when the chat starts: always the same. */
export function seedGuild(): Guild {
  const bot: APIUser = { ...user(BOT_ID, 'pitwall', null), bot: true };
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
  const channels = CHANNELS.map((one, position) => channel(one, position));
  return {
    facts: guildFacts(people[0]?.member.user.id ?? BOT_ID),
    roles: new Map(ROLES.map((one, position) => [one.id, role(one, position)])),
    channels: new Map(channels.map((one) => [one.id, one])),
    residents: new Map(people.map((one) => [one.member.user.id, one])),
    direct: new Map(),
    bot,
  };
}

function user(id: string, username: string, name: string | null): APIUser {
  const names = { username, global_name: name, discriminator: name === null ? '0642' : '0' };
  return { id, ...names, avatar: null, public_flags: NO_FLAGS };
}

function member(person: APIUser, roles: string[], joined: string): APIGuildMember {
  const since = `${joined}T12:00:00.000000+00:00`;
  return {
    user: person,
    nick: null,
    avatar: null,
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

function role({ id, name, colour, grants }: (typeof ROLES)[number], position: number): APIRole {
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
    flags: NO_FLAGS,
    ...(name === 'Pitwall' && { tags: { bot_id: BOT_ID } }),
  };
}

function channel({ name, topic, voice, quiet }: (typeof CHANNELS)[number], position: number): GuildChannel {
  const common = {
    id: fixedId('2017-03-12', 200 + position),
    guild_id: GUILD_ID,
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
