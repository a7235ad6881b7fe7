import type { ChannelType, GuildMember, Guild as LibraryGuild } from 'discord.js';

/** A guild as far as interactions and the welcome need it. */
export interface Guild {
  readonly id: string;
  readonly name: string;
  readonly ownerId: string;
  /** BCP 47. */
  readonly locale: string;
  /** When the bot joined it, in unix milliseconds. */
  readonly joinedAt: number;
  /** Channel in which Discord announces new members. */
  readonly systemChannelId: string | null;
  readonly channels: ReadonlyMap<string, { readonly type: ChannelType; readonly name?: string }>;
  readonly roles: Pick<ReadonlyMap<string, unknown>, 'has'>;
  /** The bot sees the channel and may send messages there. */
  mayWriteIn(channelId: string): boolean;
}

/** Null for a guild that Discord cannot serve now, and for one that the bot is not in. */
export function guildOf(guild: LibraryGuild | null | undefined): Guild | null {
  const me = guild ? ownMember(guild) : null;
  if (!guild || me === null) return null;
  return {
    id: guild.id,
    name: guild.name,
    ownerId: guild.ownerId,
    locale: guild.preferredLocale,
    joinedAt: guild.joinedTimestamp,
    systemChannelId: guild.systemChannelId,
    channels: guild.channels.cache,
    roles: guild.roles.cache,
    mayWriteIn(channelId) {
      const rights = guild.channels.cache.get(channelId)?.permissionsFor(me);
      return rights?.has(['ViewChannel', 'SendMessages']) ?? false;
    },
  };
}

/** Null if the bot's rights in the guild are not known. */
export function ownMember(guild: LibraryGuild): GuildMember | null {
  return guild.available ? guild.members.me : null;
}
