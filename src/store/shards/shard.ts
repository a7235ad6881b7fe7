/** Discord's division of a bot's guilds into gateway connections. */

/** One of `count` connections. */
export interface Shard {
  readonly id: number;
  readonly count: number;
}

/** For instance `3/16`: the fourth of sixteen, as in the setting. */
export function nameOf({ id, count }: Shard): string {
  return `${id}/${count}`;
}

/** Discord's own rule. Direct messages, without a guild, come over the first shard. */
export function shardOf(guildId: string | null, count: number): Shard {
  return { id: guildId === null ? 0 : Number((BigInt(guildId) >> 22n) % BigInt(count)), count };
}

export function hasGuild(shard: Shard, guildId: string | null): boolean {
  return shardOf(guildId, shard.count).id === shard.id;
}
