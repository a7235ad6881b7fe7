/** Which boards there are, how each stands, and which process keeps them: what must outlive every kind of end. */
import { z } from 'zod';

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

const Pause = z
  .object({
    /** `rights`: some are missing; `channel`: it is gone; `unwanted`: its message was deleted again and again. */
    why: z.enum(['rights', 'channel', 'unwanted']),
    missing: z.array(z.string()),
    /** Unix milliseconds. */
    since: z.number(),
    /** Whether the person who made it has been written to. */
    notified: z.boolean().optional(),
    /** What `notified` was called before. */
    told: z.boolean().optional(),
  })
  .transform(({ told, notified, ...pause }) => ({ ...pause, notified: notified ?? told ?? false }));

/** How it stands. Written by the process that keeps the boards alone. */
export const BoardState = z
  .object({
    /** Id of its message; null while there is none that we know of. */
    posted: z.string().nullable(),
    /** A send whose end is not known yet. */
    sending: z.object({ nonce: z.string() }).nullable(),
    /** Ids of messages of it that are to go. */
    orphans: z.array(z.string()).optional(),
    /** What `orphans` was called before. */
    litter: z.array(z.string()).optional(),
    /** Unix milliseconds at which its message was found deleted, lately. */
    deletions: z.array(z.number()),
    paused: Pause.nullable(),
    /** What it showed when it last changed, as a hash, and when that was. */
    changed: z.object({ hash: z.string(), at: z.number() }).nullable(),
    lastEdit: z.number().nullable(),
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
};

/** One board a channel; the channel is what it is known by. */
export interface BoardRecord {
  readonly settings: BoardSettings;
  readonly state: BoardState;
}

/**
 * Rejects where the store fails; nothing is half written then. A state that cannot be read is a new one, since a board
 * finds its message again by itself; settings that cannot be read are reported and left where they are.
 */
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
