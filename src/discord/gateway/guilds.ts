import { ChannelType, PermissionFlagsBits } from 'discord.js';
import type { Clock } from '../../base/clock.ts';
import { HOUR } from '../../base/duration.ts';
import type { TopicAccess } from '../../board/channels.ts';
import { type Access, RIGHTS, type Right, STATUS_RIGHTS, TOPIC_RIGHTS } from '../../service/models/board.ts';
import { hasGuild } from '../../shards/shard.ts';
import { accessTo, allows, permissionsIn } from '../permissions.ts';
import type { ShardConnection } from './shard-connection.ts';
import type { Guild } from './shard-guilds.ts';

/** Null: Discord cannot serve the guild now; undefined: the bot is not in it. */
type GuildState = Guild | null | undefined;

/** Where boards and alerts can be: no voice channels, and no threads, which close by themselves. */
export const TEXT_CHANNELS = [ChannelType.GuildText, ChannelType.GuildAnnouncement] as const;
const VOICE: readonly ChannelType[] = [ChannelType.GuildVoice];
/** No threads: those close by themselves, and Discord takes no edit in a closed one. */
const WITH_MESSAGES: readonly ChannelType[] = [...TEXT_CHANNELS, ...VOICE, ChannelType.GuildStageVoice];

/** By how much Discord's clock may be ahead of ours, in ms. */
const CLOCKS = HOUR;

/**
 * The guilds of all shards of this process, as far as the gateway has reported; makes no request. A guild whose shard is not
 * connected here is unavailable.
 */
export function createGuilds(connections: () => readonly ShardConnection[], { now }: Pick<Clock, 'now'>) {
  const ready = () => connections().filter((each) => each.isReady());

  function seen(guildId: string): GuildState {
    const theirs = ready().find(({ shard }) => hasGuild(shard, guildId));
    return theirs === undefined ? null : theirs.guilds.get(guildId);
  }

  /** Our permissions in a channel of one of these types. */
  function accessIn(
    guild: GuildState,
    channelId: string,
    types: readonly ChannelType[],
    needed: readonly Right[],
  ): Access {
    if (guild === undefined) return { kind: 'unknown-channel' };
    if (guild === null || guild.memberRoles === null) return { kind: 'unavailable' };
    const channel = guild.channels.get(channelId);
    if (channel === undefined || !types.includes(channel.type)) return { kind: 'unknown-channel' };
    return accessTo(channel, guild, needed, now() < guild.timedOutUntil);
  }

  const messagesIn = (guild: GuildState, channelId: string) =>
    accessIn(guild, channelId, WITH_MESSAGES, RIGHTS);

  return {
    access: (guildId: string, channelId: string) => messagesIn(seen(guildId), channelId),
    writable(guildId: string): readonly string[] {
      const guild = seen(guildId);
      const ids = [...(guild?.channels.keys() ?? [])];
      return ids.filter((channelId) => messagesIn(guild, channelId).kind === 'open');
    },
    topic(guildId: string, channelId: string): TopicAccess {
      const guild = seen(guildId);
      const access = accessIn(guild, channelId, TEXT_CHANNELS, TOPIC_RIGHTS);
      if (access.kind !== 'open') return access;
      return { kind: 'open', topic: guild?.channels.get(channelId)?.topic ?? null };
    },
    voice: (guildId: string, channelId: string) => accessIn(seen(guildId), channelId, VOICE, STATUS_RIGHTS),
    /** A channel's exceptions; null where they are not known. */
    overwritesOf: (guildId: string, channelId: string) =>
      seen(guildId)?.channels.get(channelId)?.overwrites ?? null,
    /** We are in it, and Discord can serve it now. */
    isThere: (guildId: string) => (seen(guildId) ?? null) !== null,
    /**
     * What was made in it before then (unix milliseconds) is of an earlier stay of ours: later than ever where we are not in
     * it, and 0 where that is not known.
     */
    stayedSince(guildId: string): number {
      const guild = seen(guildId);
      return guild === undefined ? Number.POSITIVE_INFINITY : (guild?.joinedAt ?? 0) - CLOCKS;
    },
    /** We may only look and read there, for a time. */
    isTimedOut: (guildId: string) => now() < (seen(guildId)?.timedOutUntil ?? 0),
    /** False where that is not known. */
    mayInGuild(guildId: string, right: 'ManageRoles' | 'CreateEvents'): boolean {
      const guild = seen(guildId) ?? null;
      return guild !== null && allows(permissionsIn([], guild) ?? 0n, PermissionFlagsBits[right]);
    },
    /** A role's permissions; null where they are not known. */
    permissionsOf: (guildId: string, roleId: string) => seen(guildId)?.roles.get(roleId) ?? null,
    /** Empty where it is not known. */
    ownerOf: (guildId: string) => seen(guildId)?.ownerId ?? '',
    /** All that Discord can serve now. */
    available: () =>
      connections().flatMap(({ guilds }) => [...guilds.values()].filter((guild) => guild !== null)),
  };
}
