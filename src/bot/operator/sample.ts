import type { BoardStatus } from '../../cards/board/board.ts';
import type { Connection } from '../../discord/connection.ts';
import type { RequestResult } from '../../discord/rest/request-count.ts';
import type { World } from '../../messages/boards/world.ts';
import type { SendOutcome } from '../../messages/outbox/message.ts';
import type { BudgetSnapshot } from '../../service/budget/budget-snapshot.ts';
import type { CallStatistics } from '../../service/call-statistics.ts';
import type { StoreHealth } from '../watch-store.ts';

/** The state of the bot's parts at one moment; counts are since the start. */
export interface Sample {
  /** Unix milliseconds. */
  readonly now: number;
  readonly gateway: ReturnType<Connection['gatewayState']> & {
    /** Shards that this process works on. */
    readonly ownShards: number;
    /** In ms; null until it is measured. */
    readonly latency: number | null;
    /** How far this machine's clock is ahead of Discord's, in ms; null while it is not known. */
    readonly clockSkew: number | null;
  };
  readonly calls: {
    readonly counts: ReturnType<CallStatistics['counts']>;
    readonly cache: Omit<ReturnType<CallStatistics['cache']>, 'kept'>;
  };
  /** Null while the store does not answer. */
  readonly budget: BudgetSnapshot | null;
  readonly store: StoreHealth;
  /** Age of the newest daily copy in ms, by its day; infinite without one, null where the database's operator makes copies. */
  readonly copyAge: number | null;
  /** Attempts to send a message that nobody asks for. */
  readonly messages: ReadonlyMap<SendOutcome, number>;
  /** Requests to Discord, except for answers to interactions. */
  readonly requests: ReadonlyMap<RequestResult, number>;
  readonly boards: {
    readonly statuses: readonly Pick<BoardStatus, 'mode' | 'paused' | 'checked'>[];
    readonly writes: World['writes'];
  };
  /** Milliseconds since a poll of the data service last ended, with or without an answer. */
  readonly sincePolled: number;
  /** The overview of the servers: it is polled all the time, and it needs the key. */
  readonly overview: {
    /** When the newest answer was true, in unix milliseconds; null where there is none. */
    readonly asOf: number | null;
    readonly isFresh: boolean;
    readonly fault: string | null;
  };
}
