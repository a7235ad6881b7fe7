/** A live board: its settings, its stored state, and its status. */
import { z } from 'zod';
import { languages } from '../../base/languages.ts';

/** A server's name is no longer than this, and no service has so many servers. */
const SERVER_LIMITS = { characters: 40, most: 10 };

/** The choices for what a board shows. An unreadable one is as if it were not made, and takes no other with it. */
export const BoardOptions = z.object({
  /** BCP 47; null for the language in which it was made. */
  language: z.enum(languages).nullable().catch(null),
  /** The service's names, in lower case; null for all of them. */
  servers: z
    .array(z.string().max(SERVER_LIMITS.characters))
    .min(1)
    .max(SERVER_LIMITS.most)
    .readonly()
    .nullable()
    .catch(null),
  /** `folded`: as counts, with the names of those who drive, or of all where they are few. */
  members: z.enum(['on', 'folded', 'off']).catch('folded'),
  names: z.enum(['on', 'off']).catch('on'),
});
export type BoardOptions = z.output<typeof BoardOptions>;

/** Options of a new board, and of `/servers`. */
export const newBoardOptions: BoardOptions = BoardOptions.parse({});

/** People's decisions. Written by the process that handles their command. */
export const BoardSettings = z.object({
  guildId: z.string(),
  channelId: z.string(),
  /** The account that made the board and is notified when it cannot continue. Empty after that account's data was deleted. */
  madeBy: z.string(),
  /** The board's language, BCP 47. */
  locale: z.string(),
  /** Names of drivers are in their in-game colours. */
  colours: z.boolean().catch(true),
  /** Unix milliseconds; none of its messages can be older. */
  madeAt: z.number(),
  /** True: its message is still to be deleted. */
  removed: z.boolean(),
  options: BoardOptions.catch(newBoardOptions),
});
export type BoardSettings = z.output<typeof BoardSettings>;

/** Characters of a line in a topic. */
const MAX_LINE_LENGTH = 300;

/** A board's state. Written only by the process that holds its shard. */
export const BoardState = z.object({
  /** The id of its message; null while none is known. */
  posted: z.string().nullable(),
  /** A send with unknown outcome. */
  sending: z.object({ nonce: z.string() }).nullable(),
  /** Ids of old messages that are still to be deleted. */
  orphans: z.array(z.string()),
  /** Unix milliseconds of recent deletions of its message by others. */
  deletions: z.array(z.number()),
  paused: z
    .object({
      /** `rights`: some are missing; `channel`: it is gone; `unwanted`: its message was deleted again and again. */
      why: z.enum(['rights', 'channel', 'unwanted']),
      missing: z.array(z.string()),
      /** Unix milliseconds. */
      since: z.number(),
      /** True once the maker has been notified. */
      notified: z.boolean(),
    })
    .nullable(),
  lastEdit: z.number().nullable(),
  /** Lines that earlier versions may have left in the channel's topic: only these are ever taken out of it. */
  topic: z.array(z.string().max(MAX_LINE_LENGTH)).max(10),
});
export type BoardState = z.output<typeof BoardState>;

export const newBoardState: BoardState = {
  posted: null,
  sending: null,
  orphans: [],
  deletions: [],
  paused: null,
  lastEdit: null,
  topic: [],
};

export type Paused = NonNullable<BoardState['paused']>;

/** The permissions a board needs, by Discord's own names. */
export const RIGHTS = ['ViewChannel', 'SendMessages', 'EmbedLinks', 'ReadMessageHistory'] as const;
type Right = (typeof RIGHTS)[number];

/** `Connect`: needed for everything in a voice channel. `TimedOut`: all but looking and reading, for a time. */
type Missing = Right | 'Connect' | 'TimedOut';

/**
 * Our permissions in a channel, as far as the gateway has reported; costs no request.
 * - `unknown-channel`: there is none, or we are not in its guild.
 * - `unavailable`: Discord cannot serve that guild now.
 */
export type Access =
  | { readonly kind: 'open' }
  | { readonly kind: 'missing'; readonly rights: readonly Missing[] }
  | { readonly kind: 'unknown-channel' }
  | { readonly kind: 'unavailable' };

/** `partly-stale`: some parts are old and marked as such. */
export type BoardMode = 'live' | 'partly-stale' | 'stale' | 'no-data' | 'paused';

/** An error of a board, as its administrators read it. */
export type BoardTrouble =
  | 'deleted'
  | 'not-notified'
  | 'store'
  | 'bug'
  // As Discord refused a message.
  | 'unknown-channel'
  | 'forbidden'
  | 'two-factor'
  | 'too-fast'
  | 'blocked'
  | 'refused'
  | 'lost';

export interface BoardError {
  /** Unix milliseconds. */
  readonly at: number;
  readonly what: BoardTrouble;
  /** As Discord or the connection named it, for a search; null where there is no more to say. */
  readonly code: string | null;
}

export interface BoardStatus {
  readonly settings: BoardSettings;
  /** `starting`: nothing is known to be shown yet. */
  readonly mode: BoardMode | 'starting';
  readonly isPosted: boolean;
  readonly paused: Paused | null;
  /** Unix milliseconds. */
  readonly lastEdit: number | null;
  /** Up to when what it shows is known to be right, in unix milliseconds; null where nothing is known to be shown. */
  readonly checked: number | null;
  /** The last five, oldest first. */
  readonly errors: readonly BoardError[];
}

/** A board as people ask about it. */
export interface ListedBoard extends BoardStatus {
  /** Our permissions in its channel. */
  readonly access: Access;
}
