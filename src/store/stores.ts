import type { Keyv } from 'keyv';
import type { Ledger } from '../service/budget/ledger/ledger.ts';
import type { FlightLock } from '../service/deduplicate/flight-lock.ts';
import type { BoardRecords } from './board-records.ts';
import type { GuildSettingsStore } from './guild-settings.ts';
import type { Links } from './links.ts';
import type { Subscriptions } from './subscriptions.ts';
import type { UserData } from './user-data.ts';

/** Everything that outlives a restart, in one place: a SQLite file, or a Redis database that several processes use. */
export interface Stores {
  readonly namespace: Namespaces;
  readonly links: Links;
  readonly guildSettings: GuildSettingsStore;
  readonly subscriptions: Subscriptions;
  readonly userData: UserData;
  readonly boards: BoardRecords;
  readonly ledger: Ledger;
  /** Between processes; null where there is one only. */
  readonly lock: FlightLock | null;
  /**
   * Whether this process is the one to answer the interaction of that id, which Discord delivers to all processes. Null
   * where there is one only. Rejects when the store is away.
   */
  readonly claimInteraction: ((interactionId: string) => Promise<boolean>) | null;
  /** Null where copies are the business of whoever runs the server. */
  readonly copies: DailyCopy | null;
  close(): Promise<void>;
}

/**
 * Keys with JSON values and a time to live. A name is used once; beyond its limits those that were written longest ago
 * go. Failures are thrown, never reported as a miss.
 */
export type Namespaces = (name: string, limits: Limits) => Keyv;

export interface Limits {
  /** A tenth more may be there for a moment. */
  readonly maxRows: number;
  /** Of all values together, as UTF-8. A sixteenth more may be there for a moment. */
  readonly maxBytes: number;
}

/** A copy a day beside the file: `pitwall.2026-03-05.sqlite`. To go back to one, stop the bot and put it in the file's place. */
export interface DailyCopy {
  /** Makes today's (UTC) copy, unless it is there, and removes all but the newest seven. True: it was made now. */
  make(now: number): Promise<boolean>;
}
