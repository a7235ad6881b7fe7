/** Boards over discord.js: requests that are made once and end in a value, and the rights that the connection knows of. */
import {
  type Client,
  DiscordAPIError,
  Events,
  makeURLSearchParams,
  RateLimitError,
  REST,
  RESTEvents,
  RESTJSONErrorCodes,
  Routes,
  SnowflakeUtil,
} from 'discord.js';
import { z } from 'zod';
import {
  type Access,
  type BoardChat,
  type BoardMessage,
  type Done,
  type Refusal,
  RIGHTS,
} from '../board/channel.ts';

const PATIENCE = 7000;
const PAGE = 100;
/** A thousand messages are looked through for one that nobody has stored the id of. */
const PAGES = 10;
/** Chat's clock and ours may differ. */
const SKEW = 5 * 60_000;
/** Where Discord does not say when an old message may be edited again. */
const OLD_MESSAGE = 6000;

const Id = z.object({ id: z.string() });
const Messages = z.array(
  z.object({
    id: z.string(),
    author: Id,
    components: z
      .array(z.object({ components: z.array(z.object({ custom_id: z.string().optional() })).catch([]) }))
      .catch([]),
  }),
);

type Answered = { readonly kind: 'answered'; readonly body: unknown } | Refusal;

/**
 * Has a REST client of its own: the bot's one repeats a request that failed and plays an old edit after a wait, and a
 * 401 to one of its requests would silence the whole bot.
 */
