import { ChannelType } from 'discord-api-types/v10';
import {
  type Access,
  RIGHTS,
  type Right,
  STATUS_RIGHTS,
  TOPIC_RIGHTS,
  type TopicAccess,
} from '../board/channels.ts';
import { accessWith, permissionsIn } from './permissions.ts';
import type { Guild } from './shard-guilds.ts';

/** Null: Discord cannot serve the guild now; undefined: the bot is not in it. */
export type Seen = Guild | null | undefined;

const TEXT: readonly ChannelType[] = [ChannelType.GuildText, ChannelType.GuildAnnouncement];
const VOICE: readonly ChannelType[] = [ChannelType.GuildVoice];
/** No threads: those close by themselves, and Discord takes no edit in a closed one. */
const WITH_MESSAGES: readonly ChannelType[] = [...TEXT, ...VOICE, ChannelType.GuildStageVoice];

/** Our permissions in a channel of the guild. */
export function accessIn(guild: Seen, channelId: string): Access {
  return rightsIn(guild, channelId, WITH_MESSAGES, RIGHTS);
}

/** The same for a channel's topic. */
export function topicIn(guild: Seen, channelId: string): TopicAccess {
  const access = rightsIn(guild, channelId, TEXT, TOPIC_RIGHTS);
  if (access.kind !== 'open') return access;
  return { kind: 'open', topic: guild?.channels.get(channelId)?.topic ?? null };
}

/** The same for a voice channel's status. */
export function voiceIn(guild: Seen, channelId: string): Access {
  return rightsIn(guild, channelId, VOICE, STATUS_RIGHTS);
}

function rightsIn(
  guild: Seen,
  channelId: string,
  types: readonly ChannelType[],
  needed: readonly Right[],
): Access {
  if (guild === undefined) return { kind: 'unknown-channel' };
  if (guild === null || guild.memberRoles === null) return { kind: 'unavailable' };
  const channel = guild.channels.get(channelId);
  if (channel === undefined || !types.includes(channel.type)) return { kind: 'unknown-channel' };
  return accessWith(permissionsIn(channel.overwrites, guild), needed);
}
