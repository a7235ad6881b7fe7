import { PermissionFlagsBits } from 'discord-api-types/v10';
import type { Access, Right } from '../service/models/board.ts';

/** A channel's exception for a role or a member, as Discord sends it. */
export interface Overwrite {
  readonly id: string;
  readonly allow: string;
  readonly deny: string;
}

/** The facts that decide what a member may do in a guild. */
export interface Membership {
  /** The guild's id, which is that of everyone's role, too. */
  readonly id: string;
  /** Null where it is unknown. */
  readonly ownerId: string | null;
  readonly memberId: string;
  /** Without everyone's; null where they are unknown. */
  readonly memberRoles: readonly string[] | null;
  /** Permissions of the guild's roles. */
  readonly roles: ReadonlyMap<string, string>;
}

/** Whether permissions, as Discord writes them, include a right; an administrator has every one. */
export function allows(permissions: string | bigint | undefined, right: bigint): boolean {
  const bits = BigInt(permissions ?? 0);
  return (bits & PermissionFlagsBits.Administrator) !== 0n || (bits & right) === right;
}

/**
 * As Discord computes them: roles, then the channel's overwrites for everyone, for roles and for the member. Null
 * where the member's roles are unknown.
 */
export function permissionsIn(
  overwrites: readonly Overwrite[],
  { id: guildId, ownerId, memberId, memberRoles, roles }: Membership,
): bigint | null {
  if (memberRoles === null) return null;
  if (memberId === ownerId) return PermissionFlagsBits.Administrator;
  // Discord names a role that is deleted, and not again each of its members.
  const held = memberRoles.filter((id) => roles.has(id));
  let bits = 0n;
  for (const id of [guildId, ...held]) bits |= BigInt(roles.get(id) ?? 0);
  if (allows(bits, PermissionFlagsBits.Administrator)) return bits;
  for (const ids of [[guildId], held, [memberId]]) {
    const level = overwrites.filter(({ id }) => ids.includes(id));
    for (const { deny } of level) bits &= ~BigInt(deny);
    for (const { allow } of level) bits |= BigInt(allow);
  }
  return bits;
}

export function accessWith(permissions: bigint | null, needed: readonly Right[]): Access {
  if (permissions === null) return { kind: 'unavailable' };
  const rights = needed.filter((right) => !allows(permissions, PermissionFlagsBits[right]));
  return rights.length === 0 ? { kind: 'open' } : { kind: 'missing', rights };
}
