import { z } from 'zod';
import { Username } from '../service/models/identifiers.ts';

/** Links a Discord account to a driver. */
export const Link = z.object({
  /** As the data service spelled it at the time. */
  username: Username,
  /**
   * Since when the account has had this driver, without a break, in unix milliseconds. Links of older versions, too:
   * those got a new date whenever somebody linked the same driver again, so they may be older than they say.
   */
  since: z.number(),
  /** Declared by the person, unverified, or by an administrator. */
  by: z.enum(['self', 'administrator']),
});
export type Link = z.output<typeof Link>;

export interface LinkedDriver {
  readonly username: string;
  /** The person wants this driver in no list and no history. */
  readonly hidden: boolean;
}

/** A link corrected by an administrator. It counts in that guild only. */
export const Correction = z.object({
  guild: z.string(),
  /** Null: not linked in this guild. */
  username: Username.nullable(),
  /** Unix milliseconds. */
  since: z.number(),
});
export type Correction = z.output<typeof Correction>;

/**
 * One to one, also within each guild: an account has one driver, and a driver has one account. People declare their
 * own link. A guild's administrators are believed in that guild only: otherwise anyone could take a driver from its
 * owner everywhere by creating a guild. Usernames that differ only in case are one driver. Unreadable rows are
 * ignored: they can be made again.
 */
export interface Links {
  /** Without a guild: the person's own link. In a guild, a correction takes precedence. */
  of(personId: string, guildId?: string | null): Promise<Link | null>;
  /**
   * Sets the person's own link, replacing the earlier one; `since` stays if that was to the same driver. A driver that another account has linked itself stays
   * with that account. (Older versions stored administrators' links globally; those give way.) Rejects an invalid
   * link, such as a name that nobody could ask for.
   */
  set(personId: string, link: Link): Promise<'linked' | 'taken'>;
  /** Removes the person's own link. False: there was none. */
  remove(personId: string): Promise<boolean>;
  /** Stores a correction. Resolves with everyone whose driver in that guild changed. */
  correct(personId: string, correction: Correction): Promise<readonly string[]>;
  /**
   * Hides the driver of the person's own link, or shows it again. It lasts as long as the link, since only who may
   * have the link may undo it. False: there is no link.
   */
  hide(personId: string, hidden: boolean): Promise<boolean>;
  /** The drivers that people have linked themselves. */
  linked(): Promise<readonly LinkedDriver[]>;
  /** The person's corrections in all guilds. */
  corrections(personId: string): Promise<readonly Correction[]>;
}
