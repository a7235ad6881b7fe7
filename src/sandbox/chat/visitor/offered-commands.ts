import { ApplicationIntegrationType, InteractionContextType } from 'discord.js';
import { permissionsOf } from '../guild/permissions.ts';
import type { Published } from '../state/commands.ts';
import type { Asker } from './interaction-frame.ts';

/**
 * The commands offered to a person in a channel, or in any: by permission, by the command's contexts, and by who
 * installed the bot.
 */
export function offeredCommands(
  { guild, resident, installed }: Asker,
  commands: readonly Published[],
  channelId: string | undefined,
): readonly Published[] {
  const own = permissionsOf(guild, resident.member.user.id, null);
  const direct = channelId !== undefined && guild.direct.has(channelId);
  const context = direct ? InteractionContextType.BotDM : InteractionContextType.Guild;
  const install =
    installed === 'user' ? ApplicationIntegrationType.UserInstall : ApplicationIntegrationType.GuildInstall;
  return commands.filter(({ command }) => {
    const needed = BigInt(command.default_member_permissions ?? 0);
    const permitted = direct || guild.openCommands.has(command.name) || (own & needed) === needed;
    // A guild command has neither: it exists only in that guild.
    if (command.guild_id !== undefined) return permitted && !direct && installed === 'guild';
    const here = channelId === undefined || (command.contexts?.includes(context) ?? true);
    return permitted && here && (command.integration_types?.includes(install) ?? true);
  });
}
