/** The guild's roles, people and channels. */
import { Locale, PermissionFlagsBits as Permission, PresenceUpdateStatus as Status } from 'discord.js';
import { firstSnowflake } from '../snowflake.ts';

/** Fixed ids, from a day and a number, so that runs of tests and pages can be compared. */
export function fixedId(day: string, number: number): string {
  return String(firstSnowflake(Date.parse(day)) + BigInt(number));
}

/** The id of another guild, made an odd number of milliseconds after the one before, so that every shard gets guilds. */
export function firstOfGuild(number: number): bigint {
  return firstSnowflake(Date.parse('2019-05-04') + number * 86_399_999);
}

export const GUILD_ID = fixedId('2017-03-11', 1);
export const BOT_ID = fixedId('2024-01-20', 7);

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

export const ROLES = [
  { id: GUILD_ID, name: '@everyone', colour: 0, grants: EVERYONE },
  {
    id: fixedId('2017-03-11', 11),
    name: 'Race Control',
    colour: 0xe67e22,
    grants: Permission.ManageGuild | Permission.ManageChannels | Permission.ManageMessages,
  },
  { id: fixedId('2018-06-02', 12), name: 'Police', colour: 0x3498db, grants: 0n },
  { id: fixedId('2018-06-02', 13), name: 'Recovery', colour: 0xf1c40f, grants: 0n },
  { id: fixedId('2019-09-14', 14), name: 'Driver', colour: 0x2ecc71, grants: Permission.CreateEvents },
  {
    id: fixedId('2024-01-20', 15),
    name: 'Pitwall',
    colour: 0x5865f2,
    grants:
      Permission.ViewChannel |
      Permission.SendMessages |
      Permission.EmbedLinks |
      Permission.ManageRoles |
      Permission.CreateEvents,
  },
] as const;

type RoleName = (typeof ROLES)[number]['name'];

export const PEOPLE: readonly {
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
    roles: ['Race Control', 'Police'],
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
    status: Status.Offline,
  },
];

export const CHANNELS: readonly {
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
