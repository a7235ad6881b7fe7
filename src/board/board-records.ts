/** The boards and their states: everything that survives any kind of crash. */
import { z } from 'zod';
import { languages } from '../base/languages.ts';
import { usualView } from '../cards/board/board-view.ts';
import type { Fence } from '../shards/fence.ts';

/** A server's name is no longer than this, and no service has so many servers. */
const SERVERS = { characters: 40, most: 10 };

/** The choices for what a board shows. An unreadable one is as if it were not made, and takes no other with it. */
export const BoardOptions = z.object({
  /** BCP 47; null for the language in which it was made. */
  language: z.enum(languages).nullable().catch(null),
  /** The service's names, in lower case; null for all of them. */
  servers: z
    .array(z.string().max(SERVERS.characters))
    .min(1)
    .max(SERVERS.most)
    .readonly()
    .nullable()
    .catch(null),
  /** `folded`: as counts, with the names of those who drive, or of all where they are few. */
  members: z.enum(['on', 'folded', 'off']).catch(usualView.members),
  names: z.enum(['on', 'off']).catch(usualView.names),
  /** Whether the headline stands in the channel's topic, too. */
  topic: z.enum(['on', 'off']).catch('off'),
  /** The voice channel that has the headline as its status; null for none. */
  voice: z.string().nullable().catch(null),
});
export type BoardOptions = z.output<typeof BoardOptions>;

export const newBoardOptions: BoardOptions = BoardOptions.parse({});

/** People's decisions. Written by the process that handles their command. */
export const BoardSettings = z.object({
  guildId: z.string(),
  channelId: z.string(),
  /** Who made it, to be notified when it cannot continue. Empty if they have had their data deleted. */
  madeBy: z.string(),
  /** The board's language, BCP 47. */
  locale: z.string(),
  /** Unix milliseconds; none of its messages can be older. */
  madeAt: z.number(),
  /** True: its message is still to be deleted. */
  removed: z.boolean(),
  options: BoardOptions.catch(newBoardOptions),
});
export type BoardSettings = z.output<typeof BoardSettings>;

/** Characters of a line in a topic. */
const LINE = 300;

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
      /** Whether its maker has been notified. */
      notified: z.boolean(),
    })
    .nullable(),
  lastEdit: z.number().nullable(),
  /** Our lines that may stand in the channel's topic: only these are ever taken out of it. */
  topic: z.array(z.string().max(LINE)).max(10),
  /** The voice channel that may have a status of ours. */
  voice: z.string().nullable(),
});
export type BoardState = z.output<typeof BoardState>;

export const newState: BoardState = {
  posted: null,
  sending: null,
  orphans: [],
  deletions: [],
  paused: null,
  lastEdit: null,
  topic: [],
  voice: null,
};

/** One board per channel, identified by the channel. */
export interface BoardRecord {
  readonly settings: BoardSettings;
  readonly state: BoardState;
}

/** Rejects where the store fails. Writes are atomic. */
export interface BoardRecords {
  /** The settings of all boards by channel, oldest first. Unreadable settings are reported and left as they are. */
  all(): Promise<ReadonlyMap<string, BoardSettings>>;
  /**
   * The same of the guilds of these shards, which stand in one text; the same map until one has changed, which takes the
   * store one number to say. Where others have changed, theirs are not read.
   */
  served(shards: string): Promise<ReadonlyMap<string, BoardSettings>>;
  /** A new one instead of one that cannot be read: a board finds its message again by itself. */
  stateOf(channelId: string): Promise<BoardState>;
  /** Makes a board. */
  add(settings: BoardSettings): Promise<void>;
  /**
   * Applies a change to the settings as they are now, and resolves with what has become of them. Null where `to` resolves
   * with null, or there is no board. `to` may be called again.
   */
  change(
    channelId: string,
    to: (settings: BoardSettings) => BoardSettings | null,
  ): Promise<BoardSettings | null>;
  /** Does nothing if the board does not exist. Rejects where another process holds its shard by now. */
  saveState(channelId: string, state: BoardState, fence: Fence): Promise<void>;
  /** Rejects where another process holds its shard by now. */
  remove(channelId: string, fence: Fence): Promise<void>;
}
