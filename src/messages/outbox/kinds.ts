/** The kinds of messages: how soon each has to arrive, and how often one place may get it. */
import { createHash } from 'node:crypto';
import { DAY, MINUTE } from '../../base/duration.ts';
import type { Recipient, Urgency } from './message.ts';

interface KindRules {
  readonly urgency: Urgency;
  /** First word of the place in the ledger, whose messages are limited together; the recipient's kind if left out. */
  readonly place?: string;
  /** How long after one message the place gets no other one about the same, in ms. */
  readonly cooldownMs: number;
  /** Messages to one place within any 24 hours; as many as there are keys if left out. */
  readonly maxADay: { readonly [Kind in Recipient['kind']]?: number };
  /** The same key may be sent again: only cooldown and number limit these. */
  readonly recurs?: true;
  /** Subject of all messages of the kind, and the first word of their keys: both are part of the store's format. */
  readonly subject?: string;
}

/** Each key is sent once, and nothing else limits these. */
const byKey = { cooldownMs: 0, maxADay: {} };
const alert = { urgency: 'alert', maxADay: { direct: 6, channel: 12 }, recurs: true } as const;
/** Limits of messages about convoys, which their makers can move again and again: one in half an hour about the same. */
const ofConvoys = { place: 'convoys-of', cooldownMs: 30 * MINUTE, maxADay: { direct: 10 } };

/** A person gets one of the subject a day: others cause these, as often as they like. */
const daily = (subject: string) =>
  ({ urgency: 'notice', place: 'notice', cooldownMs: DAY, maxADay: {}, subject }) as const;

/** Kinds that follow from what their owners store. The owner sends them again for as long as they matter. */
const repeatedKinds = {
  alert: { ...alert, cooldownMs: 40 * MINUTE },
  // Two processes may notice the same outage a minute apart.
  'outage-alert': { ...alert, cooldownMs: MINUTE },
  'slot-reminder': { ...byKey, urgency: 'reminder', place: 'reminder' },
  'convoy-reminder': { ...ofConvoys, urgency: 'reminder' },
  'convoy-ping': { ...byKey, urgency: 'reminder', place: 'convoy' },
  'community-post': { ...byKey, urgency: 'notice', place: 'recap' },
} as const satisfies Record<string, KindRules>;

/** Kinds that nothing else in the store stands for. The outbox keeps them for a day. */
const keptKinds = {
  'convoy-notice': { ...ofConvoys, urgency: 'notice' },
  'board-notice': { ...byKey, urgency: 'notice', place: 'notice' },
  'recap-notice': { ...byKey, urgency: 'notice', place: 'notice' },
  'alerts-notice': daily('alerts'),
  'correction-notice': daily('correction'),
  'proof-notice': daily('proof'),
  'roles-notice': daily('roles'),
  'welcome-notice': daily('welcome'),
  welcome: { ...byKey, urgency: 'notice', place: 'welcome' },
} as const satisfies Record<string, KindRules>;

export type RepeatedKind = keyof typeof repeatedKinds;
export type KeptKind = keyof typeof keptKinds;
export type Kind = RepeatedKind | KeptKind;

export const kinds: Readonly<Record<Kind, KindRules>> = { ...repeatedKinds, ...keptKinds };

/** `id`: of the recipient, or of the guild whose messages are limited together. The place of a notice names no account. */
export function placeOf(kind: Kind, id: string, recipient: Recipient['kind']): string {
  const { place = recipient } = kinds[kind];
  return `${place}:${place === 'notice' ? createHash('sha256').update(id).digest('hex') : id}`;
}

/** The places that name a person, each of direct messages to that person. */
export function personalPlaces(personId: string): readonly string[] {
  const named = ['alert', 'slot-reminder', 'convoy-reminder'] as const;
  return named.map((kind) => placeOf(kind, personId, 'direct'));
}

/** How often the place of such messages may hear of the same, and how often it gets a message at all. */
export function limitsOf(kind: Kind, recipient: Recipient['kind']) {
  const { cooldownMs, maxADay } = kinds[kind];
  return { cooldown: cooldownMs, most: maxADay[recipient] ?? null };
}
