/** Permissions: roles, then the channel's overwrites, combined as Discord does. */
import { OverwriteType, PermissionFlagsBits as Permission } from 'discord.js';
import type { Guild, GuildChannel } from './guild.ts';

const ALL = Object.values(Permission).reduce((sum, bit) => sum | bit, 0n);

/** The permission bits of a member of the guild: in a channel, or guild-wide where `channel` is null. */
export function permissionsOf(guild: Guild, userId: string, channel: GuildChannel | null): bigint {
  const resident = guild.residents.get(userId);
  if (resident === undefined) return 0n;
  if (guild.facts.owner_id === userId) return ALL;
  const roles = [guild.facts.id, ...resident.member.roles];
  const granted = roles.reduce((sum, id) => sum | BigInt(guild.roles.get(id)?.permissions ?? 0), 0n);
  if ((granted & Permission.Administrator) !== 0n) return ALL;
  if (channel === null) return granted;

  const overwrites = channel.permission_overwrites ?? [];
  const everyone = overwrites.filter(({ id }) => id === guild.facts.id);
  const others = overwrites.filter(
    ({ id, type }) => type === OverwriteType.Role && id !== guild.facts.id && roles.includes(id),
  );
  const own = overwrites.filter(({ id, type }) => type === OverwriteType.Member && id === userId);
  let bits = granted;
  for (const level of [everyone, others, own]) {
    for (const { deny } of level) bits &= ~BigInt(deny);
    for (const { allow } of level) bits |= BigInt(allow);
  }
  // Without View Channel nothing is allowed; without Send Messages, nothing that is sent.
  if ((bits & Permission.ViewChannel) === 0n) return 0n;
  if ((bits & Permission.SendMessages) === 0n)
    bits &= ~(Permission.EmbedLinks | Permission.AttachFiles | Permission.MentionEveryone);
  return bits;
}
