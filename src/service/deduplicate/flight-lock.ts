import type { ServiceError } from '../../base/errors.ts';
import type { Call, DatedBody } from '../call.ts';

/** One process's call; `id` is unique across processes. */
export interface Holder extends Pick<Call, 'cacheKey' | 'priority'> {
  readonly id: string;
}

/** A call's outcome, for waiting processes. */
export type Outcome =
  | { readonly answer: DatedBody }
  | { readonly failure: Pick<ServiceError, 'fault' | 'refusal' | 'retryAt'> };

export type Claim =
  | { readonly state: 'ours' }
  /** `holder`: the id of the current holder. */
  | { readonly state: 'theirs'; readonly holder: string }
  /** It was released a moment ago with this outcome. */
  | { readonly state: 'over'; readonly outcome: Outcome };

/**
 * Lets only one process make the request for a cache key. The lock expires, so that others can go on if its holder
 * dies. Every operation rejects when the store is unavailable.
 */
export interface FlightLock {
  /**
   * Takes the lock for `ms` if it is free, if a person wants it from a poller, or if it is already the holder's
   * own, whose priority is then updated. For a moment after a release, returns its outcome instead: an answer to
   * everyone, a failure to those who `waitedFor` that holder.
   */
  claim(holder: Holder, waitedFor: string | null, ms: number): Promise<Claim>;
  /** False: another process holds it now. */
  renew(holder: Holder, ms: number): Promise<boolean>;
  /** Releases it if still held. Null: no outcome to share. */
  release(holder: Holder, outcome: Outcome | null): Promise<void>;
}
