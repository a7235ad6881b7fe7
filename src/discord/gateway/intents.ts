import { ApplicationFlags, GatewayIntentBits } from 'discord-api-types/v10';

export const INTENTS: readonly GatewayIntentBits[] = [GatewayIntentBits.Guilds];

/** The intents that an application needs a grant for, and the flags of either kind of grant. */
const PRIVILEGED = [
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

/** The privileged intents that the bot asks for and the application has not been granted. */
export function intentsDenied(flags: number, needed: readonly number[] = INTENTS): readonly string[] {
  return PRIVILEGED.filter(
    ({ intent, granted }) => needed.includes(intent) && !granted.some((flag) => (flags & flag) !== 0),
  ).map(({ name }) => name);
}
