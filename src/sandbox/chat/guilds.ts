/** The guilds that the bot is in: the community, and as many more as a test wants. */
import { CHANNELS, firstOfGuild, ROLES } from './community.ts';
import { channel, type Guild, role, seedGuild } from './guild.ts';
import { type Shard, serves } from './shard.ts';

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
  /** One more guild, with the same people. */
  add(): Guild;
}

/** At least; Discord says that it may be other, and demands no more than 2500. */
const GUILDS_A_SHARD = 1000;
/** Enough for a board and a conversation. */
const TEXT_CHANNELS = CHANNELS.filter(({ voice }) => !voice).slice(0, 2);

export function createGuilds(): Guilds {
  const main = seedGuild();
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
      return Math.ceil(byId.size / GUILDS_A_SHARD);
    },
    on: (shard) => [...byId.values()].filter(({ facts }) => serves(shard, facts.id)),
    add() {
      const guild = another(main, byId.size);
      byId.set(guild.facts.id, guild);
      for (const id of guild.channels.keys()) byChannel.set(id, guild);
      return guild;
    },
  };
}

/** People, roles and conversations are the community's own, so that thousands of guilds cost little. */
function another(main: Guild, number: number): Guild {
  const first = firstOfGuild(number);
  const id = String(first);
  const [everyone] = ROLES;
  const channels = TEXT_CHANNELS.map((one, position) =>
    channel({ ...one, quiet: false }, position, { id: String(first + BigInt(position + 1)), guildId: id }),
  );
  return {
    ...main,
    facts: { ...main.facts, id, name: `${main.facts.name} ${number + 1}` },
    roles: new Map([[id, role({ ...everyone, id }, 0)], ...[...main.roles].slice(1)]),
    channels: new Map(channels.map((one) => [one.id, one])),
  };
}
