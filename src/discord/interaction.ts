/** Facts about interactions of discord.js that commands and features need. */
import { type BaseInteraction, type Message, MessageFlags, PermissionFlagsBits } from 'discord.js';
import type { Person } from '../command-kit/context.ts';
import { isProvisional } from './permissions.ts';

/**
 * The person behind an interaction. Where only this person has installed the bot, it is not in the guild, whatever permissions they
 * have there.
 */
export function personOf(interaction: BaseInteraction): Person {
  const { user, channelId, member, memberPermissions, guild, applicationId, token } = interaction;
  const installedFor = interaction.authorizingIntegrationOwners;
  const isPersonal = installedFor.userId !== null && installedFor.guildId === null;
  const guildId = isPersonal ? null : interaction.guildId;
  // Discord always sends a language; what stands in for Discord may not.
  const { locale = 'en' }: { readonly locale?: string } = interaction;
  return {
    id: user.id,
    guildId,
    channelId,
    mayManage: !isPersonal && memberPermissions?.has(PermissionFlagsBits.ManageGuild) === true,
    mayManageRoles: !isPersonal && memberPermissions?.has(PermissionFlagsBits.ManageRoles) === true,
    locale,
    // Read where they are needed: most commands ask for no roles.
    get roles() {
      return isPersonal ? [] : rolesOf(member, interaction.guildId);
    },
    nameOfChannel: (id) => guild?.channels.cache.get(id)?.name ?? null,
    nameOfRole: (id) => guild?.roles.cache.get(id)?.name ?? null,
    card: `${applicationId}/${token}`,
    members: guildId === null ? new Set() : membersIn(interaction),
  };
}

/** Without everyone's, which has the guild's id. */
function rolesOf(member: BaseInteraction['member'], guildId: string | null): readonly string[] {
  if (member === null) return [];
  const ids = 'cache' in member.roles ? [...member.roles.cache.keys()] : member.roles;
  return ids.filter((id) => id !== guildId);
}

/** Discord sends the data of each account that a command names, and a member's only where that account is in the guild. */
function membersIn(interaction: BaseInteraction): ReadonlySet<string> {
  const isCommand = interaction.isChatInputCommand() || interaction.isUserContextMenuCommand();
  return new Set(isCommand ? interaction.options.resolved?.members?.keys() : []);
}

/** A member of a guild. `joinedAt`: ISO 8601. */
export interface Membership {
  readonly guildId: string;
  readonly personId: string;
  readonly joinedAt: string;
}

/** The person as a member of the guild where the interaction was made; null elsewhere, and while they are none for good. */
export function membershipOf(interaction: BaseInteraction): Membership | null {
  if (!interaction.inCachedGuild()) return null;
  const { guildId, member } = interaction;
  const { joinedAt, pending, flags } = member;
  if (joinedAt === null || isProvisional({ pending: pending ?? false, flags: flags.bitfield })) return null;
  return { guildId, personId: member.id, joinedAt: joinedAt.toISOString() };
}

export function isPrivate(message: Pick<Message, 'flags'> | null): boolean {
  return message?.flags.has(MessageFlags.Ephemeral) === true;
}
