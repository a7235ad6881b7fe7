import type { Correction, Link } from './links.ts';
import type { Subscription } from './subscriptions.ts';

/** Everything in the store that is kept under a person's account. */
export interface Stored {
  readonly link: Link | null;
  readonly corrections: readonly Correction[];
  readonly subscriptions: readonly Subscription[];
  /** The live boards that this person made, which stay when the person is forgotten. */
  readonly boards: readonly { readonly guild: string; readonly channel: string; readonly since: number }[];
}

export interface UserData {
  stored(personId: string, now: number): Promise<Stored>;
  /**
   * When it resolves, no byte of the person's id is left in the store or in a copy of it, except in the files whose
   * names it resolves with: those could not be changed, and the log says why. Rejects where the store itself fails.
   */
  forget(personId: string): Promise<readonly string[]>;
}
