/** One board: after a bug, which is reported but not met again and again; and how its writing is counted. */
import { expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../../src/base/duration.ts';
import { newBoardState } from '../../../src/cards/board/board.ts';
import { createBoardMessages } from '../../../src/messages/boards/board-messages.ts';
import type { BoardChannels, RequestResult } from '../../../src/messages/boards/channels.ts';
import type { KeptMessages } from '../../../src/messages/boards/kept-messages.ts';
import { createPace } from '../../../src/messages/boards/pace.ts';
import { createBoard } from '../../../src/messages/boards/runner.ts';
import { createStoredBoards } from '../../../src/messages/boards/stored-boards.ts';
import type { World } from '../../../src/messages/boards/world.ts';
import { noFacts } from '../../../src/service/models/facts.ts';
import { VirtualTime } from '../../sim/virtual-time.ts';
import { createChatModel } from '../../support/chat-model.ts';
import { documentsInMemory } from '../../support/documents-in-memory.ts';
import { createTranslators } from '../../support/translators.ts';
import { frame, settings } from './support/states.ts';

function createOneBoard(swapped: Partial<BoardChannels> = {}) {
  const time = new VirtualTime(Date.UTC(2026, 2, 5, 6));
  const { clock } = time;
  const bugs: unknown[] = [];
  /** Keys of messages whose content Discord has not taken. */
  const blocked: string[] = [];
  const frames = { hasBug: true, shown: 'a' };
  const chat = createChatModel(clock, () => 0.5);
  chat.addChannel(settings.channelId);
  const channels = { ...chat.client(), ...swapped };
  const everywhere: World = {
    channels,
    clock,
    records: createStoredBoards(documentsInMemory(clock.now)),
    shards: { owns: () => true, mayAct: () => true, processes: () => 1 },
    poll: { facts: noFacts, isReady: () => true, watch: () => () => {}, hurry: () => {} },
    pace: createPace({ clock, boards: () => 1, processes: () => 1, requestsNow: channels.requestsNow }),
    random: () => 0.5,
    translatorFor: createTranslators(),
    failed: (error) => bugs.push(error),
    writes: new Map(),
    keptMessages: [],
  };
  const messages: KeptMessages = {
    ...createBoardMessages(everywhere),
    frame() {
      if (frames.hasBug) throw new Error('a bug');
      return frame(frames.shown);
    },
    blocked: (key) => void blocked.push(key),
  };
  const board = createBoard(
    { key: settings.channelId, messages },
    { ...settings, guildId: chat.guildId },
    newBoardState,
    everywhere,
  );
  const wakeEveryTwoSeconds = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 2 * SECOND) {
      board.wake();
      await time.pass(2 * SECOND);
    }
  };
  return { time, bugs, frames, chat, board, blocked, wakeEveryTwoSeconds, writes: everywhere.writes };
}

test('a bug that lasts is met once a minute, however often the board is woken', async () => {
  const { bugs, wakeEveryTwoSeconds } = createOneBoard();
  await wakeEveryTwoSeconds(58 * SECOND);
  expect(bugs).toHaveLength(1);
  await wakeEveryTwoSeconds(10 * MINUTE);
  expect(bugs).toHaveLength(11);
});

test('a board that met a bug goes on by itself after a minute', async () => {
  const { time, frames, chat, board } = createOneBoard();
  board.wake();
  await time.pass(SECOND);
  frames.hasBug = false;
  await time.pass(50 * SECOND);
  expect(chat.requests).toEqual([]);
  await time.pass(15 * SECOND);
  expect(board.status.isPosted).toBe(true);
});

test('a board that met a bug ends when it is asked to', async () => {
  const { time, bugs, board } = createOneBoard();
  board.wake();
  await time.pass(SECOND);
  void board.stop();
  await time.pass(SECOND);
  expect(bugs).toHaveLength(2);
});

test('messages sent and edited are counted by their outcome, and nothing else', async () => {
  const answers: RequestResult[] = [{ kind: 'ok' }, { kind: 'ok' }, { kind: 'refused', why: '50035' }];
  const { time, frames, board, writes } = createOneBoard({
    edit: async () => answers.shift() ?? { kind: 'ok' },
  });
  frames.hasBug = false;
  for (const shown of ['a', 'b', 'c', 'd']) {
    frames.shown = shown;
    board.wake();
    await time.pass(20 * SECOND);
  }
  expect(Object.fromEntries(writes)).toEqual({ ok: 3, refused: 1 });
});

test.each(['send', 'edit'] as const)('a %s that Discord blocks is reported to its owner', async (what) => {
  const answer = async () => ({ kind: 'blocked', why: '400, code 200000' }) as const;
  const { time, frames, board, blocked } = createOneBoard({ [what]: answer });
  frames.hasBug = false;
  for (const shown of ['a', 'b']) {
    frames.shown = shown;
    board.wake();
    await time.pass(20 * SECOND);
  }
  expect(blocked).toEqual([settings.channelId]);
});
