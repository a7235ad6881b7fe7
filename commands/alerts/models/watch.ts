/** Alerts that people have set. */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { TimeZone } from '../../../src/base/zone.ts';
import { placeOf } from '../../../src/messages/outbox/kinds.ts';
import type { LastingRefusal } from '../../../src/messages/outbox/message.ts';
import { Username, Vin } from '../../../src/service/models/identifiers.ts';

/** The duties that can be watched. */
const Duty = z.enum(['police', 'medic', 'tow', 'chase']);
export type Duty = z.output<typeof Duty>;

/** Longest name of a server; those of the overview have fewer than ten characters. */
const ServerName = z.string().min(1).max(32);
const Amount = z.int().min(0);

/** Condition that triggers the alert. */
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
  z.object({ kind: z.literal('duty'), duty: Duty, atLeast: Amount }),
  /** On sale; with `below`, for less than that. */
  z.object({ kind: z.literal('car'), vin: Vin, below: Amount.nullable() }),
  /** A car in worse condition than `below` percent, or a licence about to expire. */
  z.object({ kind: z.literal('mine'), player: Username, below: Amount }),
  /** A server is down for so many minutes, or back after it; null: the data service. */
  z.object({
    kind: z.literal('outage'),
    server: ServerName.nullable(),
    goes: z.enum(['down', 'back', 'both']),
    after: z.int().min(2).max(60),
  }),
]);
export type Condition = z.output<typeof Condition>;

/** Destination of the alerts. */
const Place = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('direct') }),
  z.object({
    kind: z.literal('channel'),
    guild: z.string(),
    channel: z.string(),
    /** The role to ping; null for none. */
    role: z.string().nullable(),
  }),
]);

/** Reasons why alerts can no longer be delivered: closed direct messages, no such channel, or no right to write there. */
const pauses = ['closed', 'gone', 'rights'] as const satisfies readonly LastingRefusal[];
export type PauseReason = (typeof pauses)[number];

/** Troubles that the maker of an alert is told of; `refused`: Discord does not take its text. */
export const watchTroubles = [...pauses, 'refused'] as const;
export type WatchTrouble = (typeof watchTroubles)[number];

export const Watch = z.object({
  /** Six letters or digits. It stands in the buttons below the alerts. */
  id: z.string().regex(/^[a-z0-9]{6}$/),
  /** The account that set it; empty after its data was deleted, which leaves the watches of channels. */
  person: z.string(),
  place: Place,
  condition: Condition,
  /** Language of the alerts (BCP 47): no interaction provides it when they are sent. */
  locale: z.string().max(35),
  /**
   * IANA time zone for the quiet hours of a place that has none of its own now; null: none was known. Version 2.0.0 stored UTC
   * then.
   */
  zone: TimeZone.nullable().transform((zone) => (zone === 'UTC' ? null : zone)),
  /** Alerts in the quiet hours, too. */
  atNight: z.boolean(),
  /** Unix milliseconds. */
  since: z.number(),
  /** Silent until then (unix milliseconds). */
  snoozedUntil: z.number().nullable(),
  paused: z.object({ why: z.enum(pauses), since: z.number() }).nullable(),
  /** A reminder, which ends with its first message or at that time (unix milliseconds). Null: an alert, which stays. */
  once: z
    .object({
      until: z.number(),
      /** Channel of the request: the bot mentions the person there if their direct messages are closed. */
      channel: z.string(),
    })
    .nullable(),
});
export type Watch = z.output<typeof Watch>;

export function newWatchId(): string {
  return Array.from(randomBytes(6), (byte) => (byte % 36).toString(36)).join('');
}

/** Identifies a place: the alerts of one place share its daily limit and one message. */
export function placeKey({ person, place }: Pick<Watch, 'person' | 'place'>): string {
  return placeOf('alert', place.kind === 'direct' ? person : place.channel, place.kind);
}
