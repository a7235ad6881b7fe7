/** Sends alerts, in one message a place, and reminders: each at most once. */
import { createHash, randomUUID } from 'node:crypto';
import { DAY, MINUTE } from '../base/duration.ts';
import { serverName } from '../cards/servers/server-lines.ts';
import { alertMessage } from '../cards/watch/alert-text.ts';
import type { Translator } from '../i18n/translator.ts';
import type { Access } from '../service/models/board.ts';
import { type PauseReason, placeKey, type Watch } from '../service/models/watch.ts';
import { admit, claimOf, limitsOf } from './admit.ts';
import type { Deliveries, DeliveryClaim } from './deliveries.ts';
import type { PendingAlert } from './memory.ts';
import type { createPauseNotices } from './pause-notices.ts';
import { readingOf } from './readings.ts';
import type { Snapshot } from './snapshot.ts';
import type { Watches } from './watches.ts';

export interface OutgoingAlert extends ReturnType<typeof alertMessage> {
  readonly to:
    | { readonly kind: 'direct'; readonly personId: string }
    | { readonly kind: 'channel'; readonly channelId: string };
  /** The only roles that it may ping. */
  readonly roles: readonly string[];
  /** Discord merges two messages with the same nonce sent shortly after each other. */
  readonly nonce: string;
}

/** `lost`: it may have arrived, or Discord cannot take it. */
type SendVerdict = 'sent' | 'lost' | PauseReason;

export interface DeliverParts {
  readonly watches: Watches;
  readonly deliveries: Deliveries;
  readonly pauseNotices: ReturnType<typeof createPauseNotices>;
  /** The bot's rights in a channel, as far as the gateway has reported. */
  readonly access: (guildId: string, channelId: string) => Access;
  /** Never rejects. */
  readonly send: (message: OutgoingAlert) => Promise<SendVerdict>;
  readonly translatorOf: (watch: Watch) => Promise<Translator>;
  /** Tells the maker of a paused watch by a direct message. False: another way is needed. */
  readonly tell: (watch: Watch, why: PauseReason) => Promise<boolean>;
  readonly now: () => number;
}

/** The rights that an alert in a channel needs. */
const NEEDED = ['ViewChannel', 'SendMessages', 'TimedOut'] as const;

/** The refusal to expect there, as far as the gateway has reported; null: none. */
export function refusedIn(place: Watch['place'], access: DeliverParts['access']) {
  if (place.kind === 'direct') return null;
  const has = access(place.guild, place.channel);
  if (has.kind === 'open') return null;
  if (has.kind !== 'missing') return { kind: has.kind } as const;
  const rights = NEEDED.filter((right) => has.rights.includes(right));
  return rights.length === 0 ? null : ({ kind: 'missing', rights } as const);
}

/** `waiting` are of one place, and either all of outages or none. */
export async function deliver(
  waiting: readonly PendingAlert[],
  parts: DeliverParts & {
    /**
     * Remembers that these are said: a killed process must not say them again. Before they are claimed, since a claim
     * that a failing store does not take back keeps them from being said.
     */
    readonly saying: (said: readonly PendingAlert[]) => Promise<void>;
    /** It was not said, or another process says it. */
    readonly unsaid: (waiting: PendingAlert) => void;
  },
): Promise<void> {
  const { deliveries, now } = parts;
  const [first] = waiting;
  if (first === undefined) return;
  const place = placeKey(first.watch);
  const at = now();
  const { elsewhere, admitted } = admit(waiting, await deliveries.since(place, at - DAY), at);
  if (elsewhere.length > 0) await parts.saying(elsewhere);
  const [leader] = admitted;
  if (leader === undefined) return;
  const t = await parts.translatorOf(leader.watch);
  const key = randomUUID();
  const claim = { key, place, watches: admitted.map(claimOf), at, ...limitsOf(leader.watch) };
  let said: readonly PendingAlert[] = [];
  try {
    await parts.saying(admitted);
    await sendTo(leader.watch, claim, parts, async (may) => {
      const allowed = admitted.filter((one) => may.includes(claimOf(one)));
      const sent = await parts.send(composed(leader.watch, allowed, key, t));
      if (sent !== 'rights') said = allowed;
      return sent;
    });
  } finally {
    for (const one of admitted) if (!said.includes(one)) parts.unsaid(one);
  }
}

/** Where Discord refuses the message, the alerts of that watch's place are paused. */
export async function sendTo(
  watch: Watch,
  claim: DeliveryClaim,
  parts: DeliverParts,
  send: (may: readonly string[]) => Promise<SendVerdict>,
): Promise<void> {
  const place = placeKey(watch);
  // Nothing is said, so that what lasts is said later.
  if (refusedIn(watch.place, parts.access)?.kind === 'missing') return pausePlace(place, 'rights', parts);
  const sent = await sendOnce(claim, parts, send, 'rights');
  if (sent !== null && sent !== 'sent' && sent !== 'lost') await pausePlace(place, sent, parts);
}

