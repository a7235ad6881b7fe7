import type { Correction, Link } from './links.ts';
import type { Subscription } from './subscriptions.ts';

/** Everything stored under a person's account. */
export interface Stored {
  readonly link: Link | null;
  readonly corrections: readonly Correction[];
  readonly subscriptions: readonly Subscription[];
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
