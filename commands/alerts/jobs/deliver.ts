/** Sends alerts, in one message a place, and reminders: each at most once. */
import { DAY } from '../../../src/base/duration.ts';
import type { Access } from '../../../src/cards/board/board.ts';
import { serverName } from '../../../src/cards/servers/server-lines.ts';
import type { Translator } from '../../../src/i18n/translator.ts';
import type { MessageContent, Recipient } from '../../../src/messages/outbox/message.ts';
import {
  isOver,
  type MessageOutcome,
  type Outbox,
  type RepeatedMessage,
} from '../../../src/messages/outbox/outbox.ts';
import { alertMessage } from '../cards/alert-text.ts';
import type { PendingAlert, WatchMemory } from '../models/memory.ts';
import { readCondition } from '../models/readings.ts';
import type { Snapshot } from '../models/snapshot.ts';
import { type PauseReason, placeKey, type Watch, type WatchTrouble } from '../models/watch.ts';
import type { Watches } from '../models/watches.ts';
import { admitAlerts, claimKey, kindOf } from './admit.ts';
import type { createPauseNotices } from './pause-notices.ts';

export interface DeliverParts {
  readonly watches: Watches;
  readonly pauseNotices: ReturnType<typeof createPauseNotices>;
  /** The bot's rights in a channel, as far as the gateway has reported. */
  readonly access: (guildId: string, channelId: string) => Access;
  readonly outbox: Pick<Outbox, 'send' | 'sentSince'>;
  readonly translatorOf: (watch: Watch) => Promise<Translator>;
  /** Returns the watch with the time zone that its place has now. */
  readonly inZone: (watch: Watch) => Promise<Watch>;
  /** Tells the maker of a watch by a direct message. False: another way is needed. */
  readonly tell: (watch: Watch, why: WatchTrouble) => Promise<boolean>;
  readonly now: () => number;
  /** Looks again in so many ms at what is to be sent. */
  readonly retry: (ms: number) => void;
}

/** The rights that an alert in a channel needs. */
const NEEDED_RIGHTS = ['ViewChannel', 'SendMessages', 'TimedOut'] as const;

/** The refusal to expect there, as far as the gateway has reported; null: none. */
export function refusedIn(place: Watch['place'], access: DeliverParts['access']) {
  if (place.kind === 'direct') return null;
  const has = access(place.guild, place.channel);
  if (has.kind === 'open') return null;
  if (has.kind !== 'missing') return { kind: has.kind } as const;
  const rights = NEEDED_RIGHTS.filter((right) => has.rights.includes(right));
  return rights.length === 0 ? null : ({ kind: 'missing', rights } as const);
}

/** The news of one place. */
interface Outgoing {
  /** Identifies the alerts that go into one message. */
  readonly id: string;
  /** Sends these alone from now on: Discord has refused their message. Undefined for an alert that is alone. */
  readonly separate?: (alerts: readonly PendingAlert[]) => void;
  /** Alerts of one place, and either all of outages or none. */
  readonly waiting: readonly PendingAlert[];
}

export async function deliverAlerts(
  { id, separate, waiting }: Outgoing,
  memory: Pick<WatchMemory, 'stillWaiting' | 'hold' | 'say' | 'unsay'>,
  parts: DeliverParts,
): Promise<void> {
  const { outbox, now } = parts;
  const [first] = waiting;
  if (first === undefined) return;
  const place = placeKey(first.watch);
  let claimedAlerts: readonly PendingAlert[] = [];
  let sentAlerts: readonly PendingAlert[] = [];

  async function admitted(): Promise<readonly PendingAlert[]> {
    const at = now();
    const alerts = await Promise.all(
      memory.stillWaiting(waiting, at).map(async (one) => ({ ...one, watch: await parts.inZone(one.watch) })),
    );
    const those = admitAlerts(alerts, await outbox.sentSince(place, at - DAY), at);
    if (those.elsewhere.length > 0) await memory.say(those.elsewhere, at);
    return those.admitted;
  }

  try {
    await sendTo(
      first.watch,
      parts,
      {
        kind: kindOf(first.watch),
        key: id,
        ...(separate && { split: () => separate(sentAlerts) }),
        async isDue() {
          const admittedAlerts = await admitted();
          // Opening a conversation takes its turn, and so may the next process.
          if (admittedAlerts.length > 0 && first.watch.place.kind === 'direct')
            await memory.hold(admittedAlerts);
          return admittedAlerts.length > 0;
        },
        async compose() {
          const admittedAlerts = await admitted();
          const [leader] = admittedAlerts;
          if (leader === undefined) return null;
          const t = await parts.translatorOf(leader.watch);
          claimedAlerts = admittedAlerts;
          await memory.say(admittedAlerts, now());
          return (ids) => {
            sentAlerts = admittedAlerts.filter((one) => ids.includes(claimKey(one)));
            return composed(sentAlerts, t);
          };
        },
        about: () => claimedAlerts.map(claimKey),
        isWanted: (transaction) =>
          parts.watches.areAll(
            transaction,
            claimedAlerts.map(({ watch }) => watch),
          ),
      },
      (outcome) => {
        if (outcome === 'unsent' || outcome === 'refused' || outcome === 'rights') sentAlerts = [];
      },
    );
  } finally {
    const unsentAlerts = claimedAlerts.filter((one) => !sentAlerts.includes(one));
    if (unsentAlerts.length > 0) await memory.unsay(unsentAlerts);
  }
}

