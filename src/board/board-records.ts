/** The boards and their states: everything that survives any kind of crash. */
import type { BoardSettings, BoardState } from '../service/models/board.ts';
import type { Fence } from '../shards/fence.ts';

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
   * The same of these guilds; the same map until one has changed, which takes the store one number to say, or the function
   * is another one. Where others have changed, theirs are not read.
   */
  served(ours: (guildId: string) => boolean): Promise<ReadonlyMap<string, BoardSettings>>;
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
