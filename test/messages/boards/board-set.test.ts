import { expect, test } from 'vitest';
import { newBoardOptions } from '../../../src/cards/board/board.ts';
import { createBoardMessages } from '../../../src/messages/boards/board-messages.ts';
import { createBoardSet } from '../../../src/messages/boards/board-set.ts';
import type { Board } from '../../../src/messages/boards/runner.ts';
import { createStoredBoards } from '../../../src/messages/boards/stored-boards.ts';
import { noFacts } from '../../../src/service/models/facts.ts';
import { documentsInMemory } from '../../support/documents-in-memory.ts';
import { keepBusy } from '../../support/keep-busy.ts';
import { createTranslators } from '../../support/translators.ts';
import { countTurns } from '../../support/turns.ts';
import { boardsInMemory } from './support/boards-in-memory.ts';

function unused(): never {
  throw new Error('not asked for');
}

/** A board that looks at what is new for so many milliseconds. */
function slowBoard(channelId: string, ms: number, looked: () => void): Board {
  const settings = {
    guildId: '1',
    channelId,
    madeBy: '11',
    locale: 'en-GB',
    colours: true,
    madeAt: 0,
    removed: false,
  };
  return {
    key: channelId,
    messages: createBoardMessages({
      ...{ records: createStoredBoards(documentsInMemory()), poll: { facts: noFacts, isReady: () => false } },
      ...{ clock: { now: () => 0 }, translatorFor: createTranslators() },
    }),
    status: {
      settings: { ...settings, options: newBoardOptions },
      ...{ mode: 'live', isPosted: true, paused: null, lastEdit: null, checked: null, errors: [] },
    },
    factsChanged() {
      keepBusy(ms);
      looked();
    },
    ended: () => new Promise(() => {}),
    ...{
      wake: unused,
      lookAgain: unused,
      accessChanged: unused,
      change: unused,
      resume: unused,
      isPosted: unused,
    },
    ...{ stop: unused, handOver: unused, abandon: unused },
  };
}

test('many boards that look at what is new let everything else have its turn meanwhile', async () => {
  let looked = 0;
  const boards = Array.from({ length: 40 }, (_, at) => slowBoard(`${at}`, 2, () => (looked += 1)));
  let changed = (): void => {};
  const poll = {
    watch(_sources: unknown, news: () => void) {
      changed = news;
      return () => {};
    },
  };
  const set = createBoardSet({ poll, channels: { access: unused } });
  for (const board of boards) set.add(board);
  changed();
  let turns = 0;
  for (; looked < boards.length; turns += 1) await new Promise(setImmediate);
  // 80 ms of work; at once there is not one turn.
  expect(turns).toBeGreaterThanOrEqual(5);
});

test('many boards that begin at a start let everything else have its turn meanwhile', async () => {
  const { store, start, time, chat, request } = boardsInMemory();
  for (let at = 0; at < 40; at += 1) {
    chat.addChannel(`${at}`);
    const board = { ...request({ channelId: `${at}` }), options: newBoardOptions };
    await store.add({ ...board, madeAt: 0, removed: false });
  }
  const turns = countTurns();
  const turnsOfStates: number[] = [];
  start({
    records: (records) => ({
      ...records,
      stateOf(channelId) {
        turnsOfStates.push(turns());
        return records.stateOf(channelId);
      },
    }),
  });
  while (turnsOfStates.length < 40) await time.pass(10);
  expect(new Set(turnsOfStates).size).toBe(40);
});

test('each look at a board costs the same, however many there are', () => {
  let reads = 0;
  const set = createBoardSet({ poll: { watch: () => unused }, channels: { access: unused } });
  for (let at = 0; at < 500; at += 1) {
    const { status, ...board } = slowBoard(`${at}`, 0, unused);
    const { settings } = status;
    const options = { ...settings.options, members: 'off' } as const;
    set.add({
      ...board,
      get status() {
        reads += 1;
        return { ...status, settings: { ...settings, options } };
      },
    });
  }
  reads = 0;
  for (const board of set.boards.values()) set.check(board);
  expect(reads).toBeLessThanOrEqual(5 * 500);
});