/**
 * Sends a message to the place of a watch, and pauses the alerts of that place if Discord refuses it. If Discord does not take
 * what it says, its maker is told.
 */
async function sendTo(
  watch: Watch,
  parts: DeliverParts,
  message: Omit<RepeatedMessage, 'to' | 'retry'>,
  ended: (outcome: MessageOutcome) => void = () => {},
): Promise<void> {
  const place = placeKey(watch);
  // Nothing is said, so that what lasts is said later.
  if (refusedIn(watch.place, parts.access)?.kind === 'missing') return pausePlace(place, 'rights', parts);
  const outcome = await parts.outbox.send({ ...message, to: recipientOf(watch), retry: parts.retry });
  ended(outcome);
  if (outcome === 'refused' && message.split === undefined) await tellMaker(watch, outcome, parts);
  if (outcome === 'closed' || outcome === 'gone' || outcome === 'rights')
    await pausePlace(place, outcome, parts);
}

function recipientOf({ person: personId, place }: Watch): Recipient {
  return place.kind === 'direct'
    ? { kind: 'direct', personId }
    : { kind: 'channel', channelId: place.channel };
}

function composed(said: readonly PendingAlert[], t: Translator): MessageContent {
  const roles = said.flatMap(({ watch }) =>
    watch.place.kind === 'channel' && watch.place.role !== null ? [watch.place.role] : [],
  );
  const alert = {
    watches: said.map(({ watch }) => watch.id),
    lines: said.flatMap(({ due }) => due),
    roles: [...new Set(roles)],
  };
  return { ...alertMessage(alert, t), roles: alert.roles };
}

const nothingElse = { namesDrivers: null, car: null, profile: null, outages: new Map() } as const;

/**
 * A reminder is one direct message, at any hour, as soon as a single reading says that its condition is met; where the
 * person's direct messages are closed, it stands in the channel, without a ping. One that is over is removed.
 */
export async function deliverReminder(
  watch: Watch,
  snapshot: () => Snapshot,
  parts: DeliverParts,
): Promise<void> {
  const { watches, now } = parts;
  const { id, person, once, condition, snoozedUntil } = watch;
  if (once === null || (snoozedUntil !== null && now() < snoozedUntil)) return;
  if (now() >= once.until) {
    await watches.remove(watch);
    return;
  }
  const freeSlots = () => {
    const free = readCondition(condition, { snapshot: snapshot(), ...nothingElse, now: now() })?.news.get(
      'free',
    );
    return free?.kind === 'free' ? free : null;
  };
  if (freeSlots() === null) return;
  const outcome = await parts.outbox.send({
    kind: 'slot-reminder',
    key: id,
    to: { kind: 'direct', personId: person },
    fallback: { kind: 'channel', channelId: once.channel },
    notAfter: once.until,
    async compose() {
      const free = freeSlots();
      if (free === null) return null;
      const t = await parts.translatorOf(watch);
      const text = t('watch.slot.nowFree', { server: serverName(free.server, t), count: free.count });
      return (_ids, to) => ({ content: to.kind === 'direct' ? text : `<@${person}> ${text}` });
    },
    isWanted: (transaction) => watches.areAll(transaction, [watch]),
    retry: parts.retry,
  });
  if (isOver(outcome)) await watches.remove(watch);
}

/**
 * Pauses the watches of a place that are not paused yet, and tells the people who made those: at their next command where
 * nothing else reaches them.
 */
export async function pausePlace(
  place: string,
  why: PauseReason,
  parts: Pick<DeliverParts, 'watches' | 'pauseNotices' | 'tell' | 'now'>,
): Promise<void> {
  const pausedWatches = await parts.watches.pause(place, { why, since: parts.now() });
  const byMaker = Map.groupBy(pausedWatches, (one) => one.person);
  await Promise.all([...byMaker.values()].map(([watch]) => watch && tellMaker(watch, why, parts)));
}

async function tellMaker(
  watch: Watch,
  why: WatchTrouble,
  { pauseNotices, tell }: Pick<DeliverParts, 'pauseNotices' | 'tell'>,
): Promise<void> {
  if (watch.person === '') return;
  const isTold = why !== 'closed' && (await tell(watch, why));
  if (!isTold) await pauseNotices.leave(watch, why);
}
