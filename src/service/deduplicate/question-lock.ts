import type { Fault } from '../../errors.ts';
import type { Priority } from '../endpoints.ts';

/** Who asks, told apart from every other asking in any process. */
export interface Asking {
  readonly cacheKey: string;
  readonly id: string;
  readonly priority: Priority;
}

/** What came of an attempt to be the only one who asks. */
export type Claim =
  | { readonly state: 'ours' }
  /** `holder`: the id of whoever asks. */
  | { readonly state: 'theirs'; readonly holder: string }
  /** The one that was waited for got no answer. */
  | { readonly state: 'failed'; readonly fault: Fault; readonly retryAt: number | null };

/**
 * Sees to it that of all processes one asks a question. A lock ends by itself, so that others ask where its holder has
 * died. Every operation rejects when the store is away.
 */
export interface QuestionLock {
  /**
   * Takes the lock for so many milliseconds if it is free, or if a person wants it from a poller. `waitedFor`: the
   * holder whose failure concerns this asking, too.
   */
  claim(asking: Asking, waitedFor: string | null, ms: number): Promise<Claim>;
  /** False: it is another's now. */
  renew(asking: Asking, ms: number): Promise<boolean>;
  /** Gives it back if it is still held, and tells those who wait of a failure. */
  release(
    asking: Asking,
    failure: { readonly fault: Fault; readonly retryAt: number | null } | null,
  ): Promise<void>;
}
