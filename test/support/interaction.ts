import { ApplicationCommandType, ChannelType, InteractionType, Locale } from 'discord.js';
import { createInteraction, type Interaction } from '../../src/discord/interaction.ts';
import type { Rest } from '../../src/discord/rest/rest-client.ts';

/** Parts that all interactions of one person in one channel share. */
export const frame = {
  ...{ id: '1', token: 'token', application_id: '2', version: 1, locale: Locale.EnglishGB },
  ...{ channel_id: '3', channel: { id: '3', type: ChannelType.GuildText }, app_permissions: '0' },
  ...{ entitlements: [], attachment_size_limit: 0, authorizing_integration_owners: {} },
  user: { id: '4', username: 'anna', discriminator: '0', avatar: null, global_name: null },
} satisfies Partial<Parameters<typeof createInteraction>[0]>;

/** A slash command that is answered over this connection. */
export function commandOver(rest: Rest): Interaction {
  const data = { id: '5', name: 'ask', type: ApplicationCommandType.ChatInput } as const;
  return createInteraction({ ...frame, type: InteractionType.ApplicationCommand, data }, rest, new Map());
}
