import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../../src/base/duration.ts';
import { RIGHTS } from '../../../src/cards/board/board.ts';
import { BUSY_GAP_MS } from '../../../src/messages/boards/edit-rule.ts';
import {
  allBoards,
  type BoardFixture,
  CHANNEL,
  createBoardFixture,
  OWNER,
  textOf,
  versionOf,
} from './support/board-fixture.ts';

/** Every state that a reader has seen, by its number. */
function versions({ chat }: BoardFixture): readonly number[] {
  return chat.seen.flatMap(({ content }) => versionOf(content) ?? []);
}

function requestsSince({ chat }: BoardFixture, at: number): number {
  return chat.requests.filter((request) => request.at >= at).length;
}

function only(fixture: BoardFixture): string {
  const [message, ...others] = fixture.chat.alive(CHANNEL);
  if (message === undefined || others.length > 0) throw new Error('there is not exactly one board');
  return message.id;
}

/** Until its times are renewed, while nothing else changes. */
async function untilEdited(fixture: ReturnType<typeof createBoardFixture>): Promise<void> {
  const before = fixture.edits();
  while (fixture.edits() === before) await fixture.time.pass(100);
}

describe('a board in quiet times', () => {
  test('is one message, which shows what the service says', async () => {
    const fixture = createBoardFixture();
    await fixture.withBoard();
    expect(fixture.text()).toContain('v1');
    expect(fixture.text()).toContain('Speedway');
    expect(fixture.text()).toContain('🟢 live');
  });

  test('shows a change within ten seconds', async () => {
    const fixture = createBoardFixture();
    await fixture.withBoard();
    fixture.world.version = 2;
    await fixture.time.pass(10 * SECOND);
    expect(fixture.version()).toBe(2);
  });

  test('renews its times once a minute while nothing else changes', async () => {
    const fixture = createBoardFixture();
    await fixture.withBoard();
    const before = fixture.edits();
    await fixture.time.pass(HOUR);
    expect(fixture.edits() - before).toBeGreaterThanOrEqual(55);
    expect(fixture.edits() - before).toBeLessThanOrEqual(60);
  });

  test('shows a change right after its times were renewed as soon as ever', async () => {
    const fixture = createBoardFixture();
    await fixture.withBoard();
    await fixture.time.pass(HOUR);
    await untilEdited(fixture);
    fixture.world.version = 2;
    // The live file is read every two seconds.
    await fixture.time.pass(2100);
    expect(fixture.version()).toBe(2);
  });

  test('stays below three edits in any six seconds however fast things change', async () => {
    const fixture = createBoardFixture();
    await fixture.withBoard();
    // The last edit before the changes renews the times alone.
    await untilEdited(fixture);
    for (let round = 0; round < 120; round += 1) {
      fixture.world.version += 1;
      await fixture.time.pass(SECOND);
    }
    const times = fixture.chat.seen.map(({ at }) => at);
    // As fast as the rule lets it, not less, apart from a change a second that may come too late for it.
    expect(times.length).toBeGreaterThan((120 * SECOND) / (BUSY_GAP_MS + SECOND));
    expect(times.filter((at, index) => (times[index + 2] ?? Number.POSITIVE_INFINITY) - at < 6000)).toEqual(
      [],
    );
  });

  test('reads live files every two seconds and the rest each minute, for any boards', async () => {
    const fixture = createBoardFixture();
    const { boards } = await fixture.withBoard();
    for (const channelId of ['800000000000000002', '800000000000000003']) {
      fixture.chat.addChannel(channelId);
      const asked = fixture.request({ channelId });
      await fixture.time.until(boards.create(asked));
    }
    const before = { ...fixture.world.asked };
    await fixture.time.pass(10 * MINUTE);
    const since = (source: string): number => (fixture.world.asked[source] ?? 0) - (before[source] ?? 0);
    // One file is there; the three others are looked for once a minute.
    expect(since('live')).toBeGreaterThan(290 + 3 * 9);
    expect(since('live')).toBeLessThanOrEqual(300 + 3 * 11);
    for (const source of ['overview', 'chat-status']) {
      expect(since(source)).toBeGreaterThanOrEqual(9);
      expect(since(source)).toBeLessThanOrEqual(10);
    }
  });

  test('reads nothing while there is no board', async () => {
    const fixture = createBoardFixture();
    fixture.start();
    await fixture.time.pass(10 * MINUTE);
    expect(fixture.world.asked).toEqual({});
  });
});

