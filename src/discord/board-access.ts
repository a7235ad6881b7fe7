import { type Client, Events } from 'discord.js';
import { z } from 'zod';
import { type Access, RIGHTS } from '../board/channel.ts';

/** Our permissions in a guild of this client's shard. */
export function accessIn(client: Client, guildId: string, channelId: string): Access {
  const guild = client.guilds.cache.get(guildId);
  if (guild === undefined) return { kind: 'unknown-channel' };
  const { me } = guild.members;
  if (!guild.available || me === null) return { kind: 'unavailable' };
  const channel = guild.channels.cache.get(channelId);
  if (channel === undefined || !channel.isTextBased()) return { kind: 'unknown-channel' };
  const granted = channel.permissionsFor(me);
  const rights = RIGHTS.filter((right) => !granted.has(right));
  return rights.length === 0 ? { kind: 'open' } : { kind: 'missing', rights };
}

const single = [Events.ChannelCreate, Events.ChannelDelete, Events.GuildRoleDelete] as const;
const pairs = [Events.ChannelUpdate, Events.GuildRoleUpdate, Events.GuildMemberUpdate] as const;
const guilds = [
  Events.GuildAvailable,
  Events.GuildUnavailable,
  Events.GuildCreate,
  Events.GuildDelete,
] as const;

const Id = z.object({ id: z.string() });

/** Calls `listener` with each guild whose permissions may have changed; the returned function stops it. */
export function watchAccess(client: Client, listener: (guildId: string) => void): () => void {
  const ofGuild = ({ id }: { id: string }): void => listener(id);
  const inGuild = (thing: object): void => {
    if ('guild' in thing) listener(Id.parse(thing.guild).id);
  };
  const changed = (_before: unknown, after: object): void => inGuild(after);
  for (const event of single) client.on(event, inGuild);
  for (const event of pairs) client.on(event, changed);
  for (const event of guilds) client.on(event, ofGuild);
  return () => {
    for (const event of single) client.off(event, inGuild);
    for (const event of pairs) client.off(event, changed);
    for (const event of guilds) client.off(event, ofGuild);
  };
}
