/** Messages that are stored until Discord has taken them: nothing else in the store says that they are to be sent. */
import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import type { Clock } from '../base/clock.ts';
import { DAY } from '../base/duration.ts';
import { forEachInSlices } from '../base/for-each-yielding.ts';
import type { Log } from '../base/log.ts';
import { createMutex } from '../base/mutex.ts';
import type { Runs } from '../base/runs.ts';
import { changeDocuments } from '../store/change.ts';
import {
  declareCollection,
  deriveFromCollection,
  personalExport,
  readDocument,
  readNaming,
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

/**
 * Notices that are not over, each in a document of its own; version 2.0.0 had those of a recipient in one. A notice stays while
 * it is sent, so that nothing is put back of a person who is forgotten meanwhile.
 */
export const unsentNotices = declareCollection({
  name: 'unsent-notices',
  schema: z.array(StoredNotice).readonly(),
  unreadable: 'none',
  person: {
    forget: (notices, personId) => (notices.some((notice) => isTo(personId, notice)) ? null : notices),
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
  const sent = (await Promise.all(places)).flatMap((all) => all ?? []);
  const sentMessages = sent.map(({ at, settled }) => ({ at, settled }));
  const claimedKeys = new Set(sent.map(({ key }) => key));
  const notices = [...(await readNaming(documents, unsentNotices, personId)).values()].flat();
  const unsent = notices
    .filter((notice) => isTo(personId, notice) && !claimedKeys.has(notice.claim.key))
    .map(({ claim, content }) => ({ at: claim.at, settled: false, content }));
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
 * A notice leaves the store once it is over. A process that is killed before that leaves the notice with its claim, after which
 * nobody sends it.
 */
export function createNotices(parts: {
  readonly documents: Documents;
  readonly deliveries: Deliveries;
  readonly sendOnce: SendOnce['send'];
  readonly clock: Clock;
  readonly runs: Runs;
}) {
  const { documents, deliveries, sendOnce, clock, runs } = parts;
  const inTurn = createMutex();
  const all = deriveFromCollection(documents, unsentNotices, (byKey) =>
    [...byKey].flatMap(([key, notices]) => notices.map((notice) => ({ key, notice }))),
  );
  let scheduleRetry = (_ms: number): void => {};

  const remove = (key: string, { claim }: StoredNotice): Promise<void> =>
    changeDocuments(documents, async (transaction) => {
      const notices = (await transaction.read(unsentNotices, key)) ?? [];
      const remaining = notices.filter((other) => other.claim.key !== claim.key);
      transaction.write(unsentNotices, key, remaining.length === 0 ? null : remaining);
    });

  async function attempt(key: string, notice: StoredNotice): Promise<NoticeOutcome> {
    const { to, claim, content, components } = notice;
    const outcome = await sendOnce({
      id: `${claim.place} ${claim.key}`,
      to: [to],
      urgency: 'notice',
      isDue: async () => (await deliveries.admitted(claim)).length > 0,
      prepare: async () => ({
        claim,
        async isWanted(transaction) {
          const notices = (await transaction.read(unsentNotices, key)) ?? [];
          return notices.some((stored) => stored.claim.key === claim.key);
        },
        compose: () => ({ content, components, roles: [] }),
      }),
      again: (ms) => scheduleRetry(ms),
    });
    // Another attempt may be under way: what nobody may get is over after a day.
    if (outcome === null) return 'spared';
    if (outcome !== 'unsent' && outcome !== 'refused' && outcome !== 'waiting') await remove(key, notice);
    return outcome;
  }

  return {
    /** Stores the notice and tries to send it; what was certainly not sent is tried again for a day. Rejects if the store fails. */
    async send({ to, claim, message, isWanted }: Notice): Promise<NoticeOutcome> {
      const notice = { to, claim, ...message };
      const key = `${claim.place} ${claim.key}`;
      // Many at once, as of a hundred boards, leave the event loop to others in between.
      await inTurn('send', () => setImmediate());
      if ((await deliveries.admitted(claim)).length === 0) return 'spared';
      const isStored = await changeDocuments(documents, async (transaction) => {
        if (isWanted !== undefined && !(await isWanted(transaction))) return false;
        transaction.write(unsentNotices, key, [notice]);
        return true;
      });
      return isStored ? attempt(key, notice) : 'spared';
    },
    /** Begins another attempt of all that are stored. Rejects if the store fails. */
    async round(): Promise<void> {
      await forEachInSlices(await all(), async ({ key, notice }) => {
        const { place, key: claimKey, at } = notice.claim;
        const isOver = Math.abs(clock.now() - at) >= PATIENCE_MS;
        runs.start(`notice ${place} ${claimKey}`, async () => {
          await (isOver ? remove(key, notice) : attempt(key, notice));
        });
      });
    },
    /** Called with how many ms later {@link round} is wanted. */
    onAgain(listener: (ms: number) => void): void {
      scheduleRetry = listener;
    },
  };
}

function isTo(personId: string, { to }: StoredNotice): boolean {
  return to.kind === 'direct' && to.personId === personId;
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
    /** Asked in the transaction that stores the notice: the person may have been forgotten since. */
    readonly isWanted?: InTransaction<boolean>;
  }): Promise<NoticeOutcome | 'lost'> => {
    const { personId, kind, content, isWanted } = notice;
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
        ...(isWanted && { isWanted }),
      });
    } catch (error) {
      log.warn({ err: error }, 'a direct message was not sent');
      return 'lost';
    }
  };
}
