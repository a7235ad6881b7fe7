import { PermissionFlagsBits } from 'discord-api-types/v10';
import { RIGHTS } from '../board/channels.ts';

/** The address at which someone adds the bot to a server, with no more than boards and pictures need. */
export function inviteLink(applicationId: string): string {
  const query = new URLSearchParams({
    client_id: applicationId,
    scope: 'bot applications.commands',
    permissions: String(
      RIGHTS.reduce((all, right) => all | PermissionFlagsBits[right], PermissionFlagsBits.AttachFiles),
    ),
  });
  return `https://discord.com/oauth2/authorize?${query}`;
}
