import { z } from 'zod';
import { Address, NearAddress } from './address.ts';
import { ListenAddress } from './listen-address.ts';
import { ShardsSetting } from './shards-setting.ts';
import { StorePlace } from './store-place.ts';

/** pino's levels, from most to least verbose. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

const SEGMENT = '(?!\\.{1,2}(?:/|$))[\\w.~-]+';

/** Commas between them; a username may contain spaces. */
const Usernames = z.string().transform((list) =>
  list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== ''),
);

/** The environment variables that the bot reads. */
export const Settings = z.object({
  DISCORD_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'holds spaces or other characters that no token contains'),
  DISCORD_API_URL: NearAddress.refine(
    (url) => !/\/v\d+$/.test(url),
    'ends in a version; leave that out',
  ).optional(),
  DISCORD_GUILD_ID: z
    .string()
    .regex(/^\d{15,20}$/, 'is not a server id')
    .optional(),
  SERVICE_URL: Address,
  SERVICE_KEY: z.string().regex(/^[\x21-\x7e]+$/, 'holds spaces or other characters that no key contains'),
  SERVICE_GAME: z
    .string()
    .regex(new RegExp(`^${SEGMENT}$`), 'is not one path segment')
    .default('drivesim'),
  SERVICE_CHAT_PATH: z
    .string()
    .regex(new RegExp(`^/?${SEGMENT}(?:/${SEGMENT})*/?$`), 'is not a path')
    .default('chat_status'),
  STORE_URL: StorePlace.default({ kind: 'sqlite', file: 'data/pitwall.sqlite' }),
  SHARDS: ShardsSetting.default({ kind: 'leased', count: null }),
  LOG_LEVEL: z.enum(LOG_LEVELS, 'is not a level').default('info'),
  HTTP_PORT: ListenAddress.optional(),
  HIDDEN_DRIVERS: Usernames.default([]),
  SHOWN_DRIVERS: Usernames.default([]),
  README_URL: z
    .url({ protocol: /^https$/, hostname: z.regexes.domain, error: 'is not an https URL' })
    .optional(),
});

/** How to correct a setting. */
export interface Help {
  readonly expected: string;
  /** Where to find the value. */
  readonly where: string;
}

export const HELP: Record<keyof z.input<typeof Settings>, Help> = {
  DISCORD_TOKEN: {
    expected: "the bot's token alone, without the word Bot",
    where: 'Discord Developer Portal, your application, Bot, Reset Token',
  },
  DISCORD_API_URL: {
    expected:
      'empty, or the REST base of another chat server or a REST proxy: https, or http on this network',
    where: 'only for a chat server other than Discord, or a proxy of its REST; the demo sets it itself',
  },
  DISCORD_GUILD_ID: {
    expected: 'empty, or one server id: 15 to 20 digits',
    where: 'Discord in developer mode: right-click the server, Copy Server ID',
  },
  SERVICE_URL: {
    expected: 'the base address of the data service: https, or http on this machine',
    where: "the data service's documentation; the key is not part of it",
  },
  SERVICE_KEY: {
    expected: 'the API key alone',
    where: "the account page of the community's web portal",
  },
  SERVICE_GAME: {
    expected: "the game's path segment on the data service, for example drivesim",
    where: "the data service's documentation",
  },
  SERVICE_CHAT_PATH: {
    expected: 'the path of the chat-server status below SERVICE_URL, for example chat_status',
    where: "the data service's documentation",
  },
  STORE_URL: {
    expected:
      'sqlite:// and a file path, for example sqlite://data/pitwall.sqlite; or, for several processes, redis:// (same network only) or rediss:// with host, port and database',
    where: 'a file: any writable folder, created if missing; Redis: ask its operator',
  },
  SHARDS: {
    expected: 'auto, a number of shards, or, with Redis, shards of a number: 3-5/16 or 3/16',
    where: 'auto is right unless you assign the shards yourself, for example by the ordinal of a pod',
  },
  LOG_LEVEL: {
    expected: `one of ${LOG_LEVELS.join(', ')}`,
    where: 'info is usual; debug says more',
  },
  HTTP_PORT: {
    expected:
      'empty, or a port, for example 9464; with an address to be reachable from outside: 0.0.0.0:9464',
    where: 'any free port; health and metrics are served there',
  },
  HIDDEN_DRIVERS: {
    expected: 'empty, or usernames with commas between them: ann,Marek Nowicki',
    where: 'drivers who asked you to be in no list and no history',
  },
  SHOWN_DRIVERS: {
    expected: 'empty, or usernames with commas between them: ann,Marek Nowicki',
    where: 'drivers linked by someone else: they can be neither hidden nor deleted',
  },
  README_URL: {
    expected: 'empty, or the https address that /help links to',
    where: "the place where you publish this bot's README, for example its repository",
  },
};
