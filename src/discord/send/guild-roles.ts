/** Roles and members of guilds, over REST. */
import { DiscordAPIError, PermissionFlagsBits, RESTJSONErrorCodes, Routes } from 'discord.js';
import { z } from 'zod';
import type { Log } from '../../base/log.ts';
import { hasRight, isProvisional, permissionsIn } from '../permissions.ts';
import type { Rest } from '../rest/rest-client.ts';

/** A role of a guild. */
export interface GuildRole {
  readonly id: string;
  /** Higher is above; two at the same height are ordered by their ids. */
  readonly position: number;
  /** True for a role of a bot, a subscription or another service, which nobody can give. */
  readonly managed: boolean;
  /** Bit set as a decimal text, as Discord sends it. */
  readonly permissions: string;
}

export interface GuildMember {
  readonly roles: readonly string[];
  /** ISO 8601 time at which the member joined, as Discord sends it. */
  readonly joined: string;
}

/**
 * - `no-member`: that person is not in the guild. `unknown-role`: there is no such role.
 * - `rights`: the bot may not. `lost`: Discord has a problem, or the bot is not there.
 */
type RoleFailure = 'no-member' | 'unknown-role' | 'rights' | 'lost';

/** A member among the roles of the guild. */
export interface Standing extends GuildMember {
  readonly all: readonly GuildRole[];
  readonly isOwner: boolean;
  /**
   * The right in the guild itself, by a role or as its owner. An interaction says what its person may do in one channel,
   * whose overwrites can add every right but Administrator and Manage Server.
   */
  may(right: keyof typeof PermissionFlagsBits): boolean;
}

/** Each is one request, and `standing` two. Never rejects. */
export interface GuildRoles {
  /** All of them. */
  roles(guild: string): Promise<readonly GuildRole[] | RoleFailure>;
  /** `@me` for the bot itself. `provisional`: a member whom a role would let in for good. */
  member(guild: string, person: string): Promise<GuildMember | 'provisional' | RoleFailure>;
  /** All that decides what the person may do there. */
  standing(guild: string, person: string): Promise<Standing | 'provisional' | RoleFailure>;
  /** `why`: for the audit log. */
  give(guild: string, person: string, role: string, why: string): Promise<'done' | RoleFailure>;
  take(guild: string, person: string, role: string, why: string): Promise<'done' | RoleFailure>;
}

const failures: ReadonlyMap<number | string, RoleFailure> = new Map([
  [RESTJSONErrorCodes.UnknownMember, 'no-member'],
  [RESTJSONErrorCodes.UnknownUser, 'no-member'],
  [RESTJSONErrorCodes.UnknownRole, 'unknown-role'],
  [RESTJSONErrorCodes.MissingPermissions, 'rights'],
  [RESTJSONErrorCodes.MissingAccess, 'rights'],
  // The guild wants it of everyone with rights, and the bot's owner has not set it up.
  [RESTJSONErrorCodes.TwoFactorAuthenticationIsRequired, 'rights'],
]);

const Guild = z.object({
  owner_id: z.string(),
  roles: z.array(
    z.object({
      id: z.string(),
      position: z.number(),
      managed: z.boolean(),
      permissions: z.string().regex(/^\d+$/),
    }),
  ),
});
const Member = z.object({
  roles: z.array(z.string()),
  joined_at: z.string().nullish(),
  pending: z.boolean().optional(),
  flags: z.int().optional(),
});

/** `me`: the bot's own id. */
export function createGuildRoles(
  rest: Pick<Rest, 'get' | 'put' | 'delete'>,
  me: () => string | undefined,
  log: Log,
): GuildRoles {
  async function orFailure<Result>(work: () => Promise<Result>): Promise<Result | RoleFailure> {
    try {
      return await work();
    } catch (error) {
      const failure = error instanceof DiscordAPIError ? failures.get(error.code) : undefined;
      if (failure === undefined) log.warn({ err: error }, 'Discord did not answer about roles');
      return failure ?? 'lost';
    }
  }

  const guildOf = (guild: string) => orFailure(async () => Guild.parse(await rest.get(Routes.guild(guild))));
  const memberOf = (guild: string, person: string) =>
    orFailure(async () => {
      const id = person === '@me' ? (me() ?? '') : person;
      const {
        roles,
        joined_at: joinedAt,
        ...state
      } = Member.parse(await rest.get(Routes.guildMember(guild, id)));
      // Discord leaves it out of members that it does not know well; no other stay begins like this one.
      return isProvisional(state) ? ('provisional' as const) : { roles, joined: joinedAt ?? '' };
    });

  return {
    async roles(id) {
      const guild = await guildOf(id);
      return typeof guild === 'string' ? guild : guild.roles;
    },
    member: memberOf,
    async standing(id, person) {
      const [guild, member] = await Promise.all([guildOf(id), memberOf(id, person)]);
      if (typeof guild === 'string') return guild;
      if (typeof member === 'string') return member;
      const ids = { id, ownerId: guild.owner_id, memberId: person, memberRoles: member.roles };
      const roles = new Map(guild.roles.map((role) => [role.id, role.permissions]));
      const granted = permissionsIn([], { ...ids, roles });
      return {
        ...member,
        all: guild.roles,
        isOwner: guild.owner_id === person,
        may: (right) => hasRight(granted, PermissionFlagsBits[right]),
      };
    },
    give: (guild, person, role, reason) =>
      orFailure(async () => {
        await rest.put(Routes.guildMemberRole(guild, person, role), { reason });
        return 'done' as const;
      }),
    take: (guild, person, role, reason) =>
      orFailure(async () => {
        await rest.delete(Routes.guildMemberRole(guild, person, role), { reason });
        return 'done' as const;
      }),
  };
}
