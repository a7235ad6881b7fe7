/** Many boards in one process, on a virtual clock and a model of Discord. */

import { describe, expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../../src/base/duration.ts';
import { newBoardOptions } from '../../../src/cards/board/board.ts';
import { computeTurn, createPace } from '../../../src/messages/boards/pace.ts';
import { VirtualTime } from '../../sim/virtual-time.ts';
import type { Seen } from '../../support/chat-model.ts';
import {
  type BoardsInMemory,
  boardsInMemory,
  OWNER,
  type Process,
  textOf,
  versionOf,
} from './support/boards-in-memory.ts';

describe('the pace of all boards', () => {
  function paceOf(boards: number, processes = 1) {
    const time = new VirtualTime(0);
    const discord = { counts: 0 };
    return {
      time,
      discord,
      pace: createPace({
        clock: time.clock,
        boards: () => boards,
        processes: () => processes,
        requestsNow: () => discord.counts,
      }),
    };
  }

  /** From now until the turn of a new ticket, in ms. */
  const waits = ({ time, pace }: ReturnType<typeof paceOf>): number =>
    Math.max(0, computeTurn(pace.take(), pace.served()) - time.clock.monotonic());

  test('gives a turn at once where nobody else wants one', async () => {
    const all = paceOf(1);
    expect(waits(all)).toBe(0);
    await all.time.pass(SECOND);
    expect(waits(all)).toBe(0);
  });

  test.each([
    [1, 40],
    [2, 20],
    [8, 5],
  ])('gives %i processes so many turns a second each, evenly: %i', (processes, each) => {
    const all = paceOf(100, processes);
    const turns = Array.from({ length: 2 * each }, () => waits(all));
    expect(turns).toEqual(turns.map((_, index) => (index * SECOND) / each));
  });

  test('saves no turns up while nobody wants one', async () => {
    const all = paceOf(100);
    await all.time.pass(MINUTE);
    expect([waits(all), waits(all)]).toEqual([0, 25]);
  });

  test('makes up for no more than four turns that were missed together', async () => {
    const all = paceOf(100);
    const tickets = Array.from({ length: 100 }, () => all.pace.take());
    // The process was held up: its turns could not be used.
    await all.time.pass(SECOND);
    const served = all.pace.served();
    const now = all.time.clock.monotonic();
    expect(tickets.map((ticket) => Math.max(0, computeTurn(ticket, served) - now)).slice(0, 8)).toEqual([
      0, 0, 0, 0, 0, 25, 50, 75,
    ]);
  });

  test('gives no turn while Discord may still be counting as many as it takes', async () => {
    const all = paceOf(100, 2);
    expect(waits(all)).toBe(0);
    await all.time.pass(SECOND);
    all.discord.counts = 23;
    expect(all.pace.served().hasRoom).toBe(false);
    // The next turn is not known; it is looked for every time that there could be one.
    for (let turns = 0; turns < 5; turns += 1) {
      expect(waits(all)).toBeGreaterThan(0);
      await all.time.pass(50);
    }
    all.discord.counts = 22;
    const { ticket } = all.pace.served();
    expect(ticket).toBe(2);
  });

  test('gives the only request of one process among many its turn', async () => {
    const all = paceOf(100, 100);
    expect(waits(all)).toBe(0);
  });

  test('loses no turn to a timer that is a little late', async () => {
    const all = paceOf(100);
    const last = Array.from({ length: 40 }, () => all.pace.take()).at(-1) ?? 0;
    for (let late = 0; late < 30; late += 1) {
      await all.time.pass(33);
      all.pace.served();
    }
    expect(computeTurn(last, all.pace.served())).toBeLessThanOrEqual(all.time.clock.monotonic());
  });

  test.each([
    [1, 1, null],
    [160, 1, null],
    [161, 1, 4025],
    [2500, 1, 62_500],
    [2500, 4, 250_000],
  ])('of %i boards in each of %i processes is one round in %s ms', (boards, processes, round) => {
    expect(paceOf(boards, processes).pace.round()).toBe(round);
  });
});

/** So many boards, each in a channel and with a message of its own. */
async function withBoards(count: number): Promise<{ bot: BoardsInMemory; process: Process }> {
  const bot = boardsInMemory();
  const { guildId } = bot.chat;
  for (let board = 0; board < count; board += 1) {
    const channelId = `9${String(board).padStart(17, '0')}`;
    bot.chat.addChannel(channelId);
    const madeAt = bot.time.clock.now();
    await bot.store.add({
      guildId,
      channelId,
      madeBy: OWNER,
      locale: 'en',
      colours: true,
      madeAt,
      removed: false,
      options: newBoardOptions,
    });
  }
  const process = bot.start();
  await bot.time.pass(MINUTE);
  return { bot, process };
}

function edits({ chat }: BoardsInMemory, since: number): readonly Seen[] {
  return chat.seen.filter(({ by, at }) => by === 'edit' && at > since);
}

/** The most within any second. */
function busiestSecond(seen: readonly Pick<Seen, 'at'>[]): number {
  const times = seen.map(({ at }) => at).toSorted((a, b) => a - b);
  return Math.max(...times.map((at) => times.filter((other) => other >= at && other < at + SECOND).length));
}

describe('two hundred boards', () => {
  test('all show a change within one round, at forty edits a second', async () => {
    const { bot } = await withBoards(200);
    await bot.time.pass(MINUTE);
    const begun = bot.time.clock.now();
    bot.game.version += 1;
    // Five seconds for the round, two until the change is read, and Discord's own time.
    await bot.time.pass(8 * SECOND);
    const seen = edits(bot, begun);
    expect(new Set(seen.map(({ channelId }) => channelId)).size).toBe(200);
    expect(seen).toHaveLength(200);
    for (const { content } of seen) expect(versionOf(content)).toBe(bot.game.version);
    // One more where the time to Discord differs.
    expect(busiestSecond(seen)).toBeLessThanOrEqual(45);
    expect(busiestSecond(seen.slice(0, 40))).toBeGreaterThan(30);
  });

  test('send no more than Discord takes in a second, even after a delay', async () => {
    const { bot } = await withBoards(200);
    for (const heldUp of [200, 1000, 5000, 15_000]) {
      await bot.time.pass(MINUTE);
      const begun = bot.time.clock.now();
      bot.game.version += 1;
      await bot.time.pass(4 * SECOND);
      bot.chat.fault = 'held-up';
      await bot.time.pass(heldUp);
      bot.chat.fault = null;
      await bot.time.pass(heldUp > 7 * SECOND ? 30 * SECOND : 8 * SECOND);
      const asked = bot.chat.requests.filter(({ at }) => at > begun);
      expect(busiestSecond(asked)).toBeLessThanOrEqual(50);
      expect(new Set(edits(bot, begun).map(({ channelId }) => channelId)).size).toBe(200);
    }
  });

  test('show what a person has just chosen at once, whoever else is in line', async () => {
    const { bot, process } = await withBoards(200);
    await bot.time.pass(MINUTE);
    bot.game.version += 1;
    await bot.time.pass(2500);
    const channelId = `9${String(150).padStart(17, '0')}`;
    const begun = bot.time.clock.now();
    const edited = process.boards.edit(bot.chat.guildId, channelId, { language: 'de' });
    await bot.time.until(edited);
    await bot.time.pass(500);
    const since = edits(bot, begun);
    expect(since.map((seen) => seen.channelId)).toContain(channelId);
    expect(since.length).toBeLessThan(100);
  });

  test('do not always show what is new in the same order', async () => {
    const { bot } = await withBoards(200);
    const firsts = new Set<string | undefined>();
    for (let round = 0; round < 5; round += 1) {
      await bot.time.pass(MINUTE);
      const begun = bot.time.clock.now();
      bot.game.version += 1;
      await bot.time.pass(10 * SECOND);
      firsts.add(edits(bot, begun)[0]?.channelId);
    }
    expect(firsts.size).toBeGreaterThan(1);
  });

  test('are checked and edited in turns when the bot comes back', async () => {
    const { bot, process } = await withBoards(200);
    process.kill();
    const begun = bot.time.clock.now();
    bot.game.version += 1;
    bot.start();
    await bot.time.pass(MINUTE);
    const asked = bot.chat.requests.filter(({ at }) => at > begun);
    expect(new Set(asked.map(({ channelId }) => channelId)).size).toBe(200);
    expect(busiestSecond(asked)).toBeLessThanOrEqual(45);
    expect(edits(bot, begun).length).toBeGreaterThanOrEqual(200);
  });

  test('show only the newest state, in turns, when there is always something new', async () => {
    const { bot } = await withBoards(200);
    const begun = bot.time.clock.now();
    for (let seconds = 0; seconds < 60; seconds += 1) {
      bot.game.version += 1;
      await bot.time.pass(SECOND);
    }
    const seen = edits(bot, begun + 5 * SECOND);
    const byBoard = Map.groupBy(seen, ({ channelId }) => channelId);
    expect(byBoard.size).toBe(200);
    for (const own of byBoard.values()) {
      // 55 seconds at five a round.
      expect(own.length).toBeGreaterThanOrEqual(9);
      expect(own.length).toBeLessThanOrEqual(13);
    }
    expect(busiestSecond(seen)).toBeLessThanOrEqual(45);
    for (const { content, at } of seen) {
      // Read every two seconds, and up to a fraction of a second on the way.
      const version = 1 + Math.floor((at - begun) / SECOND);
      expect(versionOf(content)).toBeGreaterThanOrEqual(version - 4);
    }
    expect(textOf(seen.at(-1)?.content ?? { embeds: [{}], components: [] })).toContain('updates every 5 s');
  });
});
