import type { Clock } from '../../src/base/clock.ts';
import { HOUR, MINUTE } from '../../src/base/duration.ts';
import { type Access, RIGHTS } from '../../src/cards/board/board.ts';
import { createRequestCount, type RequestCount } from '../../src/discord/rest/request-count.ts';
import type { BoardChannels, BoardMessage, RequestFailure } from '../../src/messages/boards/channels.ts';

/**
 * A small model of Discord as boards see it: nonces, limits, permissions, messages, and every way to fail. It runs
 * on the given clock, so that a day takes seconds.
 */
export interface ChatModel {
  readonly guildId: string;
  /** One process's view of it. */
  client(): BoardChannels;
  /** What goes wrong with requests, for as long as it is set. */
  fault: ChatFault | null;
  /** While the gateway is down it reports nothing; afterwards it reports what has happened meanwhile. */
  setGateway(up: boolean): void;
  setGuildAvailable(available: boolean): void;
  setRights(channelId: string, rights: readonly ModelRight[]): void;
  addChannel(channelId: string): void;
  /** Null where there is none. */
  topicOf(channelId: string): string | null;
  /** By a moderator. */
  setTopic(channelId: string, topic: string | null): void;
  deleteChannel(channelId: string): void;
  /** The bot is in the guild, and its clock is right. */
  mayForget: boolean;
  /** By a moderator. */
  deleteMessage(messageId: string): void;
  /** Other people's messages. */
  chatter(channelId: string, count: number): void;
  /** Boards' messages that are there, oldest first. */
  alive(channelId: string): readonly ModelMessage[];
  /** Called when a message is created, before anyone is notified. */
  onCreated: ((message: ModelMessage) => void) | null;
  /** Every request as it was made. */
  readonly requests: readonly ModelRequest[];
  /** Every state of a message, in the order in which it was seen. */
  readonly seen: readonly Seen[];
  readonly notified: readonly { readonly personId: string; readonly text: string }[];
}

/**
 * - `down`: 5xx, nothing is done. `done-but-500`: it is done all the same.
 * - `reset`: no answer, some of it is done, and some of that only later, a send as late as ten seconds after.
 * - `hang`: never answered; some of it is done, some of that late. `slow`: answered after one to six seconds.
 * - `held-up`: what is on its way arrives when that is over, all together.
 * - `401`, `429`, `30046` (edits alone). `read-down`: reading fails.
 */
export type ChatFault =
  | 'down'
  | 'done-but-500'
  | 'reset'
  | 'hang'
  | 'slow'
  | 'held-up'
  | '401'
  | '429'
  | '30046'
  | 'read-down';

export interface ModelMessage {
  readonly id: string;
  readonly channelId: string;
  readonly createdAt: number;
  content: BoardMessage;
}

export interface ModelRequest {
  readonly at: number;
  readonly what: 'send' | 'edit' | 'remove' | 'check-message' | 'find' | 'notify' | 'topic';
  readonly channelId: string;
  /** Counted by Discord towards a ban: 401, 403 and 429. */
  readonly invalid: boolean;
}

export interface Seen {
  readonly at: number;
  readonly messageId: string;
  readonly channelId: string;
  readonly content: BoardMessage;
  readonly by: 'send' | 'edit';
}

/** A right that a board may need, or that earlier versions needed for the topic. */
type ModelRight = (typeof RIGHTS)[number] | 'ManageChannels';

/** All that a board may use in a channel. */
export const ALL_RIGHTS: readonly ModelRight[] = [...RIGHTS, 'ManageChannels'];

/** How long a client waits for an answer. */
const PATIENCE = 7000;
const NONCE_KEPT = 5 * 60_000;
const GUILD = '700000000000000001';

interface Channel {
  rights: readonly ModelRight[];
  topic: string | null;
  /** When its topic was changed, each change a try as well. */
  readonly changes: number[];
  readonly edits: number[];
  readonly oldEdits: number[];
  /** How many messages, of other people, are newer than that of ours. */
  readonly others: { at: number; count: number }[];
}

