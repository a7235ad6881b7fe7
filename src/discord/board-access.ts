import { ChannelType, type Client, Events, type GuildBasedChannel } from 'discord.js';
import { z } from 'zod';
import {
  type Access,
  RIGHTS,
  type Right,
  STATUS_RIGHTS,
  TOPIC_RIGHTS,
  type TopicAccess,
} from '../board/channels.ts';

/** Our permissions in a guild of this client's shard. */
export function accessIn(client: Client, guildId: string, channelId: string): Access {
  const found = channelIn(client, guildId, channelId);
  if (!('type' in found)) return found;
  // A thread closes by itself, and Discord takes no edit in a closed one.
  return found.isTextBased() && !found.isThread() ? permitted(found, RIGHTS) : { kind: 'unknown-channel' };
}

/** The same for a channel's topic. */
export function topicIn(client: Client, guildId: string, channelId: string): TopicAccess {
  const found = channelIn(client, guildId, channelId);
  if (!('type' in found)) return found;
  if (found.type !== ChannelType.GuildText && found.type !== ChannelType.GuildAnnouncement)
    return { kind: 'unknown-channel' };
  const access = permitted(found, TOPIC_RIGHTS);
  return access.kind === 'open' ? { kind: 'open', topic: found.topic } : access;
}

/** The same for a voice channel's status. */
export function voiceIn(client: Client, guildId: string, channelId: string): Access {
  const found = channelIn(client, guildId, channelId);
  if (!('type' in found)) return found;
  return found.type === ChannelType.GuildVoice
    ? permitted(found, STATUS_RIGHTS)
    : { kind: 'unknown-channel' };
}

type Nowhere = Exclude<Access, { kind: 'open' | 'missing' }>;

function channelIn(client: Client, guildId: string, channelId: string): GuildBasedChannel | Nowhere {
  const guild = client.guilds.cache.get(guildId);
  if (guild === undefined) return { kind: 'unknown-channel' };
  if (!guild.available || guild.members.me === null) return { kind: 'unavailable' };
  return guild.channels.cache.get(channelId) ?? { kind: 'unknown-channel' };
}

function permitted(channel: GuildBasedChannel, needed: readonly Right[]): Access {
  const { me } = channel.guild.members;
  if (me === null) return { kind: 'unavailable' };
  const granted = channel.permissionsFor(me);
  const rights = needed.filter((right) => !granted.has(right));
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
