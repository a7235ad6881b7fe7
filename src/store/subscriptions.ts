import { z } from 'zod';

/** A one-time notification about a game server. */
export const Subscription = z.object({
  person: z.string(),
  /** The game server's name. */
  server: z.string(),
  /** Where they asked for it. */
  channel: z.string(),
  /** Null in a direct message. */
  guild: z.string().nullable(),
  /** Language of the message (BCP 47): no interaction provides it when the message is sent. */
  locale: z.string(),
  /** Expiry in unix milliseconds. */
  expires: z.number(),
});
export type Subscription = z.output<typeof Subscription>;

/** One per person and server. Unreadable ones are skipped; they expire like the others. */
export interface Subscriptions {
  /** Replaces the person's earlier one for that server. */
  add(subscription: Subscription): Promise<void>;
  /** Those active at `now`, oldest first; expired ones are deleted. */
  waiting(now: number): Promise<readonly Subscription[]>;
  of(person: string, now: number): Promise<readonly Subscription[]>;
  /** False: there was none. The caller that gets true notifies the person. */
  remove(person: string, server: string): Promise<boolean>;
}
