import { ChannelType, GuildMemberFlags, PermissionFlagsBits } from 'discord.js';
import { type Access, RIGHTS } from '../cards/board/board.ts';

/** The facts that decide what a member may do in a guild. */
export interface Membership {
  /** The guild's id, which is that of everyone's role, too. */
  readonly id: string;
  /** Null where it is unknown. */
  readonly ownerId: string | null;
  readonly memberId: string;
  /** Without everyone's. */
  readonly memberRoles: readonly string[];
  /** Permissions of the guild's roles. */
  readonly roles: ReadonlyMap<string, string>;
}

/** A channel's exceptions for roles and members, as Discord sends them. */
export type Overwrites = readonly { readonly id: string; readonly allow: string; readonly deny: string }[];

/** `permissions` as Discord writes them; an administrator has every right. */
export function hasRight(permissions: string | bigint | undefined, right: bigint): boolean {
  const bits = BigInt(permissions ?? 0);
  return (bits & PermissionFlagsBits.Administrator) !== 0n || (bits & right) === right;
}

/** Computes permissions like Discord: roles, then the channel's overwrites for everyone, for roles and for the member. */
export function permissionsIn(
  overwrites: Overwrites,
  { id: guildId, ownerId, memberId, memberRoles, roles }: Membership,
): bigint {
  if (memberId === ownerId) return PermissionFlagsBits.Administrator;
  // Discord names a role that is deleted, and not again each of its members.
  const heldRoles = memberRoles.filter((id) => roles.has(id));
  let bits = 0n;
  for (const id of [guildId, ...heldRoles]) bits |= BigInt(roles.get(id) ?? 0);
  if (hasRight(bits, PermissionFlagsBits.Administrator)) return bits;
  for (const ids of [[guildId], heldRoles, [memberId]]) {
    const level = overwrites.filter(({ id }) => ids.includes(id));
    for (const { deny } of level) bits &= ~BigInt(deny);
    for (const { allow } of level) bits |= BigInt(allow);
  }
  // A channel makes nobody an administrator.
  return bits & ~PermissionFlagsBits.Administrator;
}

/** A member who has not accepted the guild's rules, or a guest of a voice channel: any role would let them in for good. */
export function isProvisional({
  pending = false,
  flags = 0,
}: {
  readonly pending?: boolean | undefined;
  readonly flags?: number | undefined;
}): boolean {
  return pending || (flags & GuildMemberFlags.IsGuest) !== 0;
}

export type Permission = keyof typeof PermissionFlagsBits;

/** Channels with a voice: without Connect, nothing else is allowed there. */
const VOICE: readonly ChannelType[] = [ChannelType.GuildVoice, ChannelType.GuildStageVoice];

/** A member's rights, in the guild itself and in channels that they may view. */
export function computeRights(member: Membership) {
  const granted = (overwrites: Overwrites): bigint => permissionsIn(overwrites, member);
  return {
    may: (right: Permission) => hasRight(granted([]), PermissionFlagsBits[right]),
    mayIn(
      { type, overwrites }: { readonly type: ChannelType; readonly overwrites: Overwrites },
      right: Permission,
    ) {
      const requiredRights = PermissionFlagsBits.ViewChannel | PermissionFlagsBits[right];
      const voice = VOICE.includes(type) ? PermissionFlagsBits.Connect : 0n;
      return hasRight(granted(overwrites), requiredRights | voice);
    },
  };
}

/** Access to a channel with these permissions. A time-out does not hold an administrator. */
export function accessWith(
  permissions: bigint,
  { type, isTimedOut }: { readonly type: ChannelType; readonly isTimedOut: boolean },
): Access {
  const neededRights = [...RIGHTS, ...(VOICE.includes(type) ? (['Connect'] as const) : [])];
  const rights = neededRights.filter((right) => !hasRight(permissions, PermissionFlagsBits[right]));
  const isHeld = isTimedOut && !hasRight(permissions, PermissionFlagsBits.Administrator);
  if (isHeld) return { kind: 'missing', rights: [...rights, 'TimedOut'] };
  return rights.length === 0 ? { kind: 'open' } : { kind: 'missing', rights };
}
