import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../../src/base/duration.ts';
import { RIGHTS } from '../../../src/cards/board/board.ts';
import { BUSY_GAP_MS } from '../../../src/messages/boards/edit-rule.ts';
import {
  allBoards,
  type BoardsInMemory,
  boardsInMemory,
  CHANNEL,
  OWNER,
  textOf,
  versionOf,
} from './support/boards-in-memory.ts';

/** Every state that a reader has seen, by its number. */
function versions({ chat }: BoardsInMemory): readonly number[] {
  return chat.seen.flatMap(({ content }) => versionOf(content) ?? []);
}

function requestsSince({ chat }: BoardsInMemory, at: number): number {
  return chat.requests.filter((request) => request.at >= at).length;
}

function only(bot: BoardsInMemory): string {
  const [message, ...others] = bot.chat.alive(CHANNEL);
  if (message === undefined || others.length > 0) throw new Error('there is not exactly one board');
  return message.id;
}

/** Until its times are renewed, while nothing else changes. */
async function untilEdited(bot: ReturnType<typeof boardsInMemory>): Promise<void> {
  const before = bot.edits();
  while (bot.edits() === before) await bot.time.pass(100);
}

describe('a board in quiet times', () => {
  test('is one message, which shows what the service says', async () => {
    const bot = boardsInMemory();
    await bot.withBoard();
    expect(bot.text()).toContain('v1');
    expect(bot.text()).toContain('Speedway');
    expect(bot.text()).toContain('🟢 live');
  });

  test('shows a change within ten seconds', async () => {
    const bot = boardsInMemory();
    await bot.withBoard();
    bot.game.version = 2;
    await bot.time.pass(10 * SECOND);
    expect(bot.version()).toBe(2);
  });

  test('renews its times once a minute while nothing else changes', async () => {
    const bot = boardsInMemory();
    await bot.withBoard();
    const before = bot.edits();
    await bot.time.pass(HOUR);
    expect(bot.edits() - before).toBeGreaterThanOrEqual(55);
    expect(bot.edits() - before).toBeLessThanOrEqual(60);
  });

  test('shows a change right after its times were renewed as soon as ever', async () => {
    const bot = boardsInMemory();
    await bot.withBoard();
    await bot.time.pass(HOUR);
    await untilEdited(bot);
    bot.game.version = 2;
    // The live file is read every two seconds.
    await bot.time.pass(2100);
    expect(bot.version()).toBe(2);
  });

  test('stays below three edits in any six seconds however fast things change', async () => {
    const bot = boardsInMemory();
    await bot.withBoard();
    // The last edit before the changes renews the times alone.
    await untilEdited(bot);
    for (let round = 0; round < 120; round += 1) {
      bot.game.version += 1;
      await bot.time.pass(SECOND);
    }
    const times = bot.chat.seen.map(({ at }) => at);
    // As fast as the rule lets it, not less, apart from a change a second that may come too late for it.
    expect(times.length).toBeGreaterThan((120 * SECOND) / (BUSY_GAP_MS + SECOND));
    expect(times.filter((at, index) => (times[index + 2] ?? Number.POSITIVE_INFINITY) - at < 6000)).toEqual(
      [],
    );
  });

  test('reads live files every two seconds and the rest each minute, for any boards', async () => {
    const bot = boardsInMemory();
    const { boards } = await bot.withBoard();
    for (const channelId of ['800000000000000002', '800000000000000003']) {
      bot.chat.addChannel(channelId);
      const asked = bot.request({ channelId });
      await bot.time.until(boards.create(asked));
    }
    const before = { ...bot.game.asked };
    await bot.time.pass(10 * MINUTE);
    const since = (source: string): number => (bot.game.asked[source] ?? 0) - (before[source] ?? 0);
    // One file is there; the three others are looked for once a minute.
    expect(since('live')).toBeGreaterThan(290 + 3 * 9);
    expect(since('live')).toBeLessThanOrEqual(300 + 3 * 11);
    for (const source of ['overview', 'chat-status']) {
      expect(since(source)).toBeGreaterThanOrEqual(9);
      expect(since(source)).toBeLessThanOrEqual(10);
    }
  });

  test('reads nothing while there is no board', async () => {
    const bot = boardsInMemory();
    bot.start();
    await bot.time.pass(10 * MINUTE);
    expect(bot.game.asked).toEqual({});
  });
});

