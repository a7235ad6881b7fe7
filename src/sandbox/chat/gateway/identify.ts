/** Reads a bot's frame that begins or resumes a session, or names the reason for refusing it. */
import { GatewayCloseCodes, GatewayIntentBits, PresenceUpdateStatus } from 'discord.js';
import { z } from 'zod';
import { isShard, ONLY_SHARD, type Shard } from '../guild/shard.ts';

/** Intents that Discord grants to an application on request; this bot has none of them. */
const PRIVILEGED =
  GatewayIntentBits.GuildMembers | GatewayIntentBits.GuildPresences | GatewayIntentBits.MessageContent;
const KNOWN_INTENTS = Object.values(GatewayIntentBits)
  .filter((bit) => typeof bit === 'number')
  .reduce((sum, bit) => sum | bit, 0);
/** Discord wants more shards beyond this. */
const GUILDS_A_SHARD = 2500;

export const presence = z.object({
  // Libraries omit it in IDENTIFY.
  since: z.number().nullish(),
  activities: z
    .array(
      z.object({
        name: z.string().max(128),
        type: z.int(),
        state: z.string().max(128).nullish(),
        url: z.string().nullish(),
      }),
    )
    .nullish()
    .transform((activities) => activities ?? []),
  status: z.enum(PresenceUpdateStatus),
  afk: z.boolean(),
});
export type BotPresence = z.output<typeof presence>;

/** Some libraries send the token with `Bot `, as over REST; Discord accepts both. */
const Token = z.string().transform((token) => token.replace(/^Bot /, ''));

export const identify = z.object({
  token: Token,
  intents: z.int().min(0),
  properties: z.looseObject({}),
  presence: presence.nullish(),
  shard: z
    .tuple([z.int(), z.int()])
    .nullish()
    .transform((shard): Shard => shard ?? ONLY_SHARD),
});
export const resume = z.object({ token: Token, session_id: z.string(), seq: z.int().min(0) });

/** The code that the connection is closed with, or null. `guildsOn`: how many guilds a shard has. */
export function whyRefused(
  { shard, intents }: Pick<z.output<typeof identify>, 'shard' | 'intents'>,
  guildsOn: (shard: Shard) => number,
): GatewayCloseCodes | null {
  if (!isShard(shard)) return GatewayCloseCodes.InvalidShard;
  if (guildsOn(shard) > GUILDS_A_SHARD) return GatewayCloseCodes.ShardingRequired;
  if ((intents & ~KNOWN_INTENTS) !== 0) return GatewayCloseCodes.InvalidIntents;
  return (intents & PRIVILEGED) === 0 ? null : GatewayCloseCodes.DisallowedIntents;
}
