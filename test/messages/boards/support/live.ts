import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type APIMessage, ChannelType } from 'discord.js';
import { test as base } from 'vitest';
import type { Clock } from '../../../../src/base/clock.ts';
import { createLog } from '../../../../src/base/log.ts';
import type { BoardOptions, BoardState } from '../../../../src/cards/board/board.ts';
import { createConnection } from '../../../../src/discord/connection.ts';
import { createBoardChannels } from '../../../../src/discord/send/board-channels.ts';
import { createLiveBoards } from '../../../../src/messages/boards/live-boards.ts';
import { createMakerNotices } from '../../../../src/messages/boards/notify-maker.ts';
import { createStoredBoards } from '../../../../src/messages/boards/stored-boards.ts';
import type { LocalChat } from '../../../../src/sandbox/chat/chat-server.ts';
import type { Service } from '../../../../src/service/client.ts';
import { createPoll } from '../../../../src/service/poll/poll.ts';
import { openDatabase } from '../../../../src/store/sqlite/database.ts';
import { storeFormat } from '../../../../src/store/sqlite/format.ts';
import { prepareFile } from '../../../../src/store/sqlite/prepare-file.ts';
import { createSqliteSql } from '../../../../src/store/sqlite/sql.ts';
import { createDocuments } from '../../../../src/store/tables/documents.ts';
import { outboxTo } from '../../../support/messages.ts';
import { startChatServer } from '../../../support/outside-judge.ts';
import { createTranslators } from '../../../support/translators.ts';
import { createGame, createService, everyGuild, type Game, textOf } from './boards-in-memory.ts';
import { createFastClock } from './fast-clock.ts';

/** The boards over the real gateway and REST clients, the real store and the sandbox's local chat server. */
export interface Live {
  readonly chat: LocalChat;
  readonly game: Game;
  readonly clock: Clock;
  readonly file: string;
  readonly channel: string;
  /** Changes what the store knows of the channel's board. No process runs meanwhile. */
  rewriteState(change: (state: BoardState) => BoardState): Promise<void>;
  /** Like a process of its own: a login, a connection to the store, boards. */
  start(service?: Service): Promise<Copy>;
  create(
    copy: Copy,
    options?: Partial<BoardOptions>,
  ): ReturnType<ReturnType<typeof createLiveBoards>['create']>;
  /** Our messages in the channel. */
  messages(): readonly APIMessage[];
  text(): string;
  /** Resolves when it is so; fails with what there is instead after so many of the board's seconds. */
  until(what: () => boolean, seconds?: number): Promise<void>;
  pass(seconds: number): Promise<void>;
  /** From now on time passes no faster than requests need, for what goes by a clock of the library's own. */
  slowDown(): void;
  /** Requests to Discord about messages since then. */
  requests(): number;
}

export interface Copy {
  readonly boards: ReturnType<typeof createLiveBoards>;
  stop(): Promise<void>;
  /** Nothing more is sent, and nothing is tidied up. */
  kill(): Promise<void>;
}

export const test = base.extend<{ live: Live }>({
  live: async ({ task: _ }, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'pitwall-board-'));
    const file = join(folder, 'store.sqlite');
    const { clock, hold, holding, end: endTime } = createFastClock();
    const chat = await startChatServer({ now: clock.now });
    const game = createGame();
    const channel = chat.channels.find(({ type }) => type === ChannelType.GuildText)?.id ?? '';
    const copies = new Set<Copy>();

    const start = holding(async (service: Service = createService(game, clock)): Promise<Copy> => {
      const log = createLog({ level: 'silent', secrets: [] });
      const connection = createConnection({ token: chat.token, apiUrl: chat.apiUrl, log });
      await connection.connect([{ id: 0, count: 1 }]);
      prepareFile(file, storeFormat('')).close();
      const database = openDatabase(file, { durable: true });
      const records = createStoredBoards(createDocuments(createSqliteSql(database, clock)));
      const boardChat = createBoardChannels({
        guilds: connection,
        token: chat.token,
        apiUrl: chat.apiUrl,
        timeoutMs: 500,
      });
      let dead = false;
      const failed = (error: unknown): void => {
        if (!dead) throw error;
      };
      const boards = createLiveBoards({
        channels: {
          ...boardChat,
          mayForget: async () => true,
          send: holding(boardChat.send),
          edit: holding(boardChat.edit),
          remove: holding(boardChat.remove),
          checkMessage: holding(boardChat.checkMessage),
          find: holding(boardChat.find),
          notify: holding(createMakerNotices(outboxTo(connection.rest).outbox)),
          changeTopic: holding(boardChat.changeTopic),
        },
        records,
        shards: { owns: everyGuild, mayAct: () => true, processes: () => 1 },
        poll: createPoll({ service, clock, failed }),
        // The timers of a process that has been killed never go off.
        clock: { ...clock, after: (ms, callback) => clock.after(ms, () => dead || callback()) },
        random: Math.random,
        translatorFor: createTranslators(),
        keptMessages: [],
        failed,
      });
      await boards.start();
      const end = async (): Promise<void> => {
        dead = true;
        copies.delete(copy);
        await connection.close();
        database.close();
      };
      const copy: Copy = {
        boards,
        async stop() {
          await boards.stop();
          await end();
        },
        kill: end,
      };
      copies.add(copy);
      return copy;
    });

    async function rewriteState(change: (state: BoardState) => BoardState): Promise<void> {
      const database = openDatabase(file, { durable: true });
      const records = createStoredBoards(createDocuments(createSqliteSql(database, clock)));
      await records.saveState(channel, change(await records.stateOf(channel)));
      database.close();
    }

    const messages = (): readonly APIMessage[] => {
      const all = chat.visitor(chat.people[0] ?? '').messages(channel);
      return all.filter(({ author }) => author.id === chat.botId);
    };
    const text = (): string => {
      const [only, ...others] = messages();
      const embed = only?.embeds[0];
      if (embed === undefined || others.length > 0) return `${messages().length} messages`;
      return textOf({ embeds: [embed], components: [] });
    };
    const pass = (seconds: number): Promise<void> =>
      new Promise((resolve) => void clock.after(seconds * 1000, resolve));

    await use({
      chat,
      game,
      clock,
      file,
      channel,
      rewriteState,
      start,
      create: ({ boards }, options = {}) =>
        boards.create({
          options,
          guildId: chat.guildId,
          channelId: channel,
          madeBy: chat.people[0] ?? '',
          locale: 'en',
          colours: true,
        }),
      messages,
      text,
      pass,
      slowDown: () => void hold(),
      async until(what, seconds = 120) {
        const end = clock.monotonic() + seconds * 1000;
        while (!what()) {
          if (clock.monotonic() > end) throw new Error(`it did not come to that; there is: ${text()}`);
          await pass(0.2);
        }
      },
      requests: () => chat.requests.filter(({ path }) => path.includes('/messages')).length,
    });

    for (const copy of [...copies]) await copy.stop();
    endTime();
    await chat.close();
    rmSync(folder, { recursive: true, force: true });
  },
});
