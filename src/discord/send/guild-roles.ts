/** Roles and members of guilds, over REST. */
import { DiscordAPIError } from '@discordjs/rest';
import { PermissionFlagsBits, RESTJSONErrorCodes, Routes } from 'discord-api-types/v10';
import { z } from 'zod';
import type { Log } from '../../base/log.ts';
import type { GuildRoles, RoleFailure } from '../../roles/guild-roles.ts';
import { allows, type Overwrites, permissionsIn } from '../permissions.ts';
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
): GuildRoles & {
  /** The member may send messages in a channel with these exceptions, and see it: two requests. Never rejects. */
  maySendIn(overwrites: Overwrites, guild: string, person: string): Promise<boolean | RoleFailure>;
} {
  async function orFailure<Result>(work: () => Promise<Result>): Promise<Result | RoleFailure> {
    try {
      return await work();
    } catch (error) {
      const known = error instanceof DiscordAPIError ? failures.get(error.code) : undefined;
      if (known === undefined) log.warn({ err: error }, 'Discord did not answer about roles');
      return known ?? 'lost';
    }
  }

  const rolesOf = (guild: string) =>
    orFailure(async () => {
      const { roles, owner_id: owner } = Guild.parse(await rest.get(Routes.guild(guild)));
      return { roles, owner };
    });
  const memberOf = (guild: string, person: string) =>
    orFailure(async () => {
      const id = person === '@me' ? (me() ?? '') : person;
      const { roles, joined_at: joined } = Member.parse(await rest.get(Routes.guildMember(guild, id)));
      // Discord leaves it out of members that it does not know well; no other stay begins like this one.
      return { roles, joined: joined ?? '' };
    });

  async function may(
    rights: bigint,
    overwrites: Overwrites,
    { guild, person }: { readonly guild: string; readonly person: string },
  ): Promise<boolean | RoleFailure> {
    const [all, member] = await Promise.all([rolesOf(guild), memberOf(guild, person)]);
    if (typeof all === 'string') return all;
    if (typeof member === 'string') return member;
    const roles = new Map(all.roles.map(({ id, permissions }) => [id, permissions]));
    const ids = { id: guild, ownerId: all.owner, memberId: person };
    const granted = permissionsIn(overwrites, { ...ids, memberRoles: member.roles, roles });
    return granted !== null && allows(granted, rights);
  }

  return {
    roles: rolesOf,
    member: memberOf,
    mayInGuild: (guild, person, right) => may(PermissionFlagsBits[right], [], { guild, person }),
    maySendIn: (overwrites, guild, person) =>
      may(PermissionFlagsBits.ViewChannel | PermissionFlagsBits.SendMessages, overwrites, { guild, person }),
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
