/** Messages that are stored until Discord has taken them: nothing else in the store says that they are to be sent. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '../base/clock.ts';
import { DAY } from '../base/duration.ts';
import type { Log } from '../base/log.ts';
import type { Runs } from '../base/runs.ts';
import { changeDocuments, type Transaction } from '../store/change.ts';
import {
  declareCollection,
  deriveFromCollection,
  personalExport,
  readDocument,
} from '../store/collection.ts';
import type { Documents } from '../store/documents.ts';
import { type Deliveries, deliveriesByPlace, directPlaces, type InTransaction } from './ledger.ts';
import type { MessageContent, Recipient, SendOnce } from './send-once.ts';

/** Time within which a notice still matters, in ms. */
const PATIENCE_MS = DAY;

const StoredNotice = z.object({
  to: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('direct'), personId: z.string() }),
    z.object({ kind: z.literal('channel'), channelId: z.string() }),
  ]),
  /** See `DeliveryClaim`. */
  claim: z.object({
    key: z.string(),
    place: z.string(),
    watches: z.array(z.string()).readonly(),
    at: z.number(),
    cooldown: z.number(),
    most: z.number().nullable(),
  }),
  content: z.string(),
  components: z.array(z.record(z.string(), z.unknown())).readonly(),
});
type StoredNotice = z.output<typeof StoredNotice>;

/** Notices that are certainly not sent yet, by recipient, oldest first. */
export const unsentNotices = declareCollection({
  name: 'unsent-notices',
  schema: z.array(StoredNotice).readonly(),
  unreadable: 'none',
  person: {
    forget: (notices, personId, key) => (key === recipientKey({ kind: 'direct', personId }) ? null : notices),
    export: [
      personalExport({
        name: 'sent',
        order: 7,
        read: readSent,
        lines: (messages, t) => [t('privacy.sent', { n: messages.length })],
        question: (t) => t('forget.messages'),
      }),
    ],
  },
});

interface OwnMessage {
  /** Unix milliseconds. */
  readonly at: number;
  readonly settled: boolean;
  /** Text of a notice that Discord has not taken yet. */
  readonly content?: string;
}

/** Reads the direct messages to a person, sent and unsent, oldest first. */
async function readSent(documents: Documents, personId: string): Promise<readonly OwnMessage[]> {
  const places = directPlaces(personId).map((place) => readDocument(documents, deliveriesByPlace, place));
  const sentMessages = (await Promise.all(places))
    .flatMap((all) => all ?? [])
    .map(({ at, settled }) => ({ at, settled }));
  const key = recipientKey({ kind: 'direct', personId });
  const notices = (await readDocument(documents, unsentNotices, key)) ?? [];
  const unsent = notices.map(({ claim, content }) => ({ at: claim.at, settled: false, content }));
  return [...sentMessages, ...unsent].toSorted((a, b) => a.at - b.at);
}

interface Notice {
  readonly to: Recipient;
  /** `at`: the notice still matters for a day from then on. */
  readonly claim: StoredNotice['claim'];
  readonly message: Pick<MessageContent, 'content'> & Pick<StoredNotice, 'components'>;
  /** Asked in the transaction that stores the notice. */
  readonly isWanted?: InTransaction<boolean>;
}

/** Outcome of a notice. `spared`: the recipient has had another one, or it is not wanted. `unsent`: it is tried again. */
type NoticeOutcome = NonNullable<Awaited<ReturnType<SendOnce['send']>>> | 'spared';

export type Notices = ReturnType<typeof createNotices>;

/**
 * A notice leaves the store in the transaction that claims it, and returns in the one that takes the claim back. So a
 * process that is killed leaves either the notice or its claim.
 */
