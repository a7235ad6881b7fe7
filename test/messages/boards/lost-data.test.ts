/** The store loses everything, as a database that is restored empty does: the messages of its boards still stand. */
import { expect, test } from 'vitest';
import { HOUR, SECOND } from '../../../src/base/duration.ts';
import { type BoardsInMemory, boardsInMemory, CHANNEL, type Process } from './support/boards-in-memory.ts';

const lostBy = (bot: BoardsInMemory, { boards }: Process) => bot.time.until(boards.lost(bot.chat.guildId));

async function withLostBoard() {
  const bot = boardsInMemory();
  const process = await bot.withBoard();
  await bot.time.pass(HOUR);
  const [message] = bot.chat.alive(CHANNEL);
  if (message === undefined) throw new Error('there is no board');
  const failures: unknown[] = [];
  bot.failed = (error) => failures.push(error);
  await bot.store.remove(CHANNEL);
  await bot.time.pass(10 * SECOND);
  return { bot, process, message, failures };
}

test('a process says once that a board of its own is no longer in the store', async () => {
  const { bot, failures } = await withLostBoard();
  await bot.time.pass(HOUR);
  expect(failures.map(String)).toEqual([expect.stringContaining('the store has lost 1 boards: /board list')]);
});

test('the board is found again after a restart, and a new one adopts its message', async () => {
  const { bot, process, message } = await withLostBoard();
  await process.stop();
  // Others write there, too.
  bot.chat.chatter(CHANNEL, 60);
  const next = bot.start();
  await bot.time.pass(SECOND);
  expect(await lostBy(bot, next)).toEqual([CHANNEL]);
  bot.game.version = 2;
  expect(await bot.time.until(next.boards.create(bot.request()))).toEqual({
    kind: 'created',
    posted: true,
  });
  await bot.time.pass(10 * SECOND);
  expect(bot.chat.alive(CHANNEL).map(({ id }) => id)).toEqual([message.id]);
  expect(bot.version()).toBe(2);
  expect(await lostBy(bot, next)).toEqual([]);
});

test('nothing is searched while the store has a board; a removed one is not lost', async () => {
  const bot = boardsInMemory();
  const process = await bot.withBoard();
  const searches = () => bot.chat.requests.filter(({ what }) => what === 'find').length;
  const before = searches();
  expect(await lostBy(bot, process)).toEqual([]);
  expect(searches()).toBe(before);
  await bot.time.until(process.boards.remove(bot.chat.guildId, CHANNEL));
  expect(await lostBy(bot, process)).toEqual([]);
});
