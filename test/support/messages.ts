/** An outbox over a store in memory, and refusals of Discord. */
import { DiscordAPIError, HTTPError } from 'discord.js';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { createLog, type Log } from '../../src/base/log.ts';
import { createRuns } from '../../src/base/runs.ts';
import type { Rest } from '../../src/discord/rest/rest-client.ts';
import { createMessenger } from '../../src/discord/send/messenger.ts';
import { createDeliveries, type Deliveries } from '../../src/messages/outbox/ledger.ts';
import type {
  OpenConversation,
  OutgoingMessage,
  Recipient,
  SendOutcome,
} from '../../src/messages/outbox/message.ts';
import { createOutbox } from '../../src/messages/outbox/outbox.ts';
import type { Documents } from '../../src/store/documents.ts';
import { documentsInMemory } from './documents-in-memory.ts';

export type SentMessage = OutgoingMessage & { readonly to: Recipient };

export const tooMany = new DiscordAPIError(
  { code: 40003, message: 'You are opening direct messages too fast' },
  ...([40003, 403, 'POST', 'https://chat.example', {}] as const),
);
export const blocked = new DiscordAPIError(
  { code: 200000, message: 'Message was blocked by automatic moderation' },
  ...([200000, 400, 'POST', 'https://chat.example', {}] as const),
);
export const unavailable = new HTTPError(503, 'no', 'POST', 'https://chat.example', {});

/** Conversations that are open at once; `post` says what becomes of each message. */
export function openTo(post: (message: SentMessage) => Promise<SendOutcome>): OpenConversation {
  return async (to) => ({ post: (message) => post({ ...message, to }) });
}

interface OutboxParts {
  readonly clock?: Clock;
  readonly documents?: Documents;
  readonly deliveries?: Deliveries;
  readonly log?: Log;
  readonly maySend?: () => boolean;
}

const silent = createLog({ level: 'silent', secrets: [] });

/** The outbox of one process over these conversations. */
export function outboxOver(open: OpenConversation, parts: OutboxParts = {}) {
  const { clock = systemClock, log = silent, maySend = () => true } = parts;
  const { documents = documentsInMemory(clock.now) } = parts;
  const { deliveries = createDeliveries(documents) } = parts;
  const runs = createRuns(clock, (error) => log.error({ err: error }, 'notices failed'));
  const outbox = createOutbox({ documents, deliveries, open, maySend, clock, log, runs });
  return { documents, deliveries, runs, outbox };
}

/** The outbox of one process over Discord's requests. */
export function outboxTo(rest: Pick<Rest, 'post'>, parts: OutboxParts = {}) {
  const { clock = systemClock, log = silent } = parts;
  return outboxOver(createMessenger(rest, clock, log), parts);
}

/** A notice to a person whose rule for roles is paused. */
export function rolesNotice(personId: string, key = '1') {
  const to = { kind: 'direct', personId } as const;
  return { kind: 'roles-notice', key, to, content: 'a rule is paused' } as const;
}
