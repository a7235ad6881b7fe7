/**
 * A question goes down through layers of one shape, and its answer comes back up. Each layer does one thing:
 *
 *     client ▸ cache ▸ deduplicate ▸ fair share ▸ budget ▸ transport
 *
 * - client: checks what is asked, makes the call, reads the answer as the endpoint's record
 * - cache: answers from what was fetched before, and falls back on it when nothing newer can be had in time
 * - deduplicate: one request for identical calls, in this process and across processes; people do not wait for pollers
 * - fair share: refuses whoever has used up their part of the key's budget
 * - budget: waits for a permit and a connection; retries once what failed in passing
 * - transport: one GET; whatever goes wrong becomes a ServiceError. The only layer that knows the key
 *
 * A cached answer costs nobody anything, and a shared request is charged to the one whose call is sent.
 */
import { type Fault, type RateReport, ServiceError } from '../errors.ts';
import type { Priority } from './endpoints.ts';

/** Whom a question is asked for, by their Discord ids: what fair shares go by. */
export interface Asker {
  readonly personId: string;
  /** Null in a direct message. */
  readonly guildId: string | null;
}

/** One question on its way down. */
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
  /**
   * Never changes under way. When a person joins a question that was issued as `background`, the deduplicate layer
   * makes the same call once more as `interactive`. The first of the two to be sent wins: see `onProgress`.
   */
  readonly priority: Priority;
  /** Absent where the bot asks for itself. */
  readonly asker?: Asker;
  /** Milliseconds during which an answer counts as fresh. */
  readonly ttl: number;
  /** Milliseconds: an answer older than this is asked for anew. At most `ttl`. */
  readonly maxAge: number;
  /**
   * What of a body that the service has sent is used; nothing else goes up, nor into a store. Throws a `bad-response`
   * where the body is no answer to this call, or where there is too much of it.
   */
  readonly usedPart: (body: unknown) => unknown;
  /**
   * Reads a body as this endpoint's answer and says since when it is true (null: since it arrived).
   * Throws a `bad-response`, so that a broken body is never kept as an answer.
   */
  readonly trueAt: (body: unknown) => number | null;
  /**
   * Aborted when nobody wants the answer of this call any more. The budget then drops it unless it is on its way: it
   * gives back the permit and rejects with a `no-turn` that was not sent. What is on its way is not aborted.
   */
  readonly signal?: AbortSignal;
  /**
   * Told by the budget: `sent` when the call has its permit and goes out, `waiting` when it failed in a way that may
   * pass and waits for a permit to be sent once more. With two calls for one cache key under way, the deduplicate
   * layer aborts the other's signal within `sent`, before it returns; then only one of them is ever sent.
   */
  readonly onProgress?: (progress: 'sent' | 'waiting') => void;
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

/** Whether a body that was kept, perhaps by another version, is an answer to the call. */
export function isReadable(call: Call, body: unknown): boolean {
  try {
    call.trueAt(body);
    return true;
  } catch (error) {
    if (error instanceof ServiceError) return false;
    throw error;
  }
}
