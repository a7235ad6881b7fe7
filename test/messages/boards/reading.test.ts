/** When the boards in the store are read. */

import { expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../../src/base/duration.ts';
import type { BoardSettings } from '../../../src/cards/board/board.ts';
import { type BoardsInMemory, boardsInMemory, CHANNEL, type Sabotage } from './support/boards-in-memory.ts';

/** A process with a board. `reads`: how often it has read all settings since, and `states` how often one state. */
async function withBoard(sabotage: Sabotage = {}) {
  const bot = boardsInMemory(1);
  const found = { reads: 0, states: 0 };
  const { all, read } = bot.boardStore;
  bot.boardStore.all = (collection) => {
    if (collection === 'boards') found.reads += 1;
    return all(collection);
  };
  bot.boardStore.read = (collection, key) => {
    if (collection === 'board-states') found.states += 1;
    return read(collection, key);
  };
  await bot.withBoard(sabotage);
  found.reads = 0;
  found.states = 0;
  return { bot, found };
}

/** As another process would. */
async function change({ store }: BoardsInMemory, changes: Partial<BoardSettings>): Promise<void> {
  expect(await store.change(CHANNEL, (settings) => ({ ...settings, ...changes }))).not.toBeNull();
}

const isGone = ({ chat }: BoardsInMemory): boolean => chat.alive(CHANNEL).length === 0;

test('what has not changed is not read again, however often the board is edited', async () => {
  const { bot, found } = await withBoard();
  for (bot.game.version = 2; bot.game.version < 10; bot.game.version += 1) {
    await bot.time.pass(20 * SECOND);
    expect(bot.version()).toBe(bot.game.version);
  }
  expect(found).toEqual({ reads: 0, states: 0 });
});

test('changes by another process are read within five seconds, once', async () => {
  const { bot, found } = await withBoard();
  const before = bot.text();
  await change(bot, { locale: 'de' });
  await bot.time.pass(20 * SECOND);
  expect(bot.text()).not.toBe(before);
  expect(found).toEqual({ reads: 1, states: 0 });
  await change(bot, { removed: true });
  await bot.time.pass(6 * SECOND);
  expect(isGone(bot)).toBe(true);
});

test('a board rests while its process may not act, and goes on within five seconds', async () => {
  let mayAct = true;
  const { bot, found } = await withBoard({
    shards: (shards) => ({ ...shards, mayAct: (guildId) => mayAct && shards.mayAct(guildId) }),
  });
  mayAct = false;
  await bot.time.pass(10 * SECOND);
  bot.game.version = 2;
  await bot.time.pass(MINUTE);
  expect(bot.version()).toBe(1);
  expect(found).toEqual({ reads: 0, states: 0 });
  mayAct = true;
  await bot.time.pass(6 * SECOND);
  expect(bot.version()).toBe(2);
  expect(found).toEqual({ reads: 0, states: 0 });
});
