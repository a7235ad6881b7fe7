/** Sees at the chat server what the processes of one bot do, and finds what must never happen. */
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { LocalChat } from '../../../src/sandbox/chat/chat-server.ts';
import { serves } from '../../../src/sandbox/chat/guild/shard.ts';
import * as verdict from './verdict.ts';

export interface Witness {
  /** Resolves when each shard has a session. */
  allConnected(shards: number): Promise<void>;
  /** Resolves when each board has been edited from now on, or after so many ms. */
  allEdited(patience: number): Promise<void>;
  /** Resolves when nothing that has reached a copy waits for an answer, or after so many ms. */
  allAnswered(killedAt: (copy: string) => number, patience: number): Promise<void>;
  /** Empty where nothing is wrong. Boards count as neglected that were not edited for longer than `most` (ms). */
  complaints(killedAt: (copy: string) => number, from: number, most: number): readonly string[];
  /** For a long run, which prints them. */
  figures(from: number): Readonly<Record<string, number>>;
}

const LOOK_EVERY = 100;

/** A callback without an answer. */
const Deferral = z.looseObject({ type: z.literal([5, 6]) });

type Callback = Omit<verdict.Callback, 'finished'> & { readonly token: string };

export function createWitness(chat: LocalChat): Witness {
  const edits: verdict.Edit[] = [];
  const callbacks: Callback[] = [];
  /** Tokens of interactions with an answer after the callback. */
  const finished = new Set<string>();
  const messages = new Map<string, Set<string>>();
  /** Guilds by the channels of their boards. */
  const boards = new Map(chat.guilds.map(({ id, channels }) => [channels[1]?.id ?? '', id]));

  chat.subscribe((event) => {
    if (event.type === 'message' && boards.has(event.message.channel_id)) {
      const { id, channel_id: channelId } = event.message;
      messages.set(channelId, (messages.get(channelId) ?? new Set()).add(id));
    }
    if (event.type !== 'answered') return;
    const { method, path, status, at, copy } = event.request;
    const by = { at, copy: copy ?? '' };
    const good = status === 200 || status === 204;
    const [, channelId = ''] = /^\/channels\/(\d+)\/messages\/\d+$/.exec(path) ?? [];
    if (method === 'PATCH' && good && boards.has(channelId)) edits.push({ ...by, channelId });
    const [, interactionId, token = ''] = /^\/interactions\/(\d+)\/([^/]+)\/callback$/.exec(path) ?? [];
    const deferred = Deferral.safeParse(event.sent).success;
    if (interactionId !== undefined) callbacks.push({ ...by, interactionId, token, good, deferred });
    const [, settled] = /^\/webhooks\/\d+\/([^/]+)/.exec(path) ?? [];
    if (settled !== undefined && method !== 'GET' && good) finished.add(settled);
  });

  const answers = (): readonly verdict.Callback[] =>
    callbacks.map((one) => ({ ...one, finished: finished.has(one.token) }));
  const logins = (): readonly verdict.Login[] =>
    chat.identifies.map(({ shard, copy, ...one }) => ({ ...one, shard: shard[0], copy: copy ?? '' }));

  function shardOf(channelId: string): number {
    const count = chat.identifies.at(-1)?.shard[1] ?? 1;
    const all = Array.from({ length: count }, (_, id) => id);
    return all.find((id) => serves([id, count], boards.get(channelId) ?? '')) ?? 0;
  }

  const arrivals = (): readonly verdict.Arrival[] =>
    chat.deliveries
      .filter(({ live }) => live)
      .map(({ at, interactionId, session }) => ({ at, interactionId, copy: session.copy ?? '' }));
  const waiting = (killedAt: (copy: string) => number): readonly string[] => [
    ...verdict.unanswered(arrivals(), answers(), killedAt),
    ...verdict.unfinished(answers(), killedAt),
  ];

  return {
    async allConnected(shards) {
      while (new Set(chat.sessions.map(({ shard }) => shard[0])).size < shards) await pause(LOOK_EVERY);
    },
    async allEdited(patience) {
      const from = Date.now();
      const isEdited = (channelId: string): boolean =>
        edits.some((edit) => edit.at > from && edit.channelId === channelId);
      while (![...boards.keys()].every(isEdited) && Date.now() < from + patience) await pause(LOOK_EVERY);
    },
    async allAnswered(killedAt, patience) {
      const until = Date.now() + patience;
      do await pause(LOOK_EVERY);
      while (waiting(killedAt).length > 0 && Date.now() < until);
    },
    complaints(killedAt, from, most) {
      return [
        ...verdict.neglected(edits, { channels: [...boards.keys()], from, until: Date.now(), most }),
        ...verdict.editedByTwo(edits, logins(), shardOf),
        ...[...messages].filter(([, ids]) => ids.size > 1).map(([id]) => `there were two boards in ${id}`),
        ...waiting(killedAt),
        ...verdict.answeredTwice(answers()),
        ...logins()
          // A login within five seconds of another process's is refused once, and made again.
          .filter(({ outcome }) => outcome !== 'ready' && outcome !== 'invalid-session')
          .map(({ copy, shard, outcome }) => `${copy} was refused at shard ${shard}: ${outcome}`),
      ];
    },
    figures(from) {
      const span = { from, until: Date.now() };
      const asked = Map.groupBy(chat.deliveries, ({ interactionId }) => interactionId);
      const reached = (sessions: number): number =>
        [...asked.values()].filter((all) => all.filter(({ live }) => live).length === sessions).length;
      const gaps = [...boards.keys()].map((channelId) => verdict.longestGap(edits, channelId, span));
      return {
        edits: edits.length,
        'changes of holder': verdict.holderChanges(edits),
        'longest without an edit, ms': Math.max(...gaps),
        questions: asked.size,
        'questions that reached nobody': reached(0),
        'questions that reached two': reached(2),
        answers: callbacks.length,
        logins: chat.identifies.length,
      };
    },
  };
}
