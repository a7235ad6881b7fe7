/** A process gives its boards up to another one, while Discord is slow or answers nothing. */
import { describe, expect, test } from 'vitest';
import type { Clock } from '../../../src/base/clock.ts';
import { MINUTE, SECOND } from '../../../src/base/duration.ts';
import type { RequestResult } from '../../../src/messages/boards/channels.ts';
import { allBoards, boardsInMemory, CHANNEL, type Sabotage } from './support/boards-in-memory.ts';

const sleep = (clock: Clock, ms: number): Promise<void> => new Promise((resolve) => clock.after(ms, resolve));

/** Two processes, of which the first has an edit under way that takes so long. */
async function withEditUnderWay(takes: number, phase: number, answer?: RequestResult) {
  const bot = boardsInMemory();
  let begun = 0;
  let isSlow = false;
  const slowly: Sabotage = {
    chat: (chat, { clock }) => ({
      ...chat,
      async edit(place, message) {
        if (!isSlow) return chat.edit(place, message);
        begun += 1;
        await sleep(clock, takes);
        return answer ?? chat.edit(place, message);
      },
    }),
  };
  const first = await bot.withBoard(slowly);
  bot.start();
  await bot.time.pass(MINUTE + phase);
  isSlow = true;
  bot.game.version = 2;
  while (begun === 0) await bot.time.pass(10);
  return { bot, first };
}

describe('a board that is given up', () => {
  // The store is compared every five seconds: one of these falls into the edit.
  test.for([0, 1, 2, 3, 4])('stores what its last edit showed (%i)', async (phase) => {
    const { bot, first } = await withEditUnderWay(3500, phase * SECOND);
    const begun = bot.time.clock.now();
    await first.stop();
    const [board] = await allBoards(bot.store);
    expect(board?.state.lastEdit).toBeGreaterThanOrEqual(begun - SECOND);
    expect(bot.version()).toBe(2);
  });

  test('is waited for four seconds at most', async () => {
    const { bot, first } = await withEditUnderWay(MINUTE, 0, { kind: 'lost', why: 'ECONNRESET' });
    const stopped = first.stop();
    await bot.time.pass(10 * SECOND);
    // The other one shows the newest state.
    expect(bot.version()).toBe(2);
    await bot.time.until(stopped);
  });
});

test('a board whose maker had their data deleted notifies no person that it pauses', async () => {
  const bot = boardsInMemory();
  const process = await bot.withBoard();
  await bot.time.pass(SECOND);
  await bot.store.change(CHANNEL, (settings) => ({ ...settings, madeBy: '' }));
  await bot.time.pass(10 * SECOND);
  bot.chat.setRights(CHANNEL, []);
  await bot.time.pass(MINUTE);
  expect((await allBoards(bot.store))[0]?.state.paused).toMatchObject({ why: 'rights', notified: true });
  expect(bot.chat.requests.filter(({ what }) => what === 'notify')).toEqual([]);
  expect((await process.boards.list(bot.chat.guildId))[0]?.errors).toEqual([]);
});

test('a process that is not sure of its lock sends nothing more', async () => {
  const bot = boardsInMemory();
  await bot.withBoard();
  bot.boardStore.broken = true;
  bot.lock.isAway = true;
  await bot.time.pass(MINUTE);
  const before = bot.chat.requests.length;
  bot.game.version = 2;
  await bot.time.pass(MINUTE);
  expect(bot.chat.requests).toHaveLength(before);
});

test.for([1, 4])('a board begins at once when its process takes over (%i)', async (phase) => {
  const bot = boardsInMemory();
  const first = await bot.withBoard();
  let mayAct = (): boolean => false;
  bot.start({
    shards: (shards) => {
      mayAct = () => shards.mayAct(bot.chat.guildId);
      return shards;
    },
  });
  await bot.time.pass(MINUTE + phase * SECOND);
  const stopped = first.stop();
  while (!mayAct()) await bot.time.pass(10);
  const before = bot.edits();
  // The next look at the store may be five seconds away.
  for (let ms = 0; ms < 1200 && bot.edits() === before; ms += 10) await bot.time.pass(10);
  expect(bot.edits()).toBe(before + 1);
  await bot.time.until(stopped);
});

test('a board asked for again while the store is slow is run once', async () => {
  const bot = boardsInMemory();
  const first = await bot.withBoard();
  await first.stop();
  const second = bot.start({
    records: (records, { clock }) => ({
      ...records,
      async stateOf(channelId) {
        await sleep(clock, 12 * SECOND);
        return records.stateOf(channelId);
      },
    }),
  });
  await bot.time.pass(5 * SECOND);
  // A person's change looks at the store as well.
  void second.boards.changeAll(bot.chat.guildId, { locale: 'de' });
  await bot.time.pass(2 * MINUTE);
  const before = bot.edits();
  for (const version of [2, 3, 4, 5, 6]) {
    bot.game.version = version;
    await bot.time.pass(20 * SECOND);
  }
  expect(bot.edits() - before).toBe(5);
});

test('a message that an earlier process may have sent is edited as an old one', async () => {
  const bot = boardsInMemory();
  const process = bot.start();
  await bot.time.pass(100);
  const asked = bot.request();
  void process.boards.create(asked);
  bot.chat.onCreated = () => process.kill();
  await bot.time.pass(15 * SECOND);
  bot.chat.onCreated = null;
  bot.game.version = 2;
  // Discord does not list the message yet; of two sends with one nonce it makes one, with the first content.
  bot.start({ chat: (chat) => ({ ...chat, find: async () => ({ kind: 'found', messageIds: [] }) }) });
  await bot.time.pass(MINUTE);
  expect(bot.version()).toBe(2);
});