describe('1: the read of the board fails at start', () => {
  test.for(['read-down', 'hang', 'down'] as const)('there is no second board: %s', async (fault) => {
    const fixture = createBoardFixture();
    const first = await fixture.withBoard();
    const id = only(fixture);
    first.kill();
    // Without the id there is nothing to do but to read.
    const [record] = await allBoards(fixture.store);
    if (record === undefined) throw new Error('nothing is stored');
    await fixture.store.saveState(CHANNEL, { ...record.state, posted: null, sending: null });
    fixture.chat.fault = fault;
    fixture.start();
    await fixture.time.pass(2 * MINUTE);
    fixture.chat.fault = null;
    await fixture.time.pass(30 * SECOND);
    expect(only(fixture)).toBe(id);
  });
});

describe('2: deleted by a moderator', () => {
  test('it is back within one cycle, once', async () => {
    const fixture = createBoardFixture();
    await fixture.withBoard();
    fixture.chat.deleteMessage(only(fixture));
    await fixture.time.pass(20 * SECOND);
    only(fixture);
    await fixture.time.pass(10 * MINUTE);
    expect(fixture.chat.seen.filter(({ by }) => by === 'send')).toHaveLength(2);
  });

  test('stays away after three deletions in ten minutes, and its maker is notified once', async () => {
    const fixture = createBoardFixture();
    const { boards } = await fixture.withBoard();
    for (let time = 0; time < 3; time += 1) {
      fixture.chat.deleteMessage(only(fixture));
      await fixture.time.pass(MINUTE);
    }
    const since = fixture.time.clock.now();
    await fixture.time.pass(HOUR);
    expect(fixture.chat.alive(CHANNEL)).toEqual([]);
    expect(requestsSince(fixture, since)).toBe(0);
    expect(fixture.chat.notified).toEqual([
      { personId: OWNER, text: expect.stringContaining('three times') },
    ]);
    const again = fixture.request();
    expect(await fixture.time.until(boards.create(again))).toMatchObject({ kind: 'resumed' });
    await fixture.time.pass(10 * SECOND);
    expect(fixture.version()).toBe(1);
  });
});

describe('3: rights removed, later restored', () => {
  test.for(RIGHTS)(
    'pauses without %s, notifies its maker once, and resumes on the same message',
    async (right) => {
      const fixture = createBoardFixture();
      await fixture.withBoard();
      const id = only(fixture);
      fixture.chat.setRights(
        CHANNEL,
        RIGHTS.filter((other) => other !== right),
      );
      fixture.world.version = 2;
      await fixture.time.pass(10 * SECOND);
      const since = fixture.time.clock.now();
      await fixture.time.pass(HOUR);
      expect(requestsSince(fixture, since)).toBe(0);
      const name = right.replace(/(?<=[a-z])(?=[A-Z])/g, ' ');
      expect(fixture.chat.notified).toEqual([{ personId: OWNER, text: expect.stringContaining(name) }]);
      fixture.chat.setRights(CHANNEL, RIGHTS);
      await fixture.time.pass(10 * SECOND);
      expect(only(fixture)).toBe(id);
      expect(fixture.version()).toBe(2);
      expect(fixture.chat.notified).toHaveLength(1);
    },
  );

  test('also where the live connection does not tell: slow probes, then the same message', async () => {
    const fixture = createBoardFixture();
    await fixture.withBoard();
    const id = only(fixture);
    fixture.chat.setGateway(false);
    fixture.chat.setRights(CHANNEL, []);
    fixture.world.version = 2;
    await fixture.time.pass(HOUR);
    const refused = fixture.chat.requests.filter(({ invalid }) => invalid).length;
    expect(refused).toBeGreaterThan(3);
    expect(refused).toBeLessThanOrEqual(10);
    fixture.chat.setRights(CHANNEL, RIGHTS);
    await fixture.time.pass(11 * MINUTE);
    expect(only(fixture)).toBe(id);
    expect(fixture.version()).toBe(2);
    expect(fixture.chat.notified).toHaveLength(1);
  });
});

describe('4: Discord says that it is too fast', () => {
  test.for(['429', '30046'] as const)(
    'for a minute: the newest state afterwards, never an older one: %s',
    async (fault) => {
      const fixture = createBoardFixture();
      await fixture.withBoard();
      fixture.chat.fault = fault;
      for (let second = 0; second < 60; second += 1) {
        fixture.world.version += 1;
        await fixture.time.pass(SECOND);
      }
      fixture.chat.fault = null;
      await fixture.time.pass(20 * SECOND);
      expect(fixture.version()).toBe(fixture.world.version);
      expect(versions(fixture)).toEqual(versions(fixture).toSorted((a, b) => a - b));
      const refused = fixture.chat.requests.filter(({ invalid }) => invalid).length;
      expect(refused).toBeGreaterThan(1);
      expect(refused).toBeLessThanOrEqual(8);
    },
  );
});

