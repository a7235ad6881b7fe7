/** Finds the channel of a request, and refuses it without permission. */
import { PermissionFlagsBits as Permission } from 'discord.js';
import { refusal } from '../api-error.ts';
import type { GuildChannel } from '../guild/guild.ts';
import type { Guilds } from '../guild/guilds.ts';
import { permissionsOf } from '../guild/permissions.ts';

/** The guild's channel; null for direct messages. Throws 10003, 50001 or 50013. */
export function requireChannel(guilds: Guilds, channelId: string, needed: bigint): GuildChannel | null {
  const guild = guilds.of(channelId);
  if (guild.direct.has(channelId)) return null;
  if (guilds.get(guild.facts.id) === undefined) throw refusal('missing-access');
  const channel = guild.channels.get(channelId);
  if (channel === undefined) throw refusal('unknown-channel');
  const bits = permissionsOf(guild, guild.bot.id, channel);
  if ((bits & Permission.ViewChannel) === 0n) throw refusal('missing-access');
  if ((bits & needed) !== needed) throw refusal('missing-permissions');
  return channel;
}
