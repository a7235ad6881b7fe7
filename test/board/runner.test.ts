/** One board after a bug, which is reported but not met again and again. */
import { expect, test } from 'vitest';
import { newState } from '../../src/board/board-records.ts';
import { createBoard } from '../../src/board/runner.ts';
import { VirtualTime } from '../sim/virtual-time.ts';
import { createChatModel } from '../support/chat-model.ts';
import { frame, settings, state } from './support/states.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

function createStage() {
  const time = new VirtualTime(Date.UTC(2026, 2, 5, 6));
  const bugs: unknown[] = [];
  const world = { hasBug: true, shown: 'a' };
  const chat = createChatModel(time.clock, () => 0.5);
  chat.addChannel(settings.channelId);
  const board = createBoard({
    ...{ marker: 'm', settings, stored: newState, clock: time.clock, random: () => 0.5 },
    channels: chat.client(),
    save: async () => {},
    forget: async () => {},
    notify: async () => ({ kind: 'ok' }),
    takeTicket: () => 1,
    observe() {
      if (world.hasBug) throw new Error('a bug');
      const { monotonic } = time.clock;
      const { topic, voice, checkEvery } = state();
      const served = { ticket: 1, at: monotonic(), gap: 25, hasRoom: true };
      return {
        mayAct: true,
        access: { kind: 'open' },
        topic,
        voice,
        checkEvery,
        served,
        frame: frame(world.shown),
      };
    },
    onBug: (error) => bugs.push(error),
  });
  const wakeEveryTwoSeconds = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 2 * SECOND) {
      board.wake();
      await time.pass(2 * SECOND);
    }
  };
  return { time, bugs, world, chat, board, wakeEveryTwoSeconds };
}

test('a bug that lasts is met once a minute, however often the board is woken', async () => {
  const { bugs, wakeEveryTwoSeconds } = createStage();
  await wakeEveryTwoSeconds(58 * SECOND);
  expect(bugs).toHaveLength(1);
  await wakeEveryTwoSeconds(10 * MINUTE);
  expect(bugs).toHaveLength(11);
});

test('a board that met a bug goes on by itself after a minute', async () => {
  const { time, world, chat, board } = createStage();
  board.wake();
  await time.pass(SECOND);
  world.hasBug = false;
  await time.pass(50 * SECOND);
  expect(chat.requests).toEqual([]);
  await time.pass(15 * SECOND);
  expect(board.status.isPosted).toBe(true);
});

test('a board that met a bug ends when it is asked to', async () => {
  const { time, bugs, board } = createStage();
  board.wake();
  await time.pass(SECOND);
  void board.stop();
  await time.pass(SECOND);
  expect(bugs).toHaveLength(2);
});
