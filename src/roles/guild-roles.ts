/** Discord, as far as the rules need it. */
import { PermissionFlagsBits as Permission } from 'discord.js';

/** A role of a guild. */
interface GuildRole {
  readonly id: string;
  /** Higher is above; two at the same height are ordered by their ids. */
  readonly position: number;
  /** It belongs to a bot, a subscription or another service, and nobody can give it. */
  readonly managed: boolean;
  /** As Discord writes them. */
  readonly permissions: string;
}

export interface GuildMember {
  readonly roles: readonly string[];
  /** As Discord writes it. */
  readonly joined: string;
}

/**
 * - `no-member`: that person is not in the guild. `unknown-role`: there is no such role.
 * - `rights`: the bot may not. `lost`: Discord has a problem, or the bot is not there.
 */
export type RoleFailure = 'no-member' | 'unknown-role' | 'rights' | 'lost';

/** A member among the roles of the guild. */
export interface Standing extends GuildMember {
  readonly all: readonly GuildRole[];
  readonly isOwner: boolean;
  /**
   * The right in the guild itself, by a role or as its owner. An interaction says what its person may do in one channel,
   * whose overwrites can add every right but Administrator and Manage Server.
   */
  may(right: keyof typeof Permission): boolean;
}

/** Each is one request, and `standing` two. Never rejects. */
export interface GuildRoles {
  /** All of them. */
  roles(guild: string): Promise<readonly GuildRole[] | RoleFailure>;
  /** `@me` for the bot itself. */
  member(guild: string, person: string): Promise<GuildMember | RoleFailure>;
  /** All that decides what the person may do there. */
  standing(guild: string, person: string): Promise<Standing | RoleFailure>;
  /** `why`: for the audit log. */
  give(guild: string, person: string, role: string, why: string): Promise<'done' | RoleFailure>;
  take(guild: string, person: string, role: string, why: string): Promise<'done' | RoleFailure>;
}

/** Rights that no rule may hand out, whoever makes it: those of people who run a server. */
const UNSAFE = [
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
  const wanted = roles.find(({ id }) => id === role);
  if (wanted === undefined) return 'unknown-role';
  if (role === guild) return 'everyone';
  if (wanted.managed) return 'managed';
  if (isUnsafe(wanted.permissions)) return 'unsafe';
  if (!isBelow(wanted, bot, roles)) return 'above-bot';
  return person === null || isBelow(wanted, person, roles) ? null : 'above-person';
}

export function isUnsafe(permissions: string): boolean {
  return UNSAFE.some((right) => (BigInt(permissions) & right) !== 0n);
}

/** Somebody who has these of the guild's roles may give and take that one. */
export function isBelow(role: GuildRole, held: readonly string[], roles: readonly GuildRole[]): boolean {
  return roles.some((one) => held.includes(one.id) && isAbove(one, role));
}

function isAbove(one: GuildRole, other: GuildRole): boolean {
  return one.position === other.position ? BigInt(one.id) < BigInt(other.id) : one.position > other.position;
}