describe('7: the data service fails', () => {
  test.for(['down', 'broken', 'frozen', 'hang'] as const)(
    'stale, then no data, then live again: %s',
    async (fault) => {
      const fixture = createBoardFixture();
      await fixture.withBoard();
      fixture.world.fault = fault;
      await fixture.time.pass(30 * SECOND);
      expect(fixture.text()).toContain('🟢 live');
      await fixture.time.pass(40 * SECOND);
      expect(fixture.text()).toContain('⚠️ old data');
      expect(fixture.text()).toContain('v1');
      await fixture.time.pass(15 * MINUTE);
      expect(fixture.text()).toContain('⛔ no data');
      expect(fixture.text()).not.toMatch(/v1|\d+\/\d+/);
      fixture.world.fault = null;
      fixture.world.version = 2;
      await fixture.time.pass(20 * SECOND);
      expect(fixture.text()).toContain('🟢 live');
      expect(fixture.version()).toBe(2);
    },
  );

  test('without live files it is incomplete for 15 minutes, then as after a restart', async () => {
    const fixture = createBoardFixture();
    await fixture.withBoard();
    fixture.world.fault = 'no-files';
    await fixture.time.pass(3 * MINUTE);
    expect(fixture.text()).toMatch(
      /Incomplete\.\*\* The data service isn't answering[\s\S]*3\/40[\s\S]*⚠️ partly old/,
    );
    await fixture.time.pass(20 * MINUTE);
    expect(fixture.text()).toMatch(/3\/40[\s\S]*🟢 live/);
    expect(fixture.text()).not.toContain('v1');
    fixture.world.fault = 'down';
    await fixture.time.pass(30 * MINUTE);
    expect(fixture.text()).toContain('⛔ no data');
  });

  test('one empty answer in a row of full ones is not believed, two are', async () => {
    const fixture = createBoardFixture();
    await fixture.withBoard();
    fixture.world.blanks = 1;
    await fixture.time.pass(MINUTE);
    const text = fixture.chat.seen.map(({ content }) => textOf(content)).join('\n');
    expect(text).not.toContain('Empty: **One**');
    fixture.world.empty = true;
    await fixture.time.pass(20 * SECOND);
    expect(fixture.text()).toContain('Empty: **One**');
  });
});

describe('8: the answer to a send is lost', () => {
  test.for(['done-but-500', 'reset', 'hang'] as const)('there is one message: %s', async (fault) => {
    for (let seed = 1; seed <= 10; seed += 1) {
      const fixture = createBoardFixture(seed);
      fixture.chat.fault = fault;
      await fixture.withBoard();
      fixture.chat.fault = null;
      await fixture.time.pass(30 * SECOND);
      expect(fixture.version()).toBe(1);
      expect(fixture.chat.seen.filter(({ by }) => by === 'send').length).toBe(1);
    }
  });
});

describe('9: killed between send and store', () => {
  test('the next start adopts it', async () => {
    const fixture = createBoardFixture();
    const process = fixture.start();
    await fixture.time.pass(100);
    fixture.chat.onCreated = () => process.kill();
    void process.boards.create(fixture.request());
    await fixture.time.pass(20 * MINUTE);
    fixture.chat.onCreated = null;
    const id = only(fixture);
    fixture.chat.chatter(CHANNEL, 500);
    fixture.world.version = 2;
    fixture.start();
    await fixture.time.pass(30 * SECOND);
    expect(only(fixture)).toBe(id);
    expect(fixture.version()).toBe(2);
  });
});

describe('10: the live connection', () => {
  test('an unavailable guild leaves the board untouched, and it continues afterwards', async () => {
    const fixture = createBoardFixture();
    await fixture.withBoard();
    const id = only(fixture);
    fixture.chat.setGuildAvailable(false);
    fixture.world.version = 2;
    await fixture.time.pass(SECOND);
    const since = fixture.time.clock.now();
    await fixture.time.pass(30 * MINUTE);
    expect(requestsSince(fixture, since)).toBe(0);
    fixture.chat.setGuildAvailable(true);
    await fixture.time.pass(20 * SECOND);
    expect(only(fixture)).toBe(id);
    expect(fixture.version()).toBe(2);
    expect(fixture.chat.notified).toEqual([]);
  });
});

