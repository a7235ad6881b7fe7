/**
 * A call goes down through layers of one shape, and its answer comes back up. Each layer does one thing:
 *
 *     client ▸ cache ▸ fair share ▸ budget ▸ transport
 *
 * - client: validates the parameters, makes the call, reads the answer as the endpoint's record
 * - cache: answers from earlier fetches, and falls back on them when nothing newer arrives in time; makes one request
 *   for identical calls, in this process and across processes; people do not wait for pollers
 * - fair share: refuses anyone who has used up their part of the key's budget
 * - budget: waits for a permit and a connection; retries once after a failure that may pass
 * - transport: one GET; every failure becomes a ServiceError. The only layer that knows the key
 *
 * A cached answer is free, and a shared request is charged to the person whose call is sent.
 */
import { z } from 'zod';
import { type RateReport, ServiceError } from '../base/errors.ts';
import type { Priority } from './endpoints.ts';
import type { Stale } from './models/dated.ts';

/** The person and guild that a call is made for, by their Discord ids. Fair shares are counted by these. */
export interface Asker {
  readonly personId: string;
  /** Null in a direct message. */
  readonly guildId: string | null;
}

export interface Call {
  /** The endpoint's name. */
  readonly endpoint: string;
  /** Two calls with the same key are the same call. Contains names people typed, never the API key. */
  readonly cacheKey: string;
  /** Unencoded path segments below the service's address. */
  readonly path: readonly string[];
  /** Unencoded query, without the key. */
  readonly query: Readonly<Record<string, string>>;
  /** True if the call needs the API key and so spends its budget. */
  readonly keyed: boolean;
  /** True if the call asks by a name that the service may not know. Only then can it be `not-found`. */
  readonly asksByName: boolean;
  /**
   * Never changes. When a person joins a `background` call, the cache makes the same call again as
   * `interactive`, and the first of the two to be sent wins: see `onProgress`.
   */
  readonly priority: Priority;
  /** Absent for the bot's own calls. */
  readonly asker?: Asker;
  /** The maximum age of a cached answer, in ms. */
  readonly maxAge: number;
  /** Called with each new body before {@link Call.pickUsedPart}, which has the event loop to itself. */
  readonly prepare?: (body: unknown) => Promise<void>;
  /**
   * Returns the part of a body that is used; nothing else goes up or into a store. Throws a `bad-response` where the body
   * is no answer to this call or is too large.
   */
  readonly pickUsedPart: (body: unknown) => unknown;
  /**
   * Reads a body as this endpoint's answer and returns when it was true (null: on arrival). Throws a
   * `bad-response`, so that a broken body is never stored as an answer.
   */
  readonly trueAt: (body: unknown) => number | null;
  /** Called by the transport, once with each answer of the service: never with one from a cache or another process. */
  readonly onFetched?: (fetched: Fetched) => void;
  /**
   * Aborted when nobody wants this answer any more. The budget then drops the call unless it is already sent: it
   * returns the permit and rejects with an unsent `no-turn`. A sent request is not aborted.
   */
  readonly signal?: AbortSignal;
  /**
   * Called by the budget: `sent` when the call has its permit and goes out, `waiting` when it failed in a way that
   * may pass and waits for a permit to be retried. With two calls for one cache key under way, the cache
   * aborts the other's signal within `sent`, before it returns, so that only one of them is ever sent.
   */
  readonly onProgress?: (progress: 'sent' | 'waiting') => void;
}

/** The service's JSON, and when it was true, in unix milliseconds. */
export const DatedBody = z.object({ body: z.unknown(), asOf: z.number() });
export type DatedBody = Readonly<z.output<typeof DatedBody>>;

/** An answer on its way up: its body is known to be readable. */
export interface Fetched extends DatedBody {
  /** See {@link Answer.stale}; always null below the cache. */
  readonly stale: Stale | null;
  /** The service's rate-limit headers; null where there are none, and above the budget layer. */
  readonly rate: RateReport | null;
}

/** A layer takes the next one down. It rejects only with a ServiceError. */
export type Layer = (call: Call) => Promise<Fetched>;

/** A stored body, perhaps from another version, is an answer to the call. */
export function isReadable(call: Call, body: unknown): boolean {
  try {
    call.trueAt(body);
    return true;
  } catch (error) {
    if (error instanceof ServiceError) return false;
    throw error;
  }
}