describe('1: the read of the board fails at start', () => {
  test.for(['read-down', 'hang', 'down'] as const)('there is no second board: %s', async (fault) => {
    const bot = boardsInMemory();
    const first = await bot.withBoard();
    const id = only(bot);
    first.kill();
    // Without the id there is nothing to do but to read.
    const [record] = await allBoards(bot.store);
    if (record === undefined) throw new Error('nothing is stored');
    await bot.store.saveState(CHANNEL, { ...record.state, posted: null, sending: null });
    bot.chat.fault = fault;
    bot.start();
    await bot.time.pass(2 * MINUTE);
    bot.chat.fault = null;
    await bot.time.pass(30 * SECOND);
    expect(only(bot)).toBe(id);
  });
});

describe('2: deleted by a moderator', () => {
  test('it is back within one cycle, once', async () => {
    const bot = boardsInMemory();
    await bot.withBoard();
    bot.chat.deleteMessage(only(bot));
    await bot.time.pass(20 * SECOND);
    only(bot);
    await bot.time.pass(10 * MINUTE);
    expect(bot.chat.seen.filter(({ by }) => by === 'send')).toHaveLength(2);
  });

  test('stays away after three deletions in ten minutes, and its maker is notified once', async () => {
    const bot = boardsInMemory();
    const { boards } = await bot.withBoard();
    for (let time = 0; time < 3; time += 1) {
      bot.chat.deleteMessage(only(bot));
      await bot.time.pass(MINUTE);
    }
    const since = bot.time.clock.now();
    await bot.time.pass(HOUR);
    expect(bot.chat.alive(CHANNEL)).toEqual([]);
    expect(requestsSince(bot, since)).toBe(0);
    expect(bot.chat.notified).toEqual([{ personId: OWNER, text: expect.stringContaining('three times') }]);
    const again = bot.request();
    expect(await bot.time.until(boards.create(again))).toMatchObject({ kind: 'resumed' });
    await bot.time.pass(10 * SECOND);
    expect(bot.version()).toBe(1);
  });
});

describe('3: rights removed, later restored', () => {
  test.for(RIGHTS)(
    'pauses without %s, notifies its maker once, and resumes on the same message',
    async (right) => {
      const bot = boardsInMemory();
      await bot.withBoard();
      const id = only(bot);
      bot.chat.setRights(
        CHANNEL,
        RIGHTS.filter((other) => other !== right),
      );
      bot.game.version = 2;
      await bot.time.pass(10 * SECOND);
      const since = bot.time.clock.now();
      await bot.time.pass(HOUR);
      expect(requestsSince(bot, since)).toBe(0);
      const name = right.replace(/(?<=[a-z])(?=[A-Z])/g, ' ');
      expect(bot.chat.notified).toEqual([{ personId: OWNER, text: expect.stringContaining(name) }]);
      bot.chat.setRights(CHANNEL, RIGHTS);
      await bot.time.pass(10 * SECOND);
      expect(only(bot)).toBe(id);
      expect(bot.version()).toBe(2);
      expect(bot.chat.notified).toHaveLength(1);
    },
  );

  test('also where the live connection does not tell: slow probes, then the same message', async () => {
    const bot = boardsInMemory();
    await bot.withBoard();
    const id = only(bot);
    bot.chat.setGateway(false);
    bot.chat.setRights(CHANNEL, []);
    bot.game.version = 2;
    await bot.time.pass(HOUR);
    const refused = bot.chat.requests.filter(({ invalid }) => invalid).length;
    expect(refused).toBeGreaterThan(3);
    expect(refused).toBeLessThanOrEqual(10);
    bot.chat.setRights(CHANNEL, RIGHTS);
    await bot.time.pass(11 * MINUTE);
    expect(only(bot)).toBe(id);
    expect(bot.version()).toBe(2);
    expect(bot.chat.notified).toHaveLength(1);
  });
});

describe('4: Discord says that it is too fast', () => {
  test.for(['429', '30046'] as const)(
    'for a minute: the newest state afterwards, never an older one: %s',
    async (fault) => {
      const bot = boardsInMemory();
      await bot.withBoard();
      bot.chat.fault = fault;
      for (let second = 0; second < 60; second += 1) {
        bot.game.version += 1;
        await bot.time.pass(SECOND);
      }
      bot.chat.fault = null;
      await bot.time.pass(20 * SECOND);
      expect(bot.version()).toBe(bot.game.version);
      expect(versions(bot)).toEqual(versions(bot).toSorted((a, b) => a - b));
      const refused = bot.chat.requests.filter(({ invalid }) => invalid).length;
      expect(refused).toBeGreaterThan(1);
      expect(refused).toBeLessThanOrEqual(8);
    },
  );
});

