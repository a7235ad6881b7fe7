import { makeURLSearchParams, Routes, SnowflakeUtil } from 'discord.js';
import { z } from 'zod';
import { MINUTE } from '../../base/duration.ts';
import type {
  BoardChannels,
  RequestFailure,
  RequestResult,
  SearchResult,
} from '../../messages/boards/channels.ts';
import type { Connection } from '../connection.ts';
import { messageBody, noMentions } from '../rest/message-body.ts';
import { createRestOnce, type RestAnswer } from '../rest/rest-once.ts';

const RESPONSE_TIMEOUT_MS = 7000;

const Id = z.object({ id: z.string() });
const Topical = z.object({ topic: z.string().nullish() });

const PAGE_SIZE = 100;
/** Searches up to a thousand messages for one whose id was not stored. */
const MAX_PAGES = 10;
/** Discord's clock and ours may differ. */
const MAX_CLOCK_SKEW_MS = 5 * MINUTE;

const Messages = z.array(
  z.object({
    id: z.string(),
    author: z.object({ id: z.string() }),
    components: z
      .array(z.object({ components: z.array(z.object({ custom_id: z.string().optional() })).catch([]) }))
      .catch([]),
  }),
);

/** Boards over Discord's REST API. */
export function createBoardChannels(options: {
  readonly guilds: Pick<Connection, 'access' | 'writable' | 'onAccess' | 'userId' | 'requests'>;
  readonly token: string;
  readonly apiUrl: string | null;
  /** How long to wait for a response in ms; after that the outcome is unknown. */
  readonly timeoutMs?: number;
}): Omit<BoardChannels, 'notify' | 'mayForget'> {
  const { guilds, token, apiUrl, timeoutMs = RESPONSE_TIMEOUT_MS } = options;
  const ask = createRestOnce({ token, apiUrl, timeoutMs, requests: guilds.requests });

  return {
    access: guilds.access,
    writable: guilds.writable,
    onAccess: guilds.onAccess,
    requestsNow: guilds.requests.now,
    async send(channelId, message, nonce) {
      const body = messageBody({ ...message, nonce, roles: [] });
      const answer = await ask('post', Routes.channelMessages(channelId), { body });
      if (answer.kind !== 'answered') return answer;
      const sentMessage = Id.safeParse(answer.body);
      if (!sentMessage.success) return { kind: 'lost', why: 'an unreadable answer' };
      return { kind: 'sent', messageId: sentMessage.data.id };
    },
    edit: ({ channelId, messageId }, message) =>
      toResult(
        ask('patch', Routes.channelMessage(channelId, messageId), { body: { ...message, ...noMentions } }),
      ),
    remove: ({ channelId, messageId }) =>
      toResult(ask('delete', Routes.channelMessage(channelId, messageId))),
    checkMessage: ({ channelId, messageId }) =>
      toResult(ask('get', Routes.channelMessage(channelId, messageId))),
    /** Searches a channel backwards, page by page; the first page whatever its age. */
    async find(channelId, marker, oldestTime) {
      const messageIds: string[] = [];
      let beforeId: string | undefined;
      for (let page = 0; page < MAX_PAGES; page += 1) {
        const query = makeURLSearchParams({ limit: PAGE_SIZE, before: beforeId });
        const answer = await ask('get', Routes.channelMessages(channelId), { query });
        if (answer.kind !== 'answered') return answer;
        const messages = Messages.safeParse(answer.body);
        if (!messages.success) return { kind: 'lost', why: 'an unreadable answer' };
        if (page === 0 && messages.data.length === 0) return foundNothing(ask, channelId);
        const ownMessages = messages.data.filter(
          ({ author, components }) =>
            author.id === guilds.userId() &&
            components.some((row) => row.components.some(({ custom_id }) => custom_id === marker)),
        );
        messageIds.unshift(...ownMessages.map(({ id }) => id).toReversed());
        beforeId = messages.data.at(-1)?.id;
        if (messages.data.length < PAGE_SIZE || beforeId === undefined) break;
        if (SnowflakeUtil.timestampFrom(beforeId) < oldestTime - MAX_CLOCK_SKEW_MS) break;
      }
      return { kind: 'found', messageIds };
    },
    async changeTopic(channelId, changeText) {
      const answer = await ask('get', Routes.channel(channelId));
      if (answer.kind !== 'answered') return answer;
      const read = Topical.safeParse(answer.body);
      if (!read.success) return { kind: 'lost', why: 'an unreadable answer' };
      const oldTopic = read.data.topic ?? null;
      const topic = changeText(oldTopic);
      if (topic === oldTopic) return { kind: 'ok' };
      return toResult(ask('patch', Routes.channel(channelId), { body: { topic } }));
    },
  };
}

async function toResult(answering: Promise<RestAnswer | RequestFailure>): Promise<RequestResult> {
  const answer = await answering;
  return answer.kind === 'answered' ? { kind: 'ok' } : answer;
}

/** Without Read Message History, Discord shows an empty channel but refuses a single message. */
async function foundNothing(
  ask: ReturnType<typeof createRestOnce>,
  channelId: string,
): Promise<SearchResult> {
  const history = await ask('get', Routes.channelMessage(channelId, channelId));
  return history.kind === 'unknown-message' || history.kind === 'answered'
    ? { kind: 'found', messageIds: [] }
    : history;
}
