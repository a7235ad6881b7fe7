/** Roles and members of guilds, over REST. */
import { DiscordAPIError, PermissionFlagsBits, RESTJSONErrorCodes, Routes } from 'discord.js';
import { z } from 'zod';
import type { Log } from '../../base/log.ts';
import type { GuildRoles, RoleFailure } from '../../roles/guild-roles.ts';
import { allows, permissionsIn } from '../permissions.ts';
import type { Rest } from '../rest/rest-client.ts';

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
const Member = z.object({ roles: z.array(z.string()), joined_at: z.string().nullish() });

/** As the rules want them. `me`: the bot's own id. */
export function createGuildRoles(
  rest: Pick<Rest, 'get' | 'put' | 'delete'>,
  me: () => string | undefined,
  log: Log,
) {
  async function orFailure<Result>(work: () => Promise<Result>): Promise<Result | RoleFailure> {
    try {
      return await work();
    } catch (error) {
      const known = error instanceof DiscordAPIError ? failures.get(error.code) : undefined;
      if (known === undefined) log.warn({ err: error }, 'Discord did not answer about roles');
      return known ?? 'lost';
    }
  }

  const guildOf = (guild: string) => orFailure(async () => Guild.parse(await rest.get(Routes.guild(guild))));
  const memberOf = (guild: string, person: string) =>
    orFailure(async () => {
      const id = person === '@me' ? (me() ?? '') : person;
      const { roles, joined_at: joined } = Member.parse(await rest.get(Routes.guildMember(guild, id)));
      // Discord leaves it out of members that it does not know well; no other stay begins like this one.
      return { roles, joined: joined ?? '' };
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
        ...{ ...member, all: guild.roles, isOwner: guild.owner_id === person },
        may: (right) => allows(granted, PermissionFlagsBits[right]),
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
  } satisfies GuildRoles;
}