describe('7: the data service fails', () => {
  test.for(['down', 'broken', 'frozen', 'hang'] as const)(
    'stale, then no data, then live again: %s',
    async (fault) => {
      const bot = boardsInMemory();
      await bot.withBoard();
      bot.game.fault = fault;
      await bot.time.pass(30 * SECOND);
      expect(bot.text()).toContain('🟢 live');
      await bot.time.pass(40 * SECOND);
      expect(bot.text()).toContain('⚠️ old data');
      expect(bot.text()).toContain('v1');
      await bot.time.pass(15 * MINUTE);
      expect(bot.text()).toContain('⛔ no data');
      expect(bot.text()).not.toMatch(/v1|\d+\/\d+/);
      bot.game.fault = null;
      bot.game.version = 2;
      await bot.time.pass(20 * SECOND);
      expect(bot.text()).toContain('🟢 live');
      expect(bot.version()).toBe(2);
    },
  );

  test('without live files it is incomplete for 15 minutes, then as after a restart', async () => {
    const bot = boardsInMemory();
    await bot.withBoard();
    bot.game.fault = 'no-files';
    await bot.time.pass(3 * MINUTE);
    expect(bot.text()).toMatch(
      /Incomplete\.\*\* The data service isn't answering[\s\S]*3\/40[\s\S]*⚠️ partly old/,
    );
    await bot.time.pass(20 * MINUTE);
    expect(bot.text()).toMatch(/3\/40[\s\S]*🟢 live/);
    expect(bot.text()).not.toContain('v1');
    bot.game.fault = 'down';
    await bot.time.pass(30 * MINUTE);
    expect(bot.text()).toContain('⛔ no data');
  });

  test('one empty answer in a row of full ones is not believed, two are', async () => {
    const bot = boardsInMemory();
    await bot.withBoard();
    bot.game.blanks = 1;
    await bot.time.pass(MINUTE);
    const text = bot.chat.seen.map(({ content }) => textOf(content)).join('\n');
    expect(text).not.toContain('Empty: **One**');
    bot.game.empty = true;
    await bot.time.pass(20 * SECOND);
    expect(bot.text()).toContain('Empty: **One**');
  });
});

describe('8: the answer to a send is lost', () => {
  test.for(['done-but-500', 'reset', 'hang'] as const)('there is one message: %s', async (fault) => {
    for (let seed = 1; seed <= 10; seed += 1) {
      const bot = boardsInMemory(seed);
      bot.chat.fault = fault;
      await bot.withBoard();
      bot.chat.fault = null;
      await bot.time.pass(30 * SECOND);
      expect(bot.version()).toBe(1);
      expect(bot.chat.seen.filter(({ by }) => by === 'send').length).toBe(1);
    }
  });
});

describe('9: killed between send and store', () => {
  test('the next start adopts it', async () => {
    const bot = boardsInMemory();
    const process = bot.start();
    await bot.time.pass(100);
    bot.chat.onCreated = () => process.kill();
    void process.boards.create(bot.request());
    await bot.time.pass(20 * MINUTE);
    bot.chat.onCreated = null;
    const id = only(bot);
    bot.chat.chatter(CHANNEL, 500);
    bot.game.version = 2;
    bot.start();
    await bot.time.pass(30 * SECOND);
    expect(only(bot)).toBe(id);
    expect(bot.version()).toBe(2);
  });
});

describe('10: the live connection', () => {
  test('an unavailable guild leaves the board untouched, and it continues afterwards', async () => {
    const bot = boardsInMemory();
    await bot.withBoard();
    const id = only(bot);
    bot.chat.setGuildAvailable(false);
    bot.game.version = 2;
    await bot.time.pass(SECOND);
    const since = bot.time.clock.now();
    await bot.time.pass(30 * MINUTE);
    expect(requestsSince(bot, since)).toBe(0);
    bot.chat.setGuildAvailable(true);
    await bot.time.pass(20 * SECOND);
    expect(only(bot)).toBe(id);
    expect(bot.version()).toBe(2);
    expect(bot.chat.notified).toEqual([]);
  });
});

