import { ApplicationFlags, GatewayIntentBits } from 'discord-api-types/v10';

/** What the bot asks the gateway for. */
export const INTENTS: readonly GatewayIntentBits[] = [GatewayIntentBits.Guilds];

/** The intents that an application needs a grant for, and the flags of either kind of grant. */
export const PRIVILEGED = [
  {
    name: 'Presence',
    intent: GatewayIntentBits.GuildPresences,
    granted: [ApplicationFlags.GatewayPresence, ApplicationFlags.GatewayPresenceLimited],
  },
  {
    name: 'Server Members',
    intent: GatewayIntentBits.GuildMembers,
    granted: [ApplicationFlags.GatewayGuildMembers, ApplicationFlags.GatewayGuildMembersLimited],
  },
  {
    name: 'Message Content',
    intent: GatewayIntentBits.MessageContent,
    granted: [ApplicationFlags.GatewayMessageContent, ApplicationFlags.GatewayMessageContentLimited],
  },
] as const;
