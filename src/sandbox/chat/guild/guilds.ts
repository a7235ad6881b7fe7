/** The guilds that the bot is in: the community, and as many more as a test wants. */
import { CHANNELS, firstOfGuild, ROLES } from './community.ts';
import { channel, type Guild, role, seedGuild } from './guild.ts';
import { type Shard, serves } from './shard.ts';

/** How the bot comes into a guild. */
export interface Joined {
  /** Unix milliseconds. */
  readonly at: number;
  /** Whether newcomers are announced in the first channel; otherwise nowhere. */
  readonly announced: boolean;
}

export interface Guilds {
  /** The community, which the page shows. */
  readonly main: Guild;
  readonly all: readonly Guild[];
  get(guildId: string): Guild | undefined;
  /** The guild with that channel; the community for any other one, direct messages included. */
  of(channelId: string): Guild;
  on(shard: Shard): readonly Guild[];
  /** As many shards as Discord recommends: one for every thousand guilds. */
  readonly enoughShards: number;
  /** One more guild, with the same people; `joined`: when the bot was invited, long ago by default. */
  add(joined?: Joined): Guild;
  /** The bot is removed from a guild. */
  kick(guildId: string): Guild;
  /** The bot is invited to a guild again, at that time (unix milliseconds). */
  invite(guild: Guild, at: number): void;
}

/** At least; Discord says that it may be other, and demands no more than 2500. */
const GUILDS_A_SHARD = 1000;
const LONG_AGO = Date.UTC(2024, 0, 20);
/** Enough for a board and a conversation. */
const TEXT_CHANNELS = CHANNELS.filter(({ voice }) => !voice).slice(0, 2);

/** `botId`: another one than usual. */
export function createGuilds(botId?: string): Guilds {
  const main = seedGuild(botId);
  const byId = new Map([[main.facts.id, main]]);
  const byChannel = new Map<string, Guild>();

  return {
    main,
    get all() {
      return [...byId.values()];
    },
    get: (guildId) => byId.get(guildId),
    of: (channelId) => byChannel.get(channelId) ?? main,
    get enoughShards() {
      return Math.max(1, Math.ceil(byId.size / GUILDS_A_SHARD));
    },
    on: (shard) => [...byId.values()].filter(({ facts }) => serves(shard, facts.id)),
    add(joined = { at: LONG_AGO, announced: false }) {
      const guild = another(main, byId.size, joined);
      byId.set(guild.facts.id, guild);
      for (const id of guild.channels.keys()) byChannel.set(id, guild);
      return guild;
    },
    kick(guildId) {
      const guild = byId.get(guildId);
      if (guild === undefined) throw new Error(`the bot is not in the guild ${guildId}`);
      byId.delete(guildId);
      return guild;
    },
    invite(guild, at) {
      const self = guild.residents.get(guild.bot.id);
      if (self !== undefined) self.member.joined_at = isoTime(at);
      byId.set(guild.facts.id, guild);
    },
  };
}

function isoTime(at: number): string {
  return new Date(at).toISOString().replace('Z', '000+00:00');
}

/** People, roles and conversations are the community's own, so that thousands of guilds cost little. */
function another(main: Guild, number: number, { at, announced }: Joined): Guild {
  const first = firstOfGuild(number);
  const id = String(first);
  const [everyone] = ROLES;
  const channels = TEXT_CHANNELS.map((one, position) =>
    channel({ ...one, quiet: false }, position, { id: String(first + BigInt(position + 1)), guildId: id }),
  );
  const self = main.residents.get(main.bot.id);
  const joined_at = isoTime(at);
  return {
    ...main,
    residents:
      self === undefined || at === LONG_AGO
        ? main.residents
        : new Map([...main.residents, [main.bot.id, { ...self, member: { ...self.member, joined_at } }]]),
    facts: {
      ...main.facts,
      id,
      name: `${main.facts.name} ${number + 1}`,
      system_channel_id: announced ? (channels[0]?.id ?? null) : null,
    },
    roles: new Map([[id, role({ ...everyone, id }, 0)], ...[...main.roles].slice(1)]),
    channels: new Map(channels.map((one) => [one.id, one])),
    events: new Map(),
  };
}
