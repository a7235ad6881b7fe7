/** Which boards there are, how each stands, and which process keeps them: what must outlive every kind of end. */
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { json } from './json.ts';

/** What people decided. Written by whoever takes their command. */
export const BoardSettings = z.object({
  guildId: z.string(),
  channelId: z.string(),
  /** Who made it: told when it cannot be kept. Empty for somebody who is to be forgotten. */
  madeBy: z.string(),
  /** BCP 47: in whose language it is. */
  locale: z.string(),
  /** Unix milliseconds: no message of it can be older. */
  madeAt: z.number(),
  /** It is to be taken down. */
  removed: z.boolean(),
});
export type BoardSettings = z.output<typeof BoardSettings>;

/** How it stands. Written by the process that keeps the boards alone. */
export const BoardState = z.object({
  /** Id of its message; null while there is none that we know of. */
  posted: z.string().nullable(),
  /** A send whose end is not known yet. */
  sending: z.object({ nonce: z.string() }).nullable(),
  /** Ids of messages of it that are to go. */
  litter: z.array(z.string()),
  /** Unix milliseconds at which its message was found deleted, lately. */
  deletions: z.array(z.number()),
  paused: z
    .object({
      /** `rights`: some are missing; `channel`: it is gone; `unwanted`: its message was deleted again and again. */
      why: z.enum(['rights', 'channel', 'unwanted']),
      missing: z.array(z.string()),
      since: z.number(),
      told: z.boolean(),
    })
    .nullable(),
  /** What it showed when it last changed, as a hash, and when that was. */
  changed: z.object({ hash: z.string(), at: z.number() }).nullable(),
  lastEdit: z.number().nullable(),
});
export type BoardState = z.output<typeof BoardState>;

export const newState: BoardState = {
  posted: null,
  sending: null,
  litter: [],
  deletions: [],
  paused: null,
  changed: null,
  lastEdit: null,
};

/** One board a channel; the channel is what it is known by. */
export interface BoardRecord {
  readonly settings: BoardSettings;
  readonly state: BoardState;
}

/** Rejects where the store fails; nothing is half written then. */
export interface BoardRecords {
  all(): Promise<readonly BoardRecord[]>;
  /** A new one, or new settings for one that is there; its state stays. */
  saveSettings(settings: BoardSettings): Promise<void>;
  /** Of one that is there; of one that is not, nothing is kept. */
  saveState(channelId: string, state: BoardState): Promise<void>;
  remove(channelId: string): Promise<void>;
  /** Takes the lease or renews it for `ms` from `now` (unix milliseconds). False: another one holds it. */
  lease(holder: string, now: number, ms: number): Promise<boolean>;
  release(holder: string): Promise<void>;
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS board (
    channel TEXT PRIMARY KEY,
    settings TEXT NOT NULL,
    state TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS board_lease (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    holder TEXT NOT NULL,
    -- Unix milliseconds.
    until REAL NOT NULL
  ) STRICT;
`;

/** How long one process waits for another that writes to the same file. */
const BUSY_MS = 2000;

const Row = z.object({
  settings: json(BoardSettings),
  state: json(BoardState).catch(newState),
});

/**
 * The boards in the store's file, which must have been opened as the store before. On a connection of its own,
 * whose writes are on the disk when they return: a message whose id is lost with the power would be a second one.
 * A state that cannot be read is a new one, since a board finds its message again by itself; settings that cannot be
 * read are told to `unreadable` and left where they are.
 */
export function openBoardRecords(options: {
  readonly file: string;
  readonly unreadable?: (channelId: string) => void;
}): BoardRecords & { close(): void } {
  const database = new DatabaseSync(options.file, { timeout: BUSY_MS });
  // With zeros where something was: whoever made a board may want to be forgotten.
  database.exec('PRAGMA synchronous = FULL; PRAGMA secure_delete = ON');
  database.exec(SCHEMA);
  const all = database.prepare('SELECT channel, settings, state FROM board ORDER BY rowid');
  const saveSettings = database.prepare(
    `INSERT INTO board (channel, settings, state) VALUES (?1, ?2, ?3)
     ON CONFLICT (channel) DO UPDATE SET settings = ?2`,
  );
  const saveState = database.prepare('UPDATE board SET state = ?2 WHERE channel = ?1');
  const remove = database.prepare('DELETE FROM board WHERE channel = ?');
  // One that reaches further than any holder could have asked for was written before the clock was put back.
  const lease = database.prepare(
    `INSERT INTO board_lease (id, holder, until) VALUES (1, ?1, ?3)
     ON CONFLICT (id) DO UPDATE SET holder = ?1, until = ?3
     WHERE holder = ?1 OR until <= ?2 OR until > ?3`,
  );
  const release = database.prepare('DELETE FROM board_lease WHERE holder = ?');

  return {
    async all() {
      return all.all().flatMap((row): readonly BoardRecord[] => {
        const read = Row.safeParse(row);
        if (read.success) return [read.data];
        options.unreadable?.(String(row['channel']));
        return [];
      });
    },
    async saveSettings(settings) {
      saveSettings.run(settings.channelId, JSON.stringify(settings), JSON.stringify(newState));
    },
    async saveState(channelId, state) {
      saveState.run(channelId, JSON.stringify(state));
    },
    async remove(channelId) {
      remove.run(channelId);
    },
    async lease(holder, now, ms) {
      return lease.run(holder, now, now + ms).changes > 0;
    },
    async release(holder) {
      release.run(holder);
    },
    close: () => database.close(),
  };
}
