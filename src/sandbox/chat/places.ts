/** Finds the channel of a request, and refuses it without permission. */
import { refusal } from './api-error.ts';
import type { GuildChannel } from './guild.ts';
import type { Guilds } from './guilds.ts';
import { requirePermissions } from './permissions.ts';

/** The guild's channel; null for direct messages. Throws 10003, 50001 or 50013. */
export function requireChannel(guilds: Guilds, channelId: string, needed: bigint): GuildChannel | null {
  const guild = guilds.of(channelId);
  if (guild.direct.has(channelId)) return null;
  const channel = guild.channels.get(channelId);
  if (channel === undefined) throw refusal('unknown-channel');
  requirePermissions(guild, channel, needed);
  return channel;
}
