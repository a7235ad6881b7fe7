/** Sending messages once, over a store in memory. */
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { createLog, type Log } from '../../src/base/log.ts';
import { createRuns } from '../../src/base/runs.ts';
import { createDeliveries, type Deliveries } from '../../src/deliveries/ledger.ts';
import { createNotices, createNotifier } from '../../src/deliveries/notices.ts';
import {
  createSendOnce,
  type OpenConversation,
  type OutgoingMessage,
  type Recipient,
  type SendOutcome,
} from '../../src/deliveries/send-once.ts';
import type { Rest } from '../../src/discord/rest/rest-client.ts';
import { createMessenger } from '../../src/discord/send/messenger.ts';
import type { Documents } from '../../src/store/documents.ts';
import { documentsInMemory } from './documents-in-memory.ts';

export type SentMessage = OutgoingMessage & { readonly to: Recipient };

/** Conversations that are open at once; `post` says what becomes of each message. */
export function openTo(post: (message: SentMessage) => Promise<SendOutcome>): OpenConversation {
  return async (to) => ({ post: (message) => post({ ...message, to }) });
}

/** Sends over these conversations, with no ledger but this one. */
export function sendOnceOver(deliveries: Deliveries, open: OpenConversation, clock: Clock = systemClock) {
  return createSendOnce({ deliveries, open, maySend: () => true, clock }).send;
}

/** Notices as the bot sends them. */
export function noticesOver(
  rest: Pick<Rest, 'post'>,
  more: { readonly clock?: Clock; readonly documents?: Documents; readonly log?: Log } = {},
) {
  const { clock = systemClock, log = createLog({ level: 'silent', secrets: [] }) } = more;
  const { documents = documentsInMemory(clock.now) } = more;
  const deliveries = createDeliveries(documents);
  const sendOnce = createSendOnce({
    deliveries,
    open: createMessenger(rest, clock, log),
    maySend: () => true,
    clock,
  });
  const runs = createRuns(clock, (error) => log.error({ err: error }, 'notices failed'));
  const notices = createNotices({ documents, deliveries, sendOnce: sendOnce.send, clock, runs });
  return {
    documents,
    deliveries,
    sendOnce,
    runs,
    notices,
    notify: createNotifier({ notices, now: clock.now, log }),
  };
}
