/** Why Discord will not have this bot, in the words of the settings. */
import { DiscordAPIError } from '@discordjs/rest';
import { GatewayCloseCodes } from 'discord-api-types/v10';
import { StartError } from '../base/errors.ts';

/** Says which setting is wrong where Discord rejects the token. */
export async function orRefused<T>(asking: Promise<T>): Promise<T> {
  try {
    return await asking;
  } catch (error) {
    const isRefused = error instanceof DiscordAPIError && error.status === 401;
    throw isRefused ? new StartError(whyClosed(GatewayCloseCodes.AuthenticationFailed)) : error;
  }
}

export function whyClosed(code: number): string {
  switch (code) {
    case GatewayCloseCodes.AuthenticationFailed:
      return 'DISCORD_TOKEN was rejected by Discord. Copy it again from the Discord Developer Portal (Bot, Reset Token)';
    case GatewayCloseCodes.DisallowedIntents:
    case GatewayCloseCodes.InvalidIntents:
      return `DISCORD_TOKEN: Discord denies this bot the intents it asks for (Guilds, code ${code}). Check the Bot page of the Discord Developer Portal`;
    case GatewayCloseCodes.ShardingRequired:
    case GatewayCloseCodes.InvalidShard:
      return `SHARDS: Discord wants another number of shards (code ${code}). Leave it empty, or raise the number`;
    default:
      return `DISCORD_TOKEN: Discord closed the connection for good (code ${code}, ${GatewayCloseCodes[code] ?? 'unknown'})`;
  }
}