export function createChatModel(clock: Clock, random: () => number): ChatModel {
  const channels = new Map<string, Channel>();
  const messages = new Map<string, ModelMessage>();
  const nonces = new Map<string, { readonly id: string; readonly at: number }>();
  const requests: ModelRequest[] = [];
  const seen: Seen[] = [];
  const notified: { personId: string; text: string }[] = [];
  const listeners = new Set<(guildId: string) => void>();
  let gatewayUp = true;
  let available = true;
  let lastId = 1_000_000_000_000_000_000n;
  /** What the gateway has reported. */
  let known = { available, channels: new Map<string, Pick<Channel, 'rights'>>() };

  function announce(): void {
    if (!gatewayUp) return;
    clock.after(200, () => {
      if (!gatewayUp) return;
      const told = [...channels].map(([id, { rights }]) => [id, { rights }] as const);
      known = { available, channels: new Map(told) };
      for (const listener of [...listeners]) listener(GUILD);
    });
  }

  function sleep(ms: number): Promise<void> {
    return new Promise((resolve) => clock.after(ms, resolve));
  }

  const lost: RequestFailure = { kind: 'lost', why: 'no answer' };

  /** Makes one request: `act` does it, or says why not. */
  async function ask<T extends { readonly kind: string }>(
    what: ModelRequest['what'],
    channelId: string,
    act: () => T | RequestFailure,
  ): Promise<T | RequestFailure> {
    const isRead = what === 'check-message' || what === 'find';
    const arrived = (invalid: boolean) => requests.push({ at: clock.now(), what, channelId, invalid });
    const note = (answer: T | RequestFailure): T | RequestFailure => {
      arrived(answer.kind === 'forbidden' || answer.kind === 'too-fast');
      return answer;
    };
    await sleep(20 + random() * 60);
    while (model.fault === 'held-up') await sleep(10);
    if (!available && what !== 'notify') {
      note(lost);
      return lost;
    }
    switch (model.fault) {
      case 'down':
        return note(lost);
      case '401':
        return note({ kind: 'too-fast', retryAfter: 15_000, counted: true });
      case '429':
        return note({ kind: 'too-fast', retryAfter: 1000, counted: true });
      case '30046':
        if (what === 'edit') return note({ kind: 'too-fast', retryAfter: 6000, counted: true });
        break;
      case 'read-down':
        if (isRead) return note(lost);
        break;
      case 'done-but-500':
        // Only what is answered with 401, 403 or 429 counts as invalid.
        arrived(false);
        act();
        return lost;
      case 'reset': {
        const late = random();
        if (late < 0.3) note(act());
        else if (late < 0.6) clock.after(random() * (what === 'send' ? 10_000 : 3500), act);
        return lost;
      }
      case 'hang': {
        const late = random();
        if (late < 0.3) act();
        else if (late < 0.6) clock.after(5000 * random(), act);
        await sleep(PATIENCE);
        return note(lost);
      }
      case 'slow':
        await sleep(1000 + 5500 * random());
        break;
      case null:
    }
    const answer = note(act());
    await sleep(20 + random() * 60);
    return answer;
  }

  function need(channelId: string, needed: readonly ModelRight[]): RequestFailure | null {
    const channel = channels.get(channelId);
    if (channel === undefined) return { kind: 'unknown-channel' };
    return ['ViewChannel' as const, ...needed].every((right) => channel.rights.includes(right))
      ? null
      : { kind: 'forbidden' };
  }

  /** Counts one more request, or returns the refusal with the wait until the next is allowed. */
  function limited(times: number[], limit: number, window: number): RequestFailure | null {
    const now = clock.now();
    while (times[0] !== undefined && now - times[0] >= window) times.shift();
    const [first] = times;
    if (first !== undefined && times.length >= limit)
      return { kind: 'too-fast', retryAfter: first + window - now, counted: true };
    times.push(now);
    return null;
  }

  /** As the gateway has reported it. */
  function granted(guildId: string, channelId: string): Access {
    const channel = guildId === GUILD ? known.channels.get(channelId) : undefined;
    if (!known.available) return { kind: 'unavailable' };
    if (channel === undefined) return { kind: 'unknown-channel' };
    const missing = RIGHTS.filter((right) => !channel.rights.includes(right));
    return missing.length === 0 ? { kind: 'open' } : { kind: 'missing', rights: missing };
  }

  function add(channelId: string): void {
    const rights = ALL_RIGHTS;
    channels.set(channelId, { rights, topic: null, changes: [], edits: [], oldEdits: [], others: [] });
    known.channels.set(channelId, { rights });
  }

  function clientOf(count: RequestCount): BoardChannels {
    const request = <T extends { readonly kind: string }>(...asked: Parameters<typeof ask<T>>) =>
      count.during(() => ask<T>(...asked));
    return {
      requestsNow: count.now,
      access: (guildId, channelId) => granted(guildId, channelId),
      writable: (guildId) => [...known.channels.keys()].filter((id) => granted(guildId, id).kind === 'open'),
      mayForget: async () => model.mayForget,
      changeTopic: (channelId, written) =>
        request('topic', channelId, () => {
          const refusal = need(channelId, ['ViewChannel', 'ManageChannels']);
          const channel = channels.get(channelId);
          if (refusal !== null || channel === undefined) return refusal ?? { kind: 'unknown-channel' };
          const topic = written(channel.topic);
          if (topic === channel.topic) return { kind: 'ok' } as const;
          const tooMany = limited(channel.changes, 2, 10 * MINUTE);
          if (tooMany !== null) return tooMany;
          channel.topic = topic;
          announce();
          return { kind: 'ok' } as const;
        }),
      onAccess(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      send: (channelId, content, nonce) =>
        request('send', channelId, () => {
          const refusal = need(channelId, ['SendMessages', 'EmbedLinks']);
          if (refusal !== null) return refusal;
          const key = `${channelId} ${nonce}`;
          const before = nonces.get(key);
          if (before !== undefined && clock.now() - before.at < NONCE_KEPT && messages.has(before.id))
            return { kind: 'sent', messageId: before.id } as const;
          lastId += 1n;
          const message = { id: String(lastId), channelId, createdAt: clock.now(), content };
          messages.set(message.id, message);
          nonces.set(key, { id: message.id, at: clock.now() });
          seen.push({ at: clock.now(), messageId: message.id, channelId, content, by: 'send' });
          model.onCreated?.(message);
          return { kind: 'sent', messageId: message.id } as const;
        }),
      edit: ({ channelId, messageId }, content) =>
        request('edit', channelId, () => {
          const refusal = need(channelId, ['EmbedLinks']);
          if (refusal !== null) return refusal;
          const message = messages.get(messageId);
          const channel = channels.get(channelId);
          if (message === undefined || channel === undefined) return { kind: 'unknown-message' };
          const isOld = clock.now() - message.createdAt > HOUR;
          const tooMany = isOld ? limited(channel.oldEdits, 3, 6000) : limited(channel.edits, 5, 5000);
          if (tooMany !== null) return tooMany;
          message.content = content;
          seen.push({ at: clock.now(), messageId, channelId, content, by: 'edit' });
          return { kind: 'ok' } as const;
        }),
      remove: ({ channelId, messageId }) =>
        request('remove', channelId, () => {
          const refusal = need(channelId, []);
          if (refusal !== null) return refusal;
          return messages.delete(messageId) ? ({ kind: 'ok' } as const) : { kind: 'unknown-message' };
        }),
      checkMessage: ({ channelId, messageId }) =>
        request('check-message', channelId, () => {
          const refusal = need(channelId, ['ReadMessageHistory']);
          if (refusal !== null) return refusal;
          return messages.has(messageId) ? ({ kind: 'ok' } as const) : { kind: 'unknown-message' };
        }),
      find: (channelId, marker, since) =>
        request('find', channelId, () => {
          const refusal = need(channelId, ['ReadMessageHistory']);
          if (refusal !== null) return refusal;
          const others = channels.get(channelId)?.others ?? [];
          // A page of a hundred is read whole.
          const isWithinReach = ({ createdAt }: ModelMessage): boolean => {
            const later = others.filter(({ at }) => at >= createdAt);
            const between = later.reduce((sum, { count }) => sum + count, 0);
            return between < 100 || (createdAt >= since - 5 * 60_000 && between < 1000);
          };
          const own = model
            .alive(channelId)
            .filter(
              (message) => isWithinReach(message) && JSON.stringify(message.content).includes(`"${marker}"`),
            );
          return { kind: 'found', messageIds: own.map(({ id }) => id) } as const;
        }),
      notify: (personId, text) =>
        request('notify', '', () => {
          notified.push({ personId, text });
          return { kind: 'ok' } as const;
        }),
    };
  }

  const model: ChatModel = {
    guildId: GUILD,
    fault: null,
    onCreated: null,
    requests,
    seen,
    notified,
    client: () => clientOf(createRequestCount(clock)),
    setGateway(up) {
      gatewayUp = up;
      announce();
    },
    setGuildAvailable(is) {
      available = is;
      announce();
    },
    setRights(channelId, rights) {
      const channel = channels.get(channelId);
      if (channel !== undefined) channel.rights = rights;
      announce();
    },
    addChannel: add,
    topicOf: (channelId) => channels.get(channelId)?.topic ?? null,
    setTopic(channelId, topic) {
      const channel = channels.get(channelId);
      if (channel !== undefined) channel.topic = topic;
      announce();
    },
    mayForget: true,
    deleteChannel(channelId) {
      channels.delete(channelId);
      for (const message of [...messages.values()])
        if (message.channelId === channelId) messages.delete(message.id);
      announce();
    },
    deleteMessage(messageId) {
      messages.delete(messageId);
    },
    chatter(channelId, count) {
      channels.get(channelId)?.others.push({ at: clock.now(), count });
    },
    alive: (channelId) => [...messages.values()].filter((message) => message.channelId === channelId),
  };
  return model;
}
