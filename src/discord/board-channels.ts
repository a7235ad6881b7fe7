import { Routes } from 'discord-api-types/v10';
import { z } from 'zod';
import type { BoardChannels, Done, Refusal } from '../board/channels.ts';
import type { Connection } from './connection.ts';
import { findOwnMessages } from './find-own-messages.ts';
import { type Answered, noMentions, postDirectly, postMessage } from './post-message.ts';
import { createRestOnce } from './rest-once.ts';

const PATIENCE = 7000;

const Id = z.object({ id: z.string() });
const Topical = z.object({ topic: z.string().nullish() });

/** Boards over Discord's REST API. */
export function createBoardChannels(options: {
  readonly guilds: Pick<Connection, 'access' | 'topic' | 'voice' | 'onAccess' | 'userId'>;
  readonly token: string;
  readonly apiUrl: string | null;
  /** How long to wait for a response in ms; after that the outcome is unknown. */
  readonly patience?: number;
}): BoardChannels & { close(): void } {
  const { guilds, token, apiUrl, patience = PATIENCE } = options;
  const { ask, close } = createRestOnce({ token, apiUrl, patience });
  const post = (route: `/${string}`, body: object) => ask('post', route, { body });

  return {
    access: guilds.access,
    topic: guilds.topic,
    voice: guilds.voice,
    onAccess: guilds.onAccess,
    async send(channelId, message, nonce) {
      const answer = await postMessage(post, channelId, message, nonce);
      if (answer.kind !== 'answered') return answer;
      const sent = Id.safeParse(answer.body);
      if (!sent.success) return { kind: 'lost', why: 'an unreadable answer' };
      return { kind: 'sent', messageId: sent.data.id };
    },
    edit: ({ channelId, messageId }, message) =>
      done(
        ask('patch', Routes.channelMessage(channelId, messageId), { body: { ...message, ...noMentions } }),
      ),
    remove: ({ channelId, messageId }) => done(ask('delete', Routes.channelMessage(channelId, messageId))),
    checkMessage: ({ channelId, messageId }) => done(ask('get', Routes.channelMessage(channelId, messageId))),
    find: (channelId, marker, since) =>
      findOwnMessages(ask, { channelId, authorId: guilds.userId(), marker, since }),
    async changeTopic(channelId, written) {
      const answer = await ask('get', Routes.channel(channelId));
      if (answer.kind !== 'answered') return answer;
      const read = Topical.safeParse(answer.body);
      if (!read.success) return { kind: 'lost', why: 'an unreadable answer' };
      const before = read.data.topic ?? null;
      const topic = written(before);
      if (topic === before) return { kind: 'ok' };
      return done(ask('patch', Routes.channel(channelId), { body: { topic } }));
    },
    setVoiceStatus: (channelId, status) =>
      done(ask('put', Routes.channelVoiceStatus(channelId), { body: { status } })),
    notify: (personId, content, nonce) => done(postDirectly(post, personId, { content }, nonce)),
    close,
  };
}

async function done(answering: Promise<Answered | Refusal>): Promise<Done> {
  const answer = await answering;
  return answer.kind === 'answered' ? { kind: 'ok' } : answer;
}
