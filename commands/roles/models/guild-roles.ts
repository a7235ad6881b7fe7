/** Checks which roles a rule may give. */
import { PermissionFlagsBits as Permission } from 'discord.js';
import type { GuildRole } from '../../../src/discord/send/guild-roles.ts';

/** Rights that no rule may hand out, whoever makes it: those of people who run a server. */
const UNSAFE_PERMISSIONS = [
  Permission.Administrator,
  Permission.BanMembers,
  Permission.BypassSlowmode,
  Permission.DeafenMembers,
  Permission.KickMembers,
  Permission.ManageChannels,
  Permission.ManageEvents,
  Permission.ManageGuild,
  Permission.ManageGuildExpressions,
  Permission.ManageMessages,
  Permission.ManageNicknames,
  Permission.ManageRoles,
  Permission.ManageThreads,
  Permission.ManageWebhooks,
  Permission.MentionEveryone,
  Permission.ModerateMembers,
  Permission.MoveMembers,
  Permission.MuteMembers,
  Permission.PinMessages,
  Permission.ViewAuditLog,
];

/** The reason not to give a role; null: it may be given. */
type RoleProblem = 'unknown-role' | 'everyone' | 'managed' | 'unsafe' | 'above-bot' | 'above-person';

/** `above`: the roles of the bot, and of the person who makes the rule; null for one who owns the guild. */
export function roleProblem(
  role: string,
  {
    guild,
    roles,
    bot,
    person,
  }: {
    readonly guild: string;
    readonly roles: readonly GuildRole[];
    readonly bot: readonly string[];
    readonly person: readonly string[] | null;
  },
): RoleProblem | null {
  const guildRole = roles.find(({ id }) => id === role);
  if (guildRole === undefined) return 'unknown-role';
  if (role === guild) return 'everyone';
  if (guildRole.managed) return 'managed';
  if (problemOfPermissions(guildRole.permissions) !== null) return 'unsafe';
  if (!isBelow(guildRole, bot, roles)) return 'above-bot';
  return person === null || isBelow(guildRole, person, roles) ? null : 'above-person';
}

/** The reason not to give a role with these permissions, whatever its place; null or undefined: there is no such role. */
export function problemOfPermissions(
  permissions: string | null | undefined,
): 'unknown-role' | 'unsafe' | null {
  if (permissions == null) return 'unknown-role';
  return UNSAFE_PERMISSIONS.some((right) => (BigInt(permissions) & right) !== 0n) ? 'unsafe' : null;
}

/** Somebody who has these of the guild's roles may give and take that one. */
export function isBelow(role: GuildRole, held: readonly string[], roles: readonly GuildRole[]): boolean {
  return roles.some((one) => held.includes(one.id) && isAbove(one, role));
}

function isAbove(one: GuildRole, other: GuildRole): boolean {
  return one.position === other.position ? BigInt(one.id) < BigInt(other.id) : one.position > other.position;
}
