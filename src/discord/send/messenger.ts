/** Posts messages to people and channels, and tells what has become of each. */

import Bottleneck from 'bottleneck';
import { DiscordAPIError, RateLimitError, RESTJSONErrorCodes, Routes } from 'discord.js';
import { z } from 'zod';
import { createBoundedMap } from '../../base/bounded.ts';
import { type Clock, sleep } from '../../base/clock.ts';
import { SECOND } from '../../base/duration.ts';
import type { Log } from '../../base/log.ts';
import { createOutage } from '../../base/outage.ts';
import { createSingleFlight } from '../../base/single-flight.ts';
import {
  type Conversation,
  type LastingRefusal,
  type OpenConversation,
  type OutgoingMessage,
  type SendOutcome,
  type Urgency,
  urgencies,
} from '../../messages/outbox/message.ts';
import { messageBody } from '../rest/message-body.ts';
import { isBlockedContent, isBusy, isUnsent } from '../rest/resend.ts';
import type { Rest } from '../rest/rest-client.ts';

/** Discord's refusals that stay the same until somebody changes something. */
const lastingRefusals: ReadonlyMap<number | string, LastingRefusal> = new Map([
  [RESTJSONErrorCodes.CannotSendMessagesToThisUser, 'closed'],
  [RESTJSONErrorCodes.UnknownUser, 'closed'],
  // No mutual guilds.
  [50278, 'closed'],
  [RESTJSONErrorCodes.UnknownChannel, 'gone'],
  [RESTJSONErrorCodes.MissingAccess, 'rights'],
  [RESTJSONErrorCodes.MissingPermissions, 'rights'],
]);

/** New conversations of this process within any span of so many ms: Discord refuses people who open many. */
const CONVERSATION_LIMIT = { count: 5, spanMs: 5 * SECOND } as const;
/** Conversations whose ids are remembered, in memory only. */
const MAX_CONVERSATIONS = 10_000;

const OpenedConversation = z.object({ id: z.string() });

/** `rest`: sends the POST of a message once, whatever becomes of it. */
export function createMessenger(rest: Pick<Rest, 'post'>, clock: Clock, log: Log): OpenConversation {
  /** The conversation's channel by person. */
  const conversations = createBoundedMap<string, string>(MAX_CONVERSATIONS);
  const openOnce = createSingleFlight<Awaited<ReturnType<OpenConversation>>>();
  const inTurn = createTurns(clock);
  const outage = createOutage(
    (error) => log.warn({ err: error }, 'Discord does not take messages'),
    () => log.info('Discord takes messages again'),
  );

  async function attempt<Result>(
    work: () => Promise<Result>,
  ): Promise<Result | Exclude<SendOutcome, 'sent'>> {
    try {
      const result = await work();
      outage.worked();
      return result;
    } catch (error) {
      const outcome = outcomeOf(error);
      if (outcome === 'unsent' || outcome === 'perhaps-sent') outage.failed(error);
      else log.warn({ err: error }, 'Discord did not accept a message');
      return outcome;
    }
  }

  const post = (channelId: string, { picture, ...message }: OutgoingMessage): Promise<SendOutcome> =>
    attempt(async () => {
      const route = Routes.channelMessages(channelId);
      const body = messageBody(message);
      if (picture !== undefined)
        try {
          await rest.post(route, withPicture(body, picture));
          return 'sent' as const;
        } catch (error) {
          if (!mayBeAboutFile(error)) throw error;
          log.warn({ err: error }, 'Discord did not accept the picture');
        }
      await rest.post(route, { body });
      return 'sent' as const;
    });

  function conversationWith(personId: string, channelId: string, isNew: boolean): Conversation {
    return {
      async post(message) {
        const outcome = await post(channelId, message);
        if (outcome !== 'gone' && outcome !== 'rights') return outcome;
        conversations.delete(personId);
        // A person has no other place to be refused in, but a remembered conversation may be no longer theirs.
        return outcome === 'gone' && !isNew ? 'unsent' : 'closed';
      },
    };
  }

  /** Opening sends nothing, so that any failure of it is certain. */
  async function openConversation(personId: string) {
    const opened = await attempt(async () =>
      OpenedConversation.parse(await rest.post(Routes.userChannels(), { body: { recipient_id: personId } })),
    );
    if (typeof opened === 'object') {
      conversations.set(personId, opened.id);
      return conversationWith(personId, opened.id, true);
    }
    if (opened === 'refused') return 'refused';
    return opened === 'unsent' || opened === 'perhaps-sent' ? 'unsent' : 'closed';
  }

  return async (to, urgency) => {
    if (to.kind === 'channel') return { post: (message) => post(to.channelId, message) };
    const { personId } = to;
    const conversationId = conversations.get(personId);
    if (conversationId !== undefined) return conversationWith(personId, conversationId, false);
    return openOnce(personId, () => inTurn(urgency, () => openConversation(personId)));
  };
}

function withPicture(body: object, { name, png, alt }: NonNullable<OutgoingMessage['picture']>) {
  const file = { name: `${name}.png`, data: Buffer.from(png), contentType: 'image/png' };
  return { body: { ...body, attachments: [{ id: '0', description: alt }] }, files: [file] };
}

/** Discord has refused the message, perhaps for its file: without *Attach Files*, for one. */
function mayBeAboutFile(error: unknown): boolean {
  if (!(error instanceof DiscordAPIError) || !isCertainlyUnsent(error)) return false;
  const refusal = lastingRefusal(error);
  return (refusal === null || refusal === 'rights') && !isBusy(error) && !isBlockedContent(error);
}

function outcomeOf(error: unknown): Exclude<SendOutcome, 'sent'> {
  const refusal = lastingRefusal(error);
  if (refusal !== null) return refusal;
  if (!isCertainlyUnsent(error)) return 'perhaps-sent';
  const passes = !(error instanceof DiscordAPIError) || isBusy(error) || [401, 429].includes(error.status);
  return passes ? 'unsent' : 'refused';
}

function lastingRefusal(error: unknown): LastingRefusal | null {
  return (error instanceof DiscordAPIError && lastingRefusals.get(error.code)) || null;
}

/**
 * Discord has refused the message itself, which a number says that what stands in front of Discord does not give; or the
 * request never left.
 */
function isCertainlyUnsent(error: unknown): boolean {
  if (error instanceof RateLimitError) return true;
  if (error instanceof DiscordAPIError)
    return typeof error.code === 'number' && error.status >= 400 && error.status < 500;
  return isUnsent(error);
}

/** Runs work by its urgency, as many at a time and in a span as {@link CONVERSATION_LIMIT} says. */
function createTurns(clock: Clock) {
  const { count, spanMs } = CONVERSATION_LIMIT;
  // See the permit queue for `minTime` and the first job: Bottleneck must not wait for a wall clock that was set back.
  const limiter = new Bottleneck({ maxConcurrent: count, minTime: Number.NEGATIVE_INFINITY });
  void limiter.schedule(async () => {});
  /** When the last ones began, oldest first (monotonic ms). */
  const startTimes: number[] = Array.from({ length: count }, () => Number.NEGATIVE_INFINITY);
  return <Result>(urgency: Urgency, work: () => Promise<Result>): Promise<Result> =>
    limiter.schedule({ priority: urgencies.indexOf(urgency) }, async () => {
      const now = clock.monotonic();
      const at = Math.max(now, (startTimes.shift() ?? now) + spanMs);
      startTimes.push(at);
      if (at > now) await sleep(clock, at - now);
      return work();
    });
}
