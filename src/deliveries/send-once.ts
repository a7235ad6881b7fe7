/** Sends each message at most once, and tries again what was certainly not sent. */
import { createHash } from 'node:crypto';
import { createBoundedMap } from '../base/bounded.ts';
import type { Clock } from '../base/clock.ts';
import { DAY, doublePause, MINUTE, SECOND } from '../base/duration.ts';
import type { Transaction } from '../store/change.ts';
import { retryWhileUnavailable } from '../store/retry-while-unavailable.ts';
import type { Deliveries, DeliveryClaim, InTransaction } from './ledger.ts';

/** Refusals that last until somebody changes something: closed direct messages, no such channel, no right to write there. */
export type LastingRefusal = 'closed' | 'gone' | 'rights';

/**
 * The outcome of one attempt. `unsent`: certainly not sent, and another attempt may succeed. `refused`: the same, but Discord
 * does not take this content or open this conversation, so that other attempts are rare. `perhaps-sent`: nobody knows, so that
 * there is no other attempt. A {@link LastingRefusal}: certainly not sent, and no other attempt will succeed until somebody
 * changes something.
 */
export type SendOutcome = 'sent' | 'perhaps-sent' | 'unsent' | 'refused' | LastingRefusal;

/** The message was certainly not sent. */
type UnsentOutcome = Exclude<SendOutcome, 'sent' | 'perhaps-sent'>;

export type Recipient =
  | { readonly kind: 'direct'; readonly personId: string }
  | { readonly kind: 'channel'; readonly channelId: string };

export interface MessageContent {
  readonly content: string;
  readonly embeds?: readonly object[];
  readonly components: readonly object[];
  /** A PNG below the text, which is sent without it if Discord refuses the file. */
  readonly picture?: { readonly name: string; readonly png: Uint8Array; readonly alt: string };
  /** The only roles that the message may ping. */
  readonly roles: readonly string[];
}

/** Discord merges two messages with the same nonce that are sent shortly after each other. */
export interface OutgoingMessage extends MessageContent {
  readonly nonce: string;
}

/** Kinds of messages by how soon they have to arrive: opening a conversation takes its turn by that. */
export const urgencies = ['reminder', 'alert', 'notice'] as const;
export type Urgency = (typeof urgencies)[number];

/** An open conversation, or a channel. */
export interface Conversation {
  /** Never rejects. */
  post(message: OutgoingMessage): Promise<SendOutcome>;
}

/** Opens what a message can be posted in; sends nothing to anybody. Never rejects. */
export type OpenConversation = (
  to: Recipient,
  urgency: Urgency,
) => Promise<Conversation | 'unsent' | 'refused' | LastingRefusal>;

interface PreparedMessage {
  readonly claim: DeliveryClaim;
  /** Asked in the transaction of the claim, and may write to it. */
  readonly isWanted?: InTransaction<boolean>;
  /**
   * Part of the transaction that takes the claim back: undoes what `isWanted` has written. Without it, a message to a closed or
   * deleted place is over.
   */
  readonly putBack?: (transaction: Transaction, outcome: UnsentOutcome) => Promise<void>;
  /** `ids`: the admitted ones of the claim. */
  readonly compose: (ids: readonly string[], to: Recipient) => MessageContent;
}

interface Sending {
  /** Identifies the message over all attempts. */
  readonly id: string;
  /** The next one is tried if the one before is closed. */
  readonly to: readonly [Recipient, ...Recipient[]];
  readonly urgency: Urgency;
  /** Tells whether there is something to send; for nothing, no conversation is opened. */
  readonly isDue: () => Promise<boolean>;
  /** Called once the conversation is open, which may take minutes. Null: there is nothing to send any more. */
  readonly prepare: () => Promise<PreparedMessage | null>;
  /** Called if the message was certainly not sent: it is to be sent again in so many ms, if it matters then. */
  readonly again: (ms: number) => void;
  /** A person asks for it now: no pause counts. */
  readonly isAskedFor?: boolean;
  /** Divides a message whose content Discord has refused; the message itself is not paused then. */
  readonly split?: () => void;
}

