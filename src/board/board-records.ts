/** The boards and their states: everything that survives any kind of crash. */
import { z } from 'zod';
import { languages } from '../i18n/languages.ts';

/** A server's name is no longer than this, and no service has so many servers. */
const SERVERS = { characters: 40, most: 10 };

/** What a board shows. One that is absent or unreadable is as boards were before there was a choice. */
export const BoardOptions = z.object({
  /** BCP 47; null for the language in which it was made. */
  language: z.enum(languages).nullable().catch(null),
  /** The service's names, in lower case; null for all of them. */
  servers: z.array(z.string().max(SERVERS.characters)).min(1).max(SERVERS.most).nullable().catch(null),
  /** `folded`: as counts, with the names of those who drive. */
  members: z.enum(['on', 'folded', 'off']).catch('on'),
  /** `coloured`: of those who drive, as in the game, too. */
  names: z.enum(['coloured', 'on', 'off']).catch('on'),
  /** Whether the headline stands in the channel's topic, too. */
  topic: z.enum(['on', 'off']).catch('off'),
  /** The voice channel that has the headline as its status; null for none. */
  voice: z.string().nullable().catch(null),
});
export type BoardOptions = z.output<typeof BoardOptions>;

/** What boards showed before there was a choice. */
export const earlierOptions: BoardOptions = BoardOptions.parse({});

/** What a new board shows. */
export const newBoardOptions: BoardOptions = {
  language: null,
  servers: null,
  members: 'folded',
  names: 'coloured',
  topic: 'off',
  voice: null,
};

/** What people decided. Written by the process that handles their command. */
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
  options: BoardOptions.default(earlierOptions),
});
export type BoardSettings = z.output<typeof BoardSettings>;

const Pause = z
  .object({
    /** `rights`: some are missing; `channel`: it is gone; `unwanted`: its message was deleted again and again. */
    why: z.enum(['rights', 'channel', 'unwanted']),
    missing: z.array(z.string()),
    /** Unix milliseconds. */
    since: z.number(),
    /** Whether its maker has been notified. */
    notified: z.boolean().optional(),
    /** The old name of `notified`. */
    told: z.boolean().optional(),
  })
  .transform(({ told, notified, ...pause }) => ({ ...pause, notified: notified ?? told ?? false }));

/** Characters of a line in a topic. */
const LINE = 300;

/** A board's state. Written only by the process that holds its shard. */
export const BoardState = z
  .object({
    /** The id of its message; null while none is known. */
    posted: z.string().nullable(),
    /** A send with unknown outcome. */
    sending: z.object({ nonce: z.string() }).nullable(),
    /** Ids of old messages that are still to be deleted. */
    orphans: z.array(z.string()).optional(),
    /** The old name of `orphans`. */
    litter: z.array(z.string()).optional(),
    /** Unix milliseconds of recent deletions of its message by others. */
    deletions: z.array(z.number()),
    paused: Pause.nullable(),
    /** A hash of what it last showed, and when that changed. */
    changed: z.object({ hash: z.string(), at: z.number() }).nullable(),
    lastEdit: z.number().nullable(),
    /** Our lines that may stand in the channel's topic: only these are ever taken out of it. */
    topic: z.array(z.string().max(LINE)).max(10).catch([]),
    /** The voice channel that may have a status of ours. */
    voice: z.string().nullable().catch(null),
  })
  .transform(({ litter, orphans, ...state }) => ({ ...state, orphans: orphans ?? litter ?? [] }));
export type BoardState = z.output<typeof BoardState>;

export const newState: BoardState = {
  posted: null,
  sending: null,
  orphans: [],
  deletions: [],
  paused: null,
  changed: null,
  lastEdit: null,
  topic: [],
  voice: null,
};

/** One board per channel, identified by the channel. */
export interface BoardRecord {
  readonly settings: BoardSettings;
  readonly state: BoardState;
}

/**
 * Rejects where the store fails; writes are atomic. An unreadable state becomes a new one, since a board finds its
 * message again by itself; unreadable settings are reported and left as they are.
 */
export interface BoardRecords {
  all(): Promise<readonly BoardRecord[]>;
  /** A number that differs once a board has been made or removed, or its settings have changed; states do not count. */
  version(): Promise<number>;
  /** Adds a board, or changes the settings of an existing one, whose state stays. */
  saveSettings(settings: BoardSettings): Promise<void>;
  /** Does nothing if the board does not exist. Rejects where another process holds its shard by now. */
  saveState(channelId: string, state: BoardState, fence: Fence): Promise<void>;
  /** Rejects where another process holds its shard by now. */
  remove(channelId: string, fence: Fence): Promise<void>;
}

/** The writer's lease of the board's shard; the name of the shard is empty where no lease is needed. */
export interface Fence {
  readonly shard: string;
  readonly holder: string;
  readonly fence: number;
}
