import type { Fault } from '../../errors.ts';
import type { Call } from '../call.ts';

/** One process's call, told apart from every other call in any process. */
export interface Holder extends Pick<Call, 'cacheKey' | 'priority'> {
  readonly id: string;
}

/** What a call came to, for those who wait in other processes. */
export type Outcome =
  | { readonly answer: { readonly body: unknown; readonly asOf: number } }
  | { readonly failure: { readonly fault: Fault; readonly retryAt: number | null } };

/** What came of an attempt to take the lock. */
export type Claim =
  | { readonly state: 'ours' }
  /** `holder`: the id of the one who holds it. */
  | { readonly state: 'theirs'; readonly holder: string }
  /** It was given back a moment ago, with this. */
  | { readonly state: 'over'; readonly outcome: Outcome };

/**
 * Sees to it that of all processes one makes the request for a cache key. A lock ends by itself, so that others ask
 * where its holder has died. Every operation rejects when the store is away.
 */
export interface FlightLock {
  /**
   * Takes the lock for so many milliseconds if it is free or the holder's own, whose priority it then has, or if a
   * person wants it from a poller. Tells for a moment what the last holder learned: an answer to everybody, a failure to those who `waitedFor` that holder.
   */
  claim(holder: Holder, waitedFor: string | null, ms: number): Promise<Claim>;
  /** False: it is another's now. */
  renew(holder: Holder, ms: number): Promise<boolean>;
  /** Gives it back if it is still held. Null: there is nothing to tell. */
  release(holder: Holder, outcome: Outcome | null): Promise<void>;
}
