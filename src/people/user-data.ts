import type { Watch, Watches } from '../alerts/watches.ts';
import type { Subscription, Subscriptions } from '../store/subscriptions.ts';
import type { Correction, Link, Links } from './links.ts';
import type { TimeZones } from './time-zones.ts';

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

/** What the stores of a person's decisions hold; their boards are kept apart. */
export async function storedDecisions(
  personId: string,
  now: number,
  stores: {
    readonly links: Pick<Links, 'of' | 'corrections'>;
    readonly subscriptions: Pick<Subscriptions, 'of'>;
    readonly watches: Pick<Watches, 'of' | 'forbiddenBy'>;
    readonly timeZones: Pick<TimeZones, 'of'>;
  },
): Promise<Omit<Stored, 'boards'>> {
  const { links, subscriptions, watches, timeZones } = stores;
  return {
    link: await links.of(personId),
    corrections: await links.corrections(personId),
    subscriptions: await subscriptions.of(personId, now),
    watches: await watches.of(personId),
    unwatched: await watches.forbiddenBy(personId),
    timeZone: await timeZones.of(personId),
  };
}
