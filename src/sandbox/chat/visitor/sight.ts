/** Rights and view of a person, channel by channel. */
import { type APIMessage, type APIUser, PermissionFlagsBits as Permission } from 'discord.js';
import type { Guilds } from '../guild/guilds.ts';
import { permissionsOf } from '../guild/permissions.ts';
import type { Messages } from '../state/messages.ts';

export interface Sight {
  sees(channelId: string): boolean;
  may(channelId: string, needed: bigint): boolean;
  /** Throws for a message that the person does not see. */
  message(messageId: string): APIMessage;
}

export function createSight(guilds: Guilds, messages: Messages, user: APIUser): Sight {
  function may(channelId: string, needed: bigint): boolean {
    const guild = guilds.of(channelId);
    if (guild.direct.has(channelId)) return guild.direct.get(channelId)?.recipients?.[0]?.id === user.id;
    const channel = guild.channels.get(channelId);
    return channel !== undefined && (permissionsOf(guild, user.id, channel) & needed) === needed;
  }

  const sees = (channelId: string) => may(channelId, Permission.ViewChannel);

  return {
    sees,
    may,
    message(messageId) {
      const message = messages.find(messageId);
      const reader = messages.readerOf(messageId);
      if (message === undefined || !sees(message.channel_id) || (reader !== null && reader !== user.id))
        throw new Error(`${user.username} sees no message ${messageId}`);
      return message;
    },
  };
}
