/** What people want to be alerted to, and which alerts have been sent. */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { DAY } from '../base/duration.ts';
import { Username, Vin } from '../service/models/identifiers.ts';

/** The duties that can be watched. */
const duties = ['police', 'medic', 'tow', 'chase'] as const;

/** Watches that one person may have, and one channel. */
export const MOST_PER_PLACE = 20;
/** Watches in all. Each takes less than a kilobyte, and what is remembered of it at most eight. */
export const MOST_WATCHES = 10_000;

/** Longest name of a server; those of the overview have fewer than ten characters. */
const ServerName = z.string().min(1).max(32);
const Amount = z.int().min(0);

/** What has to become true. */
export const Condition = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('driver'), player: Username }),
  /** At least so many free slots, or at least so many drivers; one of the two is not null. */
  z.object({
    kind: z.literal('server'),
    server: ServerName,
    free: Amount.nullable(),
    drivers: Amount.nullable(),
  }),
  /** At least so many on all servers together; 0: nobody. */
  z.object({ kind: z.literal('duty'), duty: z.enum(duties), atLeast: Amount }),
  /** On sale; with `below`, for less than that. */
  z.object({ kind: z.literal('car'), vin: Vin, below: Amount.nullable() }),
  /** A car in worse condition than `below` percent, or a licence about to expire. */
  z.object({ kind: z.literal('mine'), player: Username, below: Amount }),
  /** A week is over. */
  z.object({ kind: z.literal('digest') }),
]);
export type Condition = z.output<typeof Condition>;

/** Where its alerts go. */
export const Place = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('direct') }),
  z.object({
    kind: z.literal('channel'),
    guild: z.string(),
    channel: z.string(),
    /** The role to ping; null for none. */
    role: z.string().nullable(),
  }),
]);
export type Place = z.output<typeof Place>;

/** Why alerts can no longer be delivered: closed direct messages, no such channel, or no right to write there. */
export const pauses = ['closed', 'gone', 'rights'] as const;
export type PauseReason = (typeof pauses)[number];

export const Watch = z.object({
  /** Six letters or digits. It stands in the buttons below the alerts. */
  id: z.string().regex(/^[a-z0-9]{6}$/),
  /** Who made it; empty if they have had their data deleted, which leaves the watches of channels. */
  person: z.string(),
  place: Place,
  condition: Condition,
  /** Language of the alerts (BCP 47): no interaction provides it when they are sent. */
  locale: z.string().max(35),
  /** IANA time zone, for the quiet hours. */
  zone: z.string().max(64),
  /** Whether it may alert in the quiet hours, too. */
  atNight: z.boolean(),
  /** Unix milliseconds. */
  since: z.number(),
  /** Silent until then (unix milliseconds). */
  snoozedUntil: z.number().nullable(),
  paused: z.object({ why: z.enum(pauses), since: z.number() }).nullable(),
});
export type Watch = z.output<typeof Watch>;

export function newWatchId(): string {
  return Array.from(randomBytes(6), (byte) => (byte % 36).toString(36)).join('');
}

/** Identifies a place: the alerts of one place share its daily limit and one message. */
export function placeKey({ person, place }: Pick<Watch, 'person' | 'place'>): string {
  return place.kind === 'direct' ? `direct:${person}` : `channel:${place.channel}`;
}

/** Rejects where the store fails; writes are atomic. Unreadable watches are left out. */
export interface Watches {
  /** A number that differs once a watch or a wish of {@link forbid} has changed. */
  version(): Promise<number>;
  /** Oldest first. */
  all(): Promise<readonly Watch[]>;
  /** Those that one person has made, in whatever place, or that alert in one guild; oldest first. */
  of(person: string): Promise<readonly Watch[]>;
  in(guild: string): Promise<readonly Watch[]>;
  /**
   * `state`: as in {@link Watches.states}. `too-many`: the place has its {@link MOST_PER_PLACE}; `full`: there are
   * {@link MOST_WATCHES}.
   */
  add(watch: Watch, state?: string): Promise<'added' | 'too-many' | 'full'>;
  /** Applies a change to the watch as it is now. False: it is gone. `change` may be called again. */
  update(id: string, change: (watch: Watch) => Watch): Promise<boolean>;
  /** With what was remembered of it. False: there was none. */
  remove(id: string): Promise<boolean>;
  /** What the rules remember, by the watch's id, as JSON. Only of watches that exist. */
  states(): Promise<ReadonlyMap<string, string>>;
  saveStates(states: ReadonlyMap<string, string>): Promise<void>;
  /** Leaves a notice for a person: why their alerts have been paused. The latest one counts. */
  leavePauseNotice(person: string, why: PauseReason): Promise<void>;
  /** Takes the notice; null for none. Of several processes that ask at once, one gets it. */
  takePauseNotice(person: string): Promise<PauseReason | null>;
  /** The person does not want that driver, their own, to be watched; null: they do not mind. */
  forbid(person: string, player: string | null): Promise<void>;
  /** The driver that a person has forbidden to watch; null for none. */
  forbiddenBy(person: string): Promise<string | null>;
  /** All drivers who must not be watched, in the spelling of `sameSpelling`. */
  forbidden(): Promise<ReadonlySet<string>>;
}

/** An alert, or another message that must be sent at most once. */
export interface Delivery {
  readonly key: string;
  /** See {@link placeKey}. */
  readonly place: string;
  /** The ids of the watches that it is about. */
  readonly watches: readonly string[];
  /** Unix milliseconds. */
  readonly at: number;
}

export interface Claim extends Delivery {
  /** How long after one alert the same watch stays silent, in ms. */
  readonly cooldown: number;
  /** Deliveries to this place within any 24 hours; null: as many as there are keys. */
  readonly most: number | null;
}

/**
 * Deliveries are written before they are sent and settled after. One that a killed process left unsettled may have
 * been sent, and is never sent again: every message is sent at most once.
 */
export interface Deliveries {
  /**
   * Enters a delivery and resolves with those of its watches that may be spoken of: none if its key has been taken,
   * or the place has had its messages. Of several processes that claim the same at once, one gets it.
   */
  claim(claim: Claim): Promise<readonly string[]>;
  /** It was sent, or certainly not. */
  settle(place: string, key: string): Promise<void>;
  /** Those to the place since then (unix milliseconds), oldest first, whether settled or not. */
  since(place: string, since: number): Promise<readonly Delivery[]>;
  /** Settles those that were claimed before then and nobody has settled; resolves with them. */
  giveUp(before: number): Promise<readonly Delivery[]>;
}

/**
 * The watches of a claim that may be spoken of, after what was sent to the place within 24 hours. A time in the future,
 * as after a clock was set back, counts as long as it is that near: it must not silence anything for as far as the clock
 * was ahead.
 */
export function mayClaim(
  { watches, at, cooldown, most }: Omit<Claim, 'key' | 'place'>,
  earlier: readonly Pick<Delivery, 'watches' | 'at'>[],
): readonly string[] {
  if (most !== null && earlier.filter((one) => Math.abs(at - one.at) < DAY).length >= most) return [];
  const spoke = new Set(
    earlier.filter((one) => Math.abs(at - one.at) < cooldown).flatMap((one) => one.watches),
  );
  return watches.filter((id) => !spoke.has(id));
}

/** How long deliveries are kept, in ms: a week and a day, so that a weekly message knows the one before. */
export const KEPT_DELIVERIES = 8 * DAY;
