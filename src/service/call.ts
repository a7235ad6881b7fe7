import type { Fault, RateReport } from '../errors.ts';
import type { Priority } from './endpoints.ts';

/** Who a question is asked for, as chat knows them: what fair shares go by. */
export interface Asker {
  readonly personId: string;
  /** Null in a direct message. */
  readonly guildId: string | null;
}

/** One question on its way down through the layers: client ▸ cache ▸ budget ▸ transport. */
export interface Call {
  /** Name of the endpoint row. */
  readonly endpoint: string;
  /** What makes two calls the same question. Holds names people typed, never the key. */
  readonly cacheKey: string;
  /** Unencoded path segments below the service's address. */
  readonly path: readonly string[];
  /** Unencoded query, without the key. */
  readonly query: Readonly<Record<string, string>>;
  /** Whether it needs the key and so spends its budget. */
  readonly keyed: boolean;
  /** Whether it asks for somebody or something by a name that the service may not know. Only then can it be `not-found`. */
  readonly named: boolean;
  readonly priority: Priority;
  /** Absent where the bot asks for itself. */
  readonly asker?: Asker;
  /** Milliseconds during which an answer counts as fresh. */
  readonly ttl: number;
  /** Milliseconds: an answer older than this is asked for anew. At most `ttl`. */
  readonly maxAge: number;
  /**
   * Reads a body as this endpoint's answer and says since when it is true (null: since it arrived).
   * Throws a `bad-response`, so that a broken body is never kept as an answer.
   */
  readonly trueAt: (body: unknown) => number | null;
  /**
   * Set by the deduplicate layer. Aborted when nobody wants the answer any more, or when the other call for the same
   * answer has its permit: the budget then drops the call, and a permit that it has and has not used comes back.
   * A call that is on the network goes on.
   */
  readonly signal?: AbortSignal;
  /**
   * Set by the deduplicate layer. The budget calls it, without waiting for anything, when the call has a permit and is
   * about to be sent: of two calls for one answer (see `isHurried`) the first to get there wins, and this aborts the
   * signal of the other.
   */
  readonly onPermit?: () => void;
  /**
   * Set by the deduplicate layer. Whether a person waits for the answer by now, although this call may be the
   * background's: what has to be sent once more then waits in the people's queue.
   */
  readonly isHurried?: () => boolean;
}

/** An answer on its way up: JSON as the service sent it, known to be readable. */
export interface Fetched {
  readonly body: unknown;
  /** Unix milliseconds at which it was true. */
  readonly asOf: number;
  /** See {@link Answer.stale}; always null below the cache. */
  readonly stale: Fault | 'slow' | 'share' | null;
  /** What the service says of the key's budget; null where it says nothing, and above the budget. */
  readonly rate: RateReport | null;
}

/** The one shape of a layer. Each takes the next one down and rejects with a ServiceError and nothing else. */
export type Layer = (call: Call) => Promise<Fetched>;