/** Pauses before the next attempts, in ms; the last one repeats. */
const PAUSES = [5 * SECOND, 15 * SECOND, MINUTE] as const;
/** Pauses after Discord has refused the content or the conversation, in ms; doubled each time. */
const REFUSED_PAUSE_MS = { first: 10 * MINUTE, longest: DAY };
/** Messages whose next attempt is remembered. */
const MAX_PAUSED = 10_000;
/** How long a claim that has to be taken back waits for the store, in ms. */
const WITHDRAWAL_PATIENCE_MS = MINUTE;
/** Characters that Discord takes for a nonce. */
const NONCE_LENGTH = 25;

export type SendOnce = ReturnType<typeof createSendOnce>;

/**
 * The ledger is written between opening the conversation and posting the message. So a process that is killed leaves a
 * claim only for a message that may have been sent.
 */
export function createSendOnce(parts: {
  readonly deliveries: Deliveries;
  readonly open: OpenConversation;
  /** This process surely works, and so no other one does. */
  readonly maySend: () => boolean;
  readonly clock: Clock;
}) {
  const { deliveries, open, maySend, clock } = parts;
  /** Attempts with the same outcome in a row by message id, and the time of the next one (monotonic ms). */
  const paused = createBoundedMap<
    string,
    { readonly outcome: 'unsent' | 'refused'; readonly attempts: number; readonly until: number }
  >(MAX_PAUSED);

  async function attempt({ to, urgency, prepare, split }: Sending): Promise<SendOutcome | 'split' | null> {
    let claimedMessage: (PreparedMessage & { readonly ids: readonly string[] }) | null = null;
    let outcome: SendOutcome = 'unsent';
    for (const recipient of to) {
      const conversation = await open(recipient, urgency);
      outcome = conversation === 'refused' ? 'refused' : 'unsent';
      if (conversation === 'unsent' || conversation === 'refused') break;
      // Before the ledger: if another process works by now, the message is that one's.
      if (claimedMessage === null && !maySend()) break;
      claimedMessage ??= await claimMessage(prepare);
      if (claimedMessage === null) return null;
      outcome =
        typeof conversation === 'string'
          ? conversation
          : await conversation.post({
              ...claimedMessage.compose(claimedMessage.ids, recipient),
              nonce: nonceOf(claimedMessage.claim.place + claimedMessage.claim.key),
            });
      if (outcome !== 'closed') break;
    }
    if (claimedMessage === null) return outcome;
    await conclude(claimedMessage, outcome);
    if (outcome !== 'refused' || split === undefined) return outcome;
    split();
    return 'split';
  }

  async function claimMessage(prepare: Sending['prepare']) {
    const prepared = await prepare();
    if (prepared === null) return null;
    const ids = await deliveries.claim(prepared.claim, prepared.isWanted);
    return ids.length === 0 ? null : { ...prepared, ids };
  }

  function conclude(
    { claim: { place, key }, putBack }: PreparedMessage,
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

  /** How many attempts have ended in each way since the start. */
  const outcomes = new Map<SendOutcome, number>();
  function count(outcome: SendOutcome): SendOutcome {
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    return outcome;
  }

  return {
    outcomes,
    /**
     * Resolves with the outcome. `waiting`: its next attempt is not due yet. Null: there was nothing to send, or another
     * process has sent it. Rejects if the store fails.
     */
    async send(sending: Sending): Promise<SendOutcome | 'waiting' | null> {
      const { id, again: scheduleRetry, isAskedFor = false } = sending;
      const pause = paused.get(id);
      if (!isAskedFor && pause !== undefined && clock.monotonic() < pause.until) return 'waiting';
      const end = (await sending.isDue()) ? await attempt(sending) : null;
      const outcome = end === 'split' || end === null ? end : count(end);
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
      // Whole seconds, so that one look at everything that is due serves many messages.
      const retryAt = Math.ceil((now + ms) / SECOND) * SECOND;
      paused.set(id, { outcome, attempts: attempts + 1, until: retryAt });
      // The next usual look is soon enough after a refusal.
      if (outcome === 'unsent') scheduleRetry(retryAt - now);
      return outcome;
    },
  };
}

/** Returns one nonce for all attempts of a delivery. */
function nonceOf(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, NONCE_LENGTH);
}
