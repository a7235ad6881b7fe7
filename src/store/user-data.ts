import type { Correction, Link } from './links.ts';
import type { Subscription } from './subscriptions.ts';
import type { Watch } from './watches.ts';

/** Everything stored under a person's account. */
export interface Stored {
  readonly link: Link | null;
  readonly corrections: readonly Correction[];
  readonly subscriptions: readonly Subscription[];
  /** Those in channels stay when the person's data is deleted, without a maker. */
  readonly watches: readonly Watch[];
  /** The driver that the person has forbidden to watch; null for none. */
  readonly unwatched: string | null;
  /** As chosen by the person; null for none. */
  readonly timeZone: string | null;
  /** Live boards made by the person; they stay when the person's data is deleted. */
  readonly boards: readonly { readonly guild: string; readonly channel: string; readonly since: number }[];
}

export interface UserData {
  stored(personId: string, now: number): Promise<Stored>;
  /**
   * When it resolves, no byte of the person's id is left in the store or its copies, except in the files it
   * resolves with: those could not be changed, and the log says why. Rejects where the store itself fails.
   */
  forget(personId: string): Promise<readonly string[]>;
}
