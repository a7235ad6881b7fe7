import { z } from 'zod';
import { Username } from '../service/models/identifiers.ts';

/** Which driver a Discord account says it is. */
export const Link = z.object({
  /** As the data service spelled it when the link was made. */
  username: Username,
  /** Unix milliseconds. */
  since: z.number(),
  /** On whose word: the person's own, which nobody checked, or an administrator's. */
  by: z.enum(['self', 'administrator']),
});
export type Link = z.output<typeof Link>;

/**
 * One to one: an account has one driver, and a driver has one account. Two usernames that differ in case only are one
 * driver. A link that cannot be read counts as none: its person can make it again.
 */
export interface Links {
  of(personId: string): Promise<Link | null>;
  /**
   * Replaces the person's own link. On the person's own word a driver that another account has stays with that one.
   * Rejects with a ZodError what is no link, such as a name that could not be asked for ever after.
   */
  set(personId: string, link: Link): Promise<'linked' | 'taken'>;
  /** False: there was none. */
  remove(personId: string): Promise<boolean>;
}
