/** The common part of every interaction: who, where, and the bot's permissions there. */
import {
  type APIMessageInteractionMetadata,
  ApplicationIntegrationType,
  InteractionContextType,
  InteractionType,
  PermissionFlagsBits as Permission,
} from 'discord.js';
import type { Guild, Resident } from '../guild/guild.ts';
import { permissionsOf } from '../guild/permissions.ts';
import type { Interaction } from '../state/interactions.ts';
import type { Installed } from './visitor.ts';

const ATTACHMENT_LIMIT = 10 * 1024 * 1024;

export interface Asker {
  readonly guild: Guild;
  readonly resident: Resident;
  readonly installed: Installed;
}

/** Installers of the bot that this person uses. A direct message has the guild id `0`. */
function owners({ resident, installed }: Asker, guildId: string) {
  return installed === 'user'
    ? { [ApplicationIntegrationType.UserInstall]: resident.member.user.id }
    : { [ApplicationIntegrationType.GuildInstall]: guildId };
}

export type Frame = ReturnType<typeof frameOf>;

/** The common part of an interaction, in the guild or in a direct message. */
export function frameOf(asker: Asker, interaction: Interaction) {
  const { guild, resident } = asker;
  const { user } = resident.member;
  const { id, token, channelId } = interaction;
  const channel = guild.channels.get(channelId);
  const common = {
    id,
    token,
    application_id: guild.bot.id,
    version: 1 as const,
    channel_id: channelId,
    locale: resident.locale,
    entitlements: [],
    attachment_size_limit: ATTACHMENT_LIMIT,
  };
  const direct = guild.direct.get(channelId);
  if (direct !== undefined)
    return {
      ...common,
      user,
      channel: direct,
      context: InteractionContextType.BotDM,
      app_permissions: String(
        Permission.SendMessages | Permission.EmbedLinks | Permission.AttachFiles | Permission.MentionEveryone,
      ),
      authorizing_integration_owners: owners(asker, '0'),
    };
  if (channel === undefined) throw new Error(`there is no channel ${channelId}`);
  const { id: guildId, features, preferred_locale } = guild.facts;
  return {
    ...common,
    guild_id: guildId,
    guild: { id: guildId, features, locale: preferred_locale },
    guild_locale: preferred_locale,
    channel,
    context: InteractionContextType.Guild,
    member: { ...resident.member, permissions: String(permissionsOf(guild, user.id, channel)) },
    app_permissions: String(permissionsOf(guild, guild.bot.id, channel)),
    authorizing_integration_owners: owners(asker, guildId),
  };
}

/** The metadata on the resulting message; `sourceId` is the message whose component was used. */
export function metadataOf(asker: Asker, id: string, sourceId: string | null): APIMessageInteractionMetadata {
  const { user } = asker.resident.member;
  const common = { id, user, authorizing_integration_owners: owners(asker, asker.guild.facts.id) };
  return sourceId === null
    ? { ...common, type: InteractionType.ApplicationCommand }
    : { ...common, type: InteractionType.MessageComponent, interacted_message_id: sourceId };
}
