/** Discord's division of a bot's guilds into gateway connections. */
import type { ShardsSetting } from '../base/config/shards-setting.ts';

/** One of `count` connections. */
export interface Shard {
  readonly id: number;
  readonly count: number;
}

/** For instance `3/16`: the fourth of sixteen, as in the setting. */
export function nameOf({ id, count }: Shard): string {
  return `${id}/${count}`;
}

/** The shard that `nameOf` has named. */
export function shardNamed(name: string): Shard {
  const [id, count] = name.split('/');
  return { id: Number(id), count: Number(count) };
}

/** Discord's own rule. Direct messages, without a guild, come over the first shard. */
export function shardOf(guildId: string | null, count: number): Shard {
  return { id: guildId === null ? 0 : Number((BigInt(guildId) >> 22n) % BigInt(count)), count };
}

export function hasGuild(shard: Shard, guildId: string | null): boolean {
  return shardOf(guildId, shard.count).id === shard.id;
}

/** A guild is of one of these shards, whose names stand in one text: `3/16,4/16`. */
export function servedBy(shards: string): (guildId: string | null) => boolean {
  const names = new Set(shards === '' ? [] : shards.split(','));
  const counts = new Set([...names].map((name) => shardNamed(name).count));
  return (guildId) => [...counts].some((count) => names.has(nameOf(shardOf(guildId, count))));
}

export function allOf(count: number): readonly Shard[] {
  return Array.from({ length: count }, (_, id) => ({ id, count }));
}

/** The same text for two processes whose settings name the same shards; null where they lease them. */
export function shareOf(setting: ShardsSetting): string | null {
  return setting.kind === 'leased' ? null : setting.shards.map(nameOf).join();
}