export function createNotices(parts: {
  readonly documents: Documents;
  readonly deliveries: Deliveries;
  readonly sendOnce: SendOnce['send'];
  readonly clock: Clock;
  readonly runs: Runs;
}) {
  const { documents, deliveries, sendOnce, clock, runs } = parts;
  const all = deriveFromCollection(documents, unsentNotices, (byRecipient) =>
    [...byRecipient.values()].flat(),
  );
  let scheduleRetry = (_ms: number): void => {};

  /** Removes a notice; resolves with true if the store had it. */
  async function take(transaction: Transaction, notice: StoredNotice): Promise<boolean> {
    const key = recipientKey(notice.to);
    const unsent = (await transaction.read(unsentNotices, key)) ?? [];
    const remaining = unsent.filter((other) => other.claim.key !== notice.claim.key);
    transaction.write(unsentNotices, key, remaining.length === 0 ? null : remaining);
    return remaining.length < unsent.length;
  }

  async function put(transaction: Transaction, notice: StoredNotice): Promise<void> {
    await take(transaction, notice);
    const key = recipientKey(notice.to);
    const unsent = (await transaction.read(unsentNotices, key)) ?? [];
    transaction.write(unsentNotices, key, [...unsent, notice]);
  }

  async function attempt(notice: StoredNotice): Promise<NoticeOutcome> {
    const { to, claim, content, components } = notice;
    const outcome = await sendOnce({
      id: `${claim.place} ${claim.key}`,
      to: [to],
      urgency: 'notice',
      isDue: async () => (await deliveries.admitted(claim)).length > 0,
      prepare: async () => ({
        claim,
        isWanted: (transaction) => take(transaction, notice),
        putBack: (transaction) => put(transaction, notice),
        compose: () => ({ content, components, roles: [] }),
      }),
      again: (ms) => scheduleRetry(ms),
    });
    // Another attempt may be under way, and put the notice back: what nobody may get is over after a day.
    return outcome ?? 'spared';
  }

  return {
    /** Stores the notice and tries to send it; what was certainly not sent is tried again for a day. Rejects if the store fails. */
    async send({ to, claim, message, isWanted }: Notice): Promise<NoticeOutcome> {
      const notice = { to, claim, ...message };
      if ((await deliveries.admitted(claim)).length === 0) return 'spared';
      const isStored = await changeDocuments(documents, async (transaction) => {
        if (isWanted !== undefined && !(await isWanted(transaction))) return false;
        await put(transaction, notice);
        return true;
      });
      return isStored ? attempt(notice) : 'spared';
    },
    /** Begins another attempt of all that are stored. Rejects if the store fails. */
    async round(): Promise<void> {
      for (const notice of await all()) {
        const isOver = Math.abs(clock.now() - notice.claim.at) >= PATIENCE_MS;
        const work = isOver
          ? () => changeDocuments(documents, (transaction) => take(transaction, notice))
          : () => attempt(notice);
        runs.start(`notice ${notice.claim.place} ${notice.claim.key}`, async () => void (await work()));
      }
    },
    /** Called with how many ms later {@link round} is wanted. */
    onAgain(listener: (ms: number) => void): void {
      scheduleRetry = listener;
    },
  };
}

function recipientKey(to: Recipient): string {
  return to.kind === 'direct' ? to.personId : `channel:${to.channelId}`;
}

/** The place of a person's notices in the ledger, which names no account. */
export function noticePlace(personId: string): string {
  return `notice:${createHash('sha256').update(personId).digest('hex')}`;
}

export type Notify = ReturnType<typeof createNotifier>;

/**
 * Sends one person a notice, once. Never rejects. `spared`: the person has had one of that kind in the last 24 hours.
 * `lost`: the store has failed.
 */
export function createNotifier(parts: {
  readonly notices: Notices;
  readonly now: () => number;
  readonly log: Log;
}) {
  const { notices, now, log } = parts;
  return async (notice: {
    readonly personId: string;
    /** A person gets one of each kind a day: others cause them, as often as they like. */
    readonly kind: 'alerts' | 'correction' | 'proof' | 'roles' | 'welcome';
    readonly content: string;
    /** Identical for one notice. */
    readonly key: string;
  }): Promise<NoticeOutcome | 'lost'> => {
    const { personId, kind, content } = notice;
    const key = `${kind} ${notice.key}`;
    const claim = {
      key,
      place: noticePlace(personId),
      watches: [kind],
      at: now(),
      cooldown: DAY,
      most: null,
    };
    try {
      return await notices.send({
        to: { kind: 'direct', personId },
        claim,
        message: { content, components: [] },
      });
    } catch (error) {
      log.warn({ err: error }, 'a direct message was not sent');
      return 'lost';
    }
  };
}