export function createBoardChat(options: {
  readonly client: Client;
  readonly token: string;
  readonly apiUrl: string | null;
  /** Milliseconds: whoever waits longer for an answer does not know what came of the request. */
  readonly patience?: number;
}): BoardChat & { close(): void } {
  const { client, token, apiUrl, patience = PATIENCE } = options;
  const rest = new REST({
    retries: 0,
    timeout: patience,
    rejectOnRateLimit: () => true,
    ...(apiUrl === null ? {} : { api: apiUrl }),
  }).setToken(token);
  /** Requests that Discord has answered with a 429; the others that come too fast the client holds back itself. */
  const answered429 = new Set<string>();
  rest.on(RESTEvents.Response, ({ method, path }, { status }) => {
    if (status === 429) answered429.add(`${method.toUpperCase()} ${path}`);
  });

  async function ask(
    method: 'get' | 'post' | 'patch' | 'delete',
    route: `/${string}`,
    more: { readonly body?: unknown; readonly query?: URLSearchParams } = {},
  ): Promise<Answered> {
    const key = `${method.toUpperCase()} ${route}`;
    answered429.delete(key);
    try {
      return {
        kind: 'answered',
        body: await rest[method](route, { ...more, signal: AbortSignal.timeout(patience) }),
      };
    } catch (error) {
      if (error instanceof RateLimitError) {
        return {
          kind: 'too-fast',
          retryAfter: Math.max(0, error.retryAfter),
          counted: answered429.delete(key),
        };
      }
      if (!(error instanceof DiscordAPIError)) return { kind: 'lost', why: whatFailed(error) };
      if (error.status === 401) rest.setToken(token);
      return refusalOf(error);
    }
  }

  async function done(answering: Promise<Answered>): Promise<Done> {
    const answer = await answering;
    return answer.kind === 'answered' ? { kind: 'ok' } : answer;
  }

  async function post(channelId: string, message: object, nonce: string) {
    const body = { ...message, ...noMentions, nonce, enforce_nonce: true };
    const answer = await ask('post', Routes.channelMessages(channelId), { body });
    if (answer.kind !== 'answered') return answer;
    const sent = Id.safeParse(answer.body);
    if (!sent.success) return { kind: 'lost', why: 'an unreadable answer' } as const;
    return { kind: 'sent', messageId: sent.data.id } as const;
  }

  function access(guildId: string, channelId: string): Access {
    const guild = client.guilds.cache.get(guildId);
    if (guild === undefined) return { kind: 'unknown-channel' };
    const { me } = guild.members;
    if (!guild.available || me === null) return { kind: 'unavailable' };
    const channel = guild.channels.cache.get(channelId);
    if (channel === undefined || !channel.isTextBased()) return { kind: 'unknown-channel' };
    const granted = channel.permissionsFor(me);
    const rights = RIGHTS.filter((right) => !granted.has(right));
    return rights.length === 0 ? { kind: 'open' } : { kind: 'missing', rights };
  }

  return {
    access,
    onAccess(listener) {
      const ofGuild = ({ id }: { id: string }): void => listener(id);
      const inGuild = (thing: object): void => {
        if ('guild' in thing) listener(Id.parse(thing.guild).id);
      };
      const changed = (_before: unknown, after: object): void => inGuild(after);
      const single = [Events.ChannelCreate, Events.ChannelDelete, Events.GuildRoleDelete] as const;
      const pairs = [Events.ChannelUpdate, Events.GuildRoleUpdate, Events.GuildMemberUpdate] as const;
      const guilds = [
        Events.GuildAvailable,
        Events.GuildUnavailable,
        Events.GuildCreate,
        Events.GuildDelete,
      ] as const;
      for (const event of single) client.on(event, inGuild);
      for (const event of pairs) client.on(event, changed);
      for (const event of guilds) client.on(event, ofGuild);
      return () => {
        for (const event of single) client.off(event, inGuild);
        for (const event of pairs) client.off(event, changed);
        for (const event of guilds) client.off(event, ofGuild);
      };
    },
    send: (channelId, message, nonce) => post(channelId, message, nonce),
    edit: ({ channelId, messageId }, message: BoardMessage) =>
      done(
        ask('patch', Routes.channelMessage(channelId, messageId), { body: { ...message, ...noMentions } }),
      ),
    remove: ({ channelId, messageId }) => done(ask('delete', Routes.channelMessage(channelId, messageId))),
    checkMessage: ({ channelId, messageId }) => done(ask('get', Routes.channelMessage(channelId, messageId))),
    async find(channelId, marker, since) {
      const oldest = SnowflakeUtil.generate({ timestamp: since - SKEW });
      const found: string[] = [];
      let before: string | undefined;
      for (let page = 0; page < PAGES; page += 1) {
        const query = makeURLSearchParams({ limit: PAGE, before });
        const answer = await ask('get', Routes.channelMessages(channelId), { query });
        if (answer.kind !== 'answered') return answer;
        const messages = Messages.safeParse(answer.body);
        if (!messages.success) return { kind: 'lost', why: 'an unreadable answer' };
        // Who may not read the history is shown an empty channel.
        if (page === 0 && messages.data.length === 0) {
          const history = await done(ask('get', Routes.channelMessage(channelId, channelId)));
          return history.kind === 'unknown-message' || history.kind === 'ok'
            ? { kind: 'found', messageIds: [] }
            : history;
        }
        const own = messages.data.filter(
          ({ author, components }) =>
            author.id === client.user?.id &&
            components.some((row) => row.components.some(({ custom_id }) => custom_id === marker)),
        );
        found.unshift(...own.map(({ id }) => id).toReversed());
        before = messages.data.at(-1)?.id;
        if (messages.data.length < PAGE || before === undefined || BigInt(before) < oldest) break;
      }
      return { kind: 'found', messageIds: found };
    },
    async notify(personId, text, nonce) {
      const opened = await ask('post', Routes.userChannels(), { body: { recipient_id: personId } });
      if (opened.kind !== 'answered') return opened;
      const channel = Id.safeParse(opened.body);
      if (!channel.success) return { kind: 'lost', why: 'an unreadable answer' };
      const sent = await post(channel.data.id, { content: text }, nonce);
      return sent.kind === 'sent' ? { kind: 'ok' } : sent;
    },
    close() {
      rest.clearHashSweeper();
      rest.clearHandlerSweeper();
    },
  };
}

const noMentions = { allowed_mentions: { parse: [] } };

function refusalOf({ status, code }: DiscordAPIError): Refusal {
  switch (code) {
    case RESTJSONErrorCodes.UnknownMessage:
      return { kind: 'unknown-message' };
    case RESTJSONErrorCodes.UnknownChannel:
    case RESTJSONErrorCodes.UnknownGuild:
      return { kind: 'unknown-channel' };
    case RESTJSONErrorCodes.MaximumNumberOfEditsToMessagesOlderThanOneHourReached:
      return { kind: 'too-fast', retryAfter: OLD_MESSAGE, counted: status === 429 };
    default:
      if (status === 403) return { kind: 'forbidden' };
      return { kind: 'refused', why: `${status}, code ${code}` };
  }
}

/** Never the message: it may hold an address. */
function whatFailed(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if ('status' in error) return `status ${error.status}`;
  return 'code' in error ? String(error.code) : error.name;
}
