/** Part of the guilds that a gateway connection serves. */

/** The number of a shard, counted from 0, and how many there are. */
export type Shard = readonly [id: number, count: number];

/** Part of a connection that names no shard. */
export const ONLY_SHARD: Shard = [0, 1];

export function isShard([id, count]: Shard): boolean {
  return id >= 0 && id < count;
}

/** Discord's formula. What belongs to no guild (direct messages, `null` here) goes to the first shard. */
export function serves([id, count]: Shard, guildId: string | null): boolean {
  return id === (guildId === null ? 0 : Number((BigInt(guildId) >> 22n) % BigInt(count)));
}
