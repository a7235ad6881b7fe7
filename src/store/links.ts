import { z } from 'zod';
import { Username } from '../service/models/identifiers.ts';

/** Which driver a Discord account is. */
export const Link = z.object({
  /** As the data service spelled it when the link was made. */
  username: Username,
  /** Unix milliseconds. */
  since: z.number(),
  /** On whose word: the person's own, which nobody checked, or an administrator's. */
  by: z.enum(['self', 'administrator']),
});
export type Link = z.output<typeof Link>;

/** What an administrator has said of a member. It counts in that guild alone. */
export const Correction = z.object({
  guild: z.string(),
  /** Null: this member has no driver here. */
  username: Username.nullable(),
  /** Unix milliseconds. */
  since: z.number(),
});
export type Correction = z.output<typeof Correction>;

/**
 * One to one: an account has one driver, and a driver has one account; in each guild, too. Everyone speaks for
 * themselves. Whoever manages a guild is believed there and nowhere else: else anybody could take a driver from its
 * owner everywhere, with a guild made for the purpose. Two usernames that differ in case only are one driver. What cannot
 * be read counts as nothing: it can be made again.
 */
export interface Links {
  /** Without a guild: by the person's own word. In a guild, what was said of the person there goes before it. */
  of(personId: string, guildId?: string | null): Promise<Link | null>;
  /**
   * On the person's own word; replaces their own link. A driver that another account claims itself stays with that one.
   * (Older versions stored what administrators said as if it counted everywhere: that gives way.)
   * Rejects what is no link, such as a name that nobody could ask for.
   */
  set(personId: string, link: Link): Promise<'linked' | 'taken'>;
  /** Takes back the person's own word. False: there was none. */
  remove(personId: string): Promise<boolean>;
  /** An administrator's word. Answers with all whose driver in that guild is another one now, or none. */
  correct(personId: string, correction: Correction): Promise<readonly string[]>;
  /** What was said of the person, guild by guild. */
  corrections(personId: string): Promise<readonly Correction[]>;
}