describe('11: two copies running', () => {
  test('one edits; when it is killed the other takes over within half a minute', async () => {
    const fixture = createBoardFixture();
    const first = await fixture.withBoard();
    fixture.start();
    await fixture.time.pass(MINUTE);
    await untilEdited(fixture);
    const before = fixture.edits();
    fixture.world.version = 2;
    await fixture.time.pass(30 * SECOND);
    expect(fixture.edits() - before).toBe(1);
    first.kill();
    fixture.world.version = 3;
    await fixture.time.pass(30 * SECOND);
    expect(fixture.version()).toBe(3);
  });

  test('a process without the lock stores no board and removes none', async () => {
    const fixture = createBoardFixture();
    const first = fixture.start();
    await fixture.time.pass(SECOND);
    const second = fixture.start();
    await fixture.time.pass(SECOND);
    const request = fixture.request();
    await expect(fixture.time.until(second.boards.create(request))).rejects.toThrow('not have the lock');
    expect(await allBoards(fixture.store)).toEqual([]);
    await fixture.time.until(first.boards.create(request));
    await expect(fixture.time.until(second.boards.remove(fixture.chat.guildId, CHANNEL))).rejects.toThrow(
      'not have the lock',
    );
    expect(await allBoards(fixture.store)).toHaveLength(1);
  });
});

describe('12: the channel is deleted', () => {
  test('notifies its maker once, calls no more, and keeps the settings for 30 days', async () => {
    const fixture = createBoardFixture();
    await fixture.withBoard();
    fixture.chat.deleteChannel(CHANNEL);
    await fixture.time.pass(MINUTE);
    const since = fixture.time.clock.now();
    await fixture.time.pass(HOUR);
    fixture.time.stepWall(29 * 24 * HOUR);
    await fixture.time.pass(HOUR);
    expect(requestsSince(fixture, since)).toBe(0);
    expect(fixture.chat.notified).toEqual([{ personId: OWNER, text: expect.stringContaining('30 days') }]);
    expect(await allBoards(fixture.store)).toHaveLength(1);
    fixture.time.stepWall(24 * HOUR);
    // The bot is not in the guild either, or the clock is wrong.
    fixture.chat.mayForget = false;
    await fixture.time.pass(MINUTE);
    expect(await allBoards(fixture.store)).toHaveLength(1);
    fixture.chat.mayForget = true;
    await fixture.time.pass(MINUTE);
    expect(await allBoards(fixture.store)).toEqual([]);
    expect(fixture.chat.notified).toHaveLength(1);
  });
});

describe('starting and stopping', () => {
  test('an orderly stop shows a pause; the next start goes on with the same message', async () => {
    const fixture = createBoardFixture();
    const first = await fixture.withBoard();
    const id = only(fixture);
    await first.stop();
    expect(fixture.text()).toContain('⏸️ paused');
    fixture.start();
    await fixture.time.pass(20 * SECOND);
    expect(only(fixture)).toBe(id);
    expect(fixture.text()).toContain('🟢 live');
  });

  test('hands over to a standby: never paused, never doubled, with its state stored', async () => {
    const fixture = createBoardFixture();
    const first = await fixture.withBoard();
    const id = only(fixture);
    fixture.start();
    await fixture.time.pass(MINUTE);
    fixture.world.version = 2;
    await fixture.time.pass(10 * SECOND);
    // The second change is not stored for a minute.
    fixture.world.version = 3;
    await fixture.time.pass(10 * SECOND);
    const edited = (await allBoards(fixture.store))[0]?.state.lastEdit;
    const before = fixture.chat.requests.length;
    await first.stop();
    expect((await allBoards(fixture.store))[0]?.state.lastEdit).not.toBe(edited);
    fixture.world.version = 4;
    await fixture.time.pass(20 * SECOND);
    expect(only(fixture)).toBe(id);
    expect(fixture.version()).toBe(4);
    expect(fixture.chat.seen.filter(({ content }) => textOf(content).includes('paused'))).toEqual([]);
    expect(fixture.chat.requests.length - before).toBeLessThan(8);
  });

  test('a store that fails for a while costs nothing but the pause', async () => {
    const fixture = createBoardFixture();
    await fixture.withBoard();
    fixture.boardStore.broken = true;
    await fixture.time.pass(5 * MINUTE);
    fixture.boardStore.broken = false;
    fixture.world.version = 2;
    await fixture.time.pass(20 * SECOND);
    expect(fixture.version()).toBe(2);
  });
});
