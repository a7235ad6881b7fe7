import { PermissionsBitField } from 'discord.js';
import { RIGHTS } from '../board/channels.ts';

/** The address at which someone adds the bot to a server, with no more than boards and pictures need. */
export function inviteLink(applicationId: string): string {
  const query = new URLSearchParams({
    client_id: applicationId,
    scope: 'bot applications.commands',
    permissions: PermissionsBitField.resolve([...RIGHTS, 'AttachFiles']).toString(),
  });
  return `https://discord.com/oauth2/authorize?${query}`;
}
