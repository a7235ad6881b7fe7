/** The outbox: sends each message at most once, and tries again what was certainly not sent. */
import { createHash, randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { createBoundedMap } from '../../base/bounded.ts';
import type { Clock } from '../../base/clock.ts';
import { DAY, doublePause, MINUTE, SECOND } from '../../base/duration.ts';
import { forEachInSlices } from '../../base/for-each-yielding.ts';
import type { Log } from '../../base/log.ts';
import { createMutex } from '../../base/mutex.ts';
import type { Runs } from '../../base/runs.ts';
import { changeDocuments, type Transaction } from '../../store/change.ts';
import { deriveFromCollection } from '../../store/collection.ts';
import type { Documents } from '../../store/documents.ts';
import { retryWhileUnavailable } from '../../store/retry-while-unavailable.ts';
import { type KeptKind, type Kind, kinds, limitsOf, placeOf, type RepeatedKind } from './kinds.ts';
import type { Deliveries, DeliveryClaim, InTransaction } from './ledger.ts';
import type {
  Compose,
  LastingRefusal,
  OpenConversation,
  Recipient,
  SendOutcome,
  Urgency,
} from './message.ts';
import { type StoredNotice, unsentNotices } from './unsent-notices.ts';

/** The message was certainly not sent. */
type UnsentOutcome = Exclude<SendOutcome, 'sent' | 'perhaps-sent'>;

interface Addressed<Of extends Kind> {
  readonly kind: Of;
  /** Identifies the message in its place, over all attempts and processes. */
  readonly key: string;
  readonly to: Recipient;
  /** Guild whose messages of the kind are limited together; the recipient if left out. */
  readonly of?: string;
}

/** A message that the outbox stores until it is over, and sends by itself. */
interface KeptMessage extends Addressed<KeptKind> {
  readonly content: string;
  readonly components?: StoredNotice['components'];
  /** Asked in the transaction that stores the message. */
  readonly isWanted?: InTransaction<boolean>;
}

/** A message that its owner sends again for as long as it matters. */
export interface RepeatedMessage extends Addressed<RepeatedKind> {
  /** Recipient if the first one is closed. */
  readonly fallback?: Recipient;
  /** Tells whether there is something to send: for nothing, no conversation is opened. The ledger is asked if left out. */
  readonly isDue?: () => Promise<boolean>;
  /** Called once the conversation is open, which may take minutes. Null: there is nothing to send any more. */
  readonly compose: () => Promise<Compose | null>;
  /** Returns the ids of what the composed message speaks of; the key alone if left out. */
  readonly about?: () => readonly string[];
  /** Asked in the transaction of the claim, and may write to it. */
  readonly isWanted?: InTransaction<boolean>;
  /** Unix milliseconds from which the message does not matter any more. */
  readonly notAfter?: number;
  /**
   * Part of the transaction that takes the claim back: undoes what `isWanted` has written. Without it, a message to a closed or
   * deleted place is over.
   */
  readonly putBack?: (transaction: Transaction, outcome: UnsentOutcome) => Promise<void>;
  /** Called if the message was certainly not sent: it is to be sent again in so many ms, if it matters then. */
  readonly retry?: (ms: number) => void;
  /** A person asks for it now: no pause counts. */
  readonly isAskedFor?: boolean;
  /** Divides a message whose content Discord has refused; the message itself is not paused then. */
  readonly split?: () => void;
}

/** `spared`: the place has had the message, or enough others. `unwanted`: there is nothing to send any more. */
type Unclaimed = 'spared' | 'unwanted';
/** `waiting`: the next attempt is not due yet. `lost`: the store has not taken a message that was to be kept. */
export type MessageOutcome = SendOutcome | Unclaimed | 'waiting' | 'lost';

interface Attempt extends Omit<RepeatedMessage, 'kind' | 'key' | 'of' | 'about'> {
  /** Identifies the message over all attempts. */
  readonly id: string;
  readonly urgency: Urgency;
  readonly claim: () => DeliveryClaim;
}

interface ClaimedMessage {
  readonly claim: DeliveryClaim;
  readonly contentFor: (recipient: Recipient) => ReturnType<Compose>;
}

/** Pauses before the next attempts, in ms; the last one repeats. */
const PAUSES = [5 * SECOND, 15 * SECOND, MINUTE] as const;
/** Pauses after Discord has refused the content or the conversation, in ms; doubled each time. */
const REFUSED_PAUSE_MS = { first: 10 * MINUTE, longest: DAY };
/** Messages whose next attempt is remembered. */
const MAX_PAUSED = 10_000;
/** How long a claim that has to be taken back waits for the store, in ms. */
const WITHDRAWAL_PATIENCE_MS = MINUTE;
/** Time for which a kept message matters, in ms. */
const KEPT_MS = DAY;
/** After this time (ms) an unsettled claim belongs to a process that no longer lives. */
const ABANDONED_AFTER_MS = 2 * MINUTE;
/** Characters that Discord takes for a nonce. */
const NONCE_LENGTH = 25;

export type Outbox = ReturnType<typeof createOutbox>;

/**
 * The ledger is written between opening the conversation and posting the message. So a process that is killed leaves a
 * claim only for a message that may have been sent. A kept message leaves the store once it is over: with the claim, nobody
 * sends what a killed process has left there.
 */
export function createOutbox(parts: {
  readonly documents: Documents;
  readonly deliveries: Deliveries;
  readonly open: OpenConversation;
  /** This process surely works, and so no other one does. */
  readonly maySend: () => boolean;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
  /** Attempts of different kept messages never wait for each other. */
  readonly runs: Runs;
}) {
  const { documents, deliveries, open, maySend, clock, log, runs } = parts;
  /** Attempts with the same outcome in a row by message id, and the time of the next one (monotonic ms). */
  const paused = createBoundedMap<
    string,
    { readonly outcome: 'unsent' | 'refused'; readonly attempts: number; readonly until: number }
  >(MAX_PAUSED);
  /** How many attempts have ended in each way since the start. */
  const outcomes = new Map<SendOutcome, number>();
  const inTurn = createMutex();
  const allNotices = deriveFromCollection(documents, unsentNotices, (byKey) =>
    [...byKey].flatMap(([key, notices]) => notices.map((notice) => ({ key, notice }))),
  );
  let scheduleRound = (_ms: number): void => {};

  const isAdmitted = async (claim: DeliveryClaim): Promise<boolean> =>
    (await deliveries.admitted(claim)).length > 0;

  function claimOf(message: Addressed<Kind>, about: readonly string[] = [message.key]): DeliveryClaim {
    const { kind, key, to } = message;
    const { subject, recurs = false } = kinds[kind];
    return {
      key: recurs ? randomUUID() : subject === undefined ? key : `${subject} ${key}`,
      place: placeFor(message),
      watches: subject === undefined ? about : [subject],
      at: clock.now(),
      ...limitsOf(kind, to.kind),
    };
  }

  async function claimMessage(attempt: Attempt): Promise<ClaimedMessage | Unclaimed> {
    const { compose, claim: claimNow, isWanted, notAfter } = attempt;
    const composeFor = await compose();
    if (composeFor === null || (notAfter !== undefined && clock.now() >= notAfter)) return 'unwanted';
    const claim = claimNow();
    let isUnwanted = false;
    const ids = await deliveries.claim(claim, async (transaction) => {
      isUnwanted = isWanted !== undefined && !(await isWanted(transaction));
      return !isUnwanted;
    });
    if (ids.length === 0) return isUnwanted ? 'unwanted' : 'spared';
    return { claim, contentFor: (recipient) => composeFor(ids, recipient) };
  }

  async function post(attempt: Attempt): Promise<SendOutcome | 'split' | Unclaimed> {
    const { to, fallback, urgency, putBack, split } = attempt;
    let claimedMessage: ClaimedMessage | null = null;
    let outcome: SendOutcome = 'unsent';
    for (const recipient of fallback === undefined ? [to] : [to, fallback]) {
      const conversation = await open(recipient, urgency);
      outcome = conversation === 'refused' ? 'refused' : 'unsent';
      if (conversation === 'unsent' || conversation === 'refused') break;
      // Before the ledger: if another process works by now, the message is that one's.
      if (claimedMessage === null && !maySend()) break;
      const message: ClaimedMessage | Unclaimed = claimedMessage ?? (await claimMessage(attempt));
      if (typeof message === 'string') return message;
      claimedMessage = message;
      const { claim, contentFor } = message;
      outcome =
        typeof conversation === 'string'
          ? conversation
          : await conversation.post({
              components: [],
              roles: [],
              ...contentFor(recipient),
              nonce: nonceOf(claim.place + claim.key),
            });
      if (outcome !== 'closed') break;
    }
    if (claimedMessage === null) return outcome;
    await conclude(claimedMessage.claim, putBack, outcome);
    if (outcome !== 'refused' || split === undefined) return outcome;
    split();
    return 'split';
  }

  function conclude(
    { place, key }: DeliveryClaim,
    putBack: Attempt['putBack'],
    outcome: SendOutcome,
  ): Promise<unknown> {
    const isLost = putBack === undefined && (outcome === 'closed' || outcome === 'gone');
    if (outcome === 'sent' || outcome === 'perhaps-sent' || isLost) return deliveries.settle(place, key);
    const undo: InTransaction<void> | undefined = putBack && ((transaction) => putBack(transaction, outcome));
    return retryWhileUnavailable(() => deliveries.withdraw(place, key, undo), {
      clock,
      timeoutMs: WITHDRAWAL_PATIENCE_MS,
      onFirstFailure: () => {},
    });
  }

  async function attemptNow(attempt: Attempt): Promise<MessageOutcome> {
    const { id, retry, isAskedFor = false } = attempt;
    const pause = paused.get(id);
    if (!isAskedFor && pause !== undefined && clock.monotonic() < pause.until) return 'waiting';
    const isDue = await (attempt.isDue?.() ?? isAdmitted(attempt.claim()));
    const outcome = isDue ? await post(attempt) : 'spared';
    if (outcome !== 'split' && outcome !== 'spared' && outcome !== 'unwanted')
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    if (outcome !== 'unsent' && outcome !== 'refused') {
      paused.delete(id);
      return outcome === 'split' ? 'refused' : outcome;
    }
    const attempts = pause?.outcome === outcome ? pause.attempts : 0;
    const ms =
      outcome === 'refused'
        ? doublePause(REFUSED_PAUSE_MS, attempts)
        : (PAUSES[Math.min(attempts, PAUSES.length - 1)] ?? MINUTE);
    const now = clock.monotonic();
    // Rounding up to seconds lets one look at everything that is due serve many messages.
    const retryAt = Math.ceil((now + ms) / SECOND) * SECOND;
    paused.set(id, { outcome, attempts: attempts + 1, until: retryAt });
    // The next usual look is soon enough after a refusal.
    if (outcome === 'unsent') retry?.(retryAt - now);
    return outcome;
  }

  /** `key`: of the document that has the notice. */
  async function attemptNotice(key: string, notice: StoredNotice): Promise<MessageOutcome> {
    const { to, claim, content, components } = notice;
    const outcome = await attemptNow({
      id: `${claim.place} ${claim.key}`,
      to,
      urgency: 'notice',
      claim: () => claim,
      async isWanted(transaction) {
        const notices = (await transaction.read(unsentNotices, key)) ?? [];
        return notices.some((stored) => stored.claim.key === claim.key);
      },
      compose: async () => () => ({ content, components }),
      retry: (ms) => scheduleRound(ms),
    });
    // A spared notice stays: another attempt may be under way. It is over after a day.
    if (isOver(outcome)) await removeNotice(key, notice);
    return outcome;
  }

  const removeNotice = (key: string, { claim }: StoredNotice): Promise<void> =>
    changeDocuments(documents, async (transaction) => {
      const notices = (await transaction.read(unsentNotices, key)) ?? [];
      const remaining = notices.filter((other) => other.claim.key !== claim.key);
      transaction.write(unsentNotices, key, remaining.length === 0 ? null : remaining);
    });

  async function keep(message: KeptMessage): Promise<MessageOutcome> {
    const { to, content, components = [], isWanted } = message;
    const claim = claimOf(message);
    const notice = { to, claim, content, components };
    const key = `${claim.place} ${claim.key}`;
    // Many at once, as of a hundred boards, leave the event loop to others in between.
    await inTurn('send', () => setImmediate());
    if (!(await isAdmitted(claim))) return 'spared';
    const isStored = await changeDocuments(documents, async (transaction) => {
      if (isWanted !== undefined && !(await isWanted(transaction))) return false;
      transaction.write(unsentNotices, key, [notice]);
      return true;
    });
    return isStored ? attemptNotice(key, notice) : 'unwanted';
  }

  /**
   * Tries to send a message. One of a kept kind is stored, and tried again for a day; it is `lost` if the store fails. For a
   * message of another kind, `send` rejects then.
   */
  async function send(message: KeptMessage | RepeatedMessage): Promise<MessageOutcome> {
    if (!('compose' in message))
      return keep(message).catch((error: unknown) => {
        log.warn({ err: error, kind: message.kind }, 'a direct message was not sent');
        return 'lost';
      });
    return attemptNow({
      ...message,
      id: `${placeFor(message)} ${message.key}`,
      urgency: kinds[message.kind].urgency,
      claim: () => claimOf(message, message.about?.()),
    });
  }

  return {
    outcomes,
    send,
    /** Returns the messages to the place since then (unix milliseconds), oldest first, settled or not. */
    sentSince: deliveries.since,
    /** Begins another attempt of all that is kept, and gives up what killed processes have left. Rejects if the store fails. */
    async round(): Promise<void> {
      await forEachInSlices(await allNotices(), async ({ key, notice }) => {
        const { place, key: claimKey, at } = notice.claim;
        const isExpired = Math.abs(clock.now() - at) >= KEPT_MS;
        runs.start(`notice ${place} ${claimKey}`, async () => {
          await (isExpired ? removeNotice(key, notice) : attemptNotice(key, notice));
        });
      });
      const count = await deliveries.giveUp(clock.now() - ABANDONED_AFTER_MS);
      if (count > 0) log.warn({ count }, 'interrupted alerts may have been sent; they are not sent again');
    },
    /** Called with how many ms later {@link round} is wanted. */
    onRetry(listener: (ms: number) => void): void {
      scheduleRound = listener;
    },
  };
}

function placeFor({ kind, to, of }: Addressed<Kind>): string {
  return placeOf(kind, of ?? (to.kind === 'direct' ? to.personId : to.channelId), to.kind);
}

/** The message was sent, or never will be. */
export function isOver(outcome: MessageOutcome): outcome is 'sent' | 'perhaps-sent' | LastingRefusal {
  return !['waiting', 'spared', 'unwanted', 'unsent', 'refused', 'lost'].includes(outcome);
}

/** Returns one nonce for all attempts of a delivery. */
function nonceOf(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, NONCE_LENGTH);
}
