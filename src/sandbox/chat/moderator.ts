/** Changes to the guild without the bot, and the events the bot gets. */
import { type APIOverwrite, ChannelType, OverwriteType } from 'discord.js';
import type { Moderator } from './chat.ts';
import type { Announcements } from './gateway/announcements.ts';
import type { GuildChannel } from './guild/guild.ts';
import type { Guilds } from './guild/guilds.ts';
import type { Messages } from './state/messages.ts';

export function createModerator(
  guilds: Guilds,
  messages: Messages,
  tell: Announcements,
  channelsChanged: () => void,
): Moderator {
  function required(channelId: string): GuildChannel {
    const channel = guilds.of(channelId).channels.get(channelId);
    if (channel === undefined) throw new Error(`there is no channel ${channelId}`);
    return channel;
  }

  function change(channel: GuildChannel): void {
    const guild = guilds.of(channel.id);
    guild.channels.set(channel.id, channel);
    tell.channel(guild, channel);
    channelsChanged();
  }

  return {
    deleteMessage(messageId) {
      const message = messages.find(messageId);
      if (message === undefined) throw new Error(`there is no message ${messageId}`);
      messages.remove(message);
    },
    deleteChannel(channelId) {
      const channel = required(channelId);
      const guild = guilds.of(channelId);
      guild.channels.delete(channelId);
      messages.forgetChannel(channelId);
      tell.channelDelete(guild, channel);
      channelsChanged();
    },
    openCommand(name) {
      guilds.main.openCommands.add(name);
    },
    setTopic(channelId, topic) {
      const channel = required(channelId);
      if (channel.type === ChannelType.GuildText) change({ ...channel, topic });
    },
    setOverwrite(channelId, overwrite) {
      const channel = required(channelId);
      change({ ...channel, permission_overwrites: withOverwrite(channel, overwrite) });
    },
  };
}

function withOverwrite(
  { permission_overwrites: all = [] }: GuildChannel,
  { id, type, allow, deny }: Parameters<Moderator['setOverwrite']>[1],
): APIOverwrite[] {
  const others = all.filter((one) => one.id !== id);
  if (allow === 0n && deny === 0n) return others;
  const kind = type === 'role' ? OverwriteType.Role : OverwriteType.Member;
  return [...others, { id, type: kind, allow: String(allow), deny: String(deny) }];
}
