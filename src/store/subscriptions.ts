import { z } from 'zod';

/** Somebody wants to be notified about a game server, once. */
export const Subscription = z.object({
  /** Whom to notify. */
  person: z.string(),
  /** The game server's name. */
  server: z.string(),
  /** Where they asked for it. */
  channel: z.string(),
  /** Null in a direct message. */
  guild: z.string().nullable(),
  /** Language of the message (BCP 47): there is no interaction to take it from when it is sent. */
  locale: z.string(),
  /** Unix milliseconds from which on nobody expects it any more. */
  expires: z.number(),
});
export type Subscription = z.output<typeof Subscription>;

/** One for each person and server. One that cannot be read is passed over; it expires like the others. */
export interface Subscriptions {
  /** Replaces the person's earlier one for that server. */
  add(subscription: Subscription): Promise<void>;
  /** Those that wait at `now`, oldest first; what has expired is deleted. */
  waiting(now: number): Promise<readonly Subscription[]>;
  of(person: string, now: number): Promise<readonly Subscription[]>;
  /** False: there was none. Whoever gets true is the one to notify the person. */
  remove(person: string, server: string): Promise<boolean>;
}