/** Null: another process has claimed it, or the place has had its messages. `unsent`: it may be claimed again after that. */
export async function sendOnce(
  claim: DeliveryClaim,
  { deliveries }: Pick<DeliverParts, 'deliveries'>,
  send: (may: readonly string[]) => Promise<SendVerdict>,
  unsent: SendVerdict,
): Promise<SendVerdict | null> {
  const { place, key } = claim;
  const may = await deliveries.claim(claim);
  if (may.length === 0) return null;
  const sent = await send(may);
  await (sent === unsent ? deliveries.withdraw(place, key) : deliveries.settle(place, key));
  return sent;
}

function composed(
  { person: personId, place }: Watch,
  said: readonly PendingAlert[],
  key: string,
  t: Translator,
): OutgoingAlert {
  const roles = said.flatMap(({ watch }) =>
    watch.place.kind === 'channel' && watch.place.role !== null ? [watch.place.role] : [],
  );
  const alert = {
    watches: said.map(({ watch }) => watch.id),
    lines: said.flatMap(({ due }) => due),
    roles: [...new Set(roles)],
  };
  return {
    ...alertMessage(alert, t),
    to:
      place.kind === 'direct' ? { kind: 'direct', personId } : { kind: 'channel', channelId: place.channel },
    roles: alert.roles,
    nonce: nonceOf(key),
  };
}

/** The same for the same delivery. */
export function nonceOf(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, NONCE);
}

/** When Discord may take a reminder that it did not take, in ms. It knows a second message soon after the first by its nonce. */
const RETRY_AFTER = MINUTE;

const nothingElse = { namesDrivers: null, car: null, profile: null, outages: new Map() } as const;

/** Reminders do not count among the alerts that a person gets in a day. */
export function reminderPlace(personId: string): string {
  return `reminder:${personId}`;
}

/** Nor do messages about convoys. */
export function convoyPlace(personId: string): string {
  return `convoys-of:${personId}`;
}

/**
 * A reminder is one direct message, at any hour, as soon as a single reading says that its condition is met; where the
 * person's direct messages are closed, it stands in the channel, without a ping. One that is over is removed.
 */
export async function remind(watch: Watch, snapshot: Snapshot, parts: DeliverParts): Promise<void> {
  const { watches, now } = parts;
  const { id, person, once, condition, snoozedUntil } = watch;
  if (once === null || (snoozedUntil !== null && now() < snoozedUntil)) return;
  if (now() >= once.until) {
    await watches.remove(watch);
    return;
  }
  const free = readingOf(condition, { snapshot, ...nothingElse, now: now() })?.news.get('free');
  if (free?.kind !== 'free') return;
  const place = reminderPlace(person);
  const claim = { key: id, place, watches: [id], at: now(), cooldown: 0, most: null };
  const send = async (): Promise<SendVerdict> => {
    const t = await parts.translatorOf(watch);
    const content = t('slots.nowFree', { server: serverName(free.server, t), count: free.count });
    const message = { components: [], roles: [], nonce: nonceOf(`reminder ${id}`) };
    const direct = await parts.send({ ...message, content, to: { kind: 'direct', personId: person } });
    const to = { kind: 'channel', channelId: once.channel } as const;
    const sent =
      direct === 'closed' ? await parts.send({ ...message, content: `<@${person}> ${content}`, to }) : direct;
    if (sent === 'lost')
      await watches.update(watch, (same) => ({ ...same, snoozedUntil: now() + RETRY_AFTER }));
    else await watches.remove(watch);
    return sent;
  };
  await sendOnce(claim, parts, send, 'lost');
}

/**
 * Pauses the watches of a place that are not paused yet, and tells the people who made those: at their next command where
 * nothing else reaches them.
 */
export async function pausePlace(
  place: string,
  why: PauseReason,
  { watches, pauseNotices, tell, now }: Pick<DeliverParts, 'watches' | 'pauseNotices' | 'tell' | 'now'>,
): Promise<void> {
  const there = (await watches.all()).filter(
    (watch) => placeKey(watch) === place && watch.once === null && watch.paused === null,
  );
  for (const one of there)
    await watches.update(one, (watch) => ({ ...watch, paused: { why, since: now() } }));
  for (const [person, [watch]] of Map.groupBy(there, (one) => one.person)) {
    if (person === '' || watch === undefined) continue;
    const isTold = why !== 'closed' && (await tell(watch, why));
    if (!isTold) await pauseNotices.leave(person, why);
  }
}

/** Characters that Discord takes for a nonce. */
const NONCE = 25;