describe('11: two copies running', () => {
  test('one edits; when it is killed the other takes over within half a minute', async () => {
    const bot = boardsInMemory();
    const first = await bot.withBoard();
    bot.start();
    await bot.time.pass(MINUTE);
    await untilEdited(bot);
    const before = bot.edits();
    bot.game.version = 2;
    await bot.time.pass(30 * SECOND);
    expect(bot.edits() - before).toBe(1);
    first.kill();
    bot.game.version = 3;
    await bot.time.pass(30 * SECOND);
    expect(bot.version()).toBe(3);
  });

  test('a process without the lock stores no board and removes none', async () => {
    const bot = boardsInMemory();
    const first = bot.start();
    await bot.time.pass(SECOND);
    const second = bot.start();
    await bot.time.pass(SECOND);
    const request = bot.request();
    await expect(bot.time.until(second.boards.create(request))).rejects.toThrow('not have the lock');
    expect(await allBoards(bot.store)).toEqual([]);
    await bot.time.until(first.boards.create(request));
    await expect(bot.time.until(second.boards.remove(bot.chat.guildId, CHANNEL))).rejects.toThrow(
      'not have the lock',
    );
    expect(await allBoards(bot.store)).toHaveLength(1);
  });
});

describe('12: the channel is deleted', () => {
  test('notifies its maker once, calls no more, and keeps the settings for 30 days', async () => {
    const bot = boardsInMemory();
    await bot.withBoard();
    bot.chat.deleteChannel(CHANNEL);
    await bot.time.pass(MINUTE);
    const since = bot.time.clock.now();
    await bot.time.pass(HOUR);
    bot.time.stepWall(29 * 24 * HOUR);
    await bot.time.pass(HOUR);
    expect(requestsSince(bot, since)).toBe(0);
    expect(bot.chat.notified).toEqual([{ personId: OWNER, text: expect.stringContaining('30 days') }]);
    expect(await allBoards(bot.store)).toHaveLength(1);
    bot.time.stepWall(24 * HOUR);
    // The bot is not in the guild either, or the clock is wrong.
    bot.chat.mayForget = false;
    await bot.time.pass(MINUTE);
    expect(await allBoards(bot.store)).toHaveLength(1);
    bot.chat.mayForget = true;
    await bot.time.pass(MINUTE);
    expect(await allBoards(bot.store)).toEqual([]);
    expect(bot.chat.notified).toHaveLength(1);
  });
});

describe('starting and stopping', () => {
  test('an orderly stop shows a pause; the next start goes on with the same message', async () => {
    const bot = boardsInMemory();
    const first = await bot.withBoard();
    const id = only(bot);
    await first.stop();
    expect(bot.text()).toContain('⏸️ paused');
    bot.start();
    await bot.time.pass(20 * SECOND);
    expect(only(bot)).toBe(id);
    expect(bot.text()).toContain('🟢 live');
  });

  test('hands over to a standby: never paused, never doubled, with its state stored', async () => {
    const bot = boardsInMemory();
    const first = await bot.withBoard();
    const id = only(bot);
    bot.start();
    await bot.time.pass(MINUTE);
    bot.game.version = 2;
    await bot.time.pass(10 * SECOND);
    // The second change is not stored for a minute.
    bot.game.version = 3;
    await bot.time.pass(10 * SECOND);
    const edited = (await allBoards(bot.store))[0]?.state.lastEdit;
    const before = bot.chat.requests.length;
    await first.stop();
    expect((await allBoards(bot.store))[0]?.state.lastEdit).not.toBe(edited);
    bot.game.version = 4;
    await bot.time.pass(20 * SECOND);
    expect(only(bot)).toBe(id);
    expect(bot.version()).toBe(4);
    expect(bot.chat.seen.filter(({ content }) => textOf(content).includes('paused'))).toEqual([]);
    expect(bot.chat.requests.length - before).toBeLessThan(8);
  });

  test('a store that fails for a while costs nothing but the pause', async () => {
    const bot = boardsInMemory();
    await bot.withBoard();
    bot.boardStore.broken = true;
    await bot.time.pass(5 * MINUTE);
    bot.boardStore.broken = false;
    bot.game.version = 2;
    await bot.time.pass(20 * SECOND);
    expect(bot.version()).toBe(2);
  });
});
