import { describe, expect, test } from 'vitest';
import { BUSY_GAP_MS } from '../../src/board/edit-rule.ts';
import { RIGHTS } from '../../src/service/models/board.ts';
import { allBoards, CHANNEL, createStage, OWNER, type Stage, textOf, versionOf } from './support/stage.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Every state that a reader has seen, by its number. */
function versions({ chat }: Stage): readonly number[] {
  return chat.seen.flatMap(({ content }) => versionOf(content) ?? []);
}

function requestsSince({ chat }: Stage, at: number): number {
  return chat.requests.filter((request) => request.at >= at).length;
}

function only(stage: Stage): string {
  const [message, ...others] = stage.chat.alive(CHANNEL);
  if (message === undefined || others.length > 0) throw new Error('there is not exactly one board');
  return message.id;
}

/** Until its times are renewed, while nothing else changes. */
async function untilEdited(stage: ReturnType<typeof createStage>): Promise<void> {
  const before = stage.edits();
  while (stage.edits() === before) await stage.time.pass(100);
}

describe('a board in quiet times', () => {
  test('is one message, which shows what the service says', async () => {
    const stage = createStage();
    await stage.withBoard();
    expect(stage.text()).toContain('v1');
    expect(stage.text()).toContain('Speedway');
    expect(stage.text()).toContain('🟢 live');
  });

  test('shows a change within ten seconds', async () => {
    const stage = createStage();
    await stage.withBoard();
    stage.world.version = 2;
    await stage.time.pass(10 * SECOND);
    expect(stage.version()).toBe(2);
  });

  test('renews its times once a minute while nothing else changes', async () => {
    const stage = createStage();
    await stage.withBoard();
    const before = stage.edits();
    await stage.time.pass(HOUR);
    expect(stage.edits() - before).toBeGreaterThanOrEqual(55);
    expect(stage.edits() - before).toBeLessThanOrEqual(60);
  });

  test('shows two changes right after its times were renewed as soon as ever', async () => {
    const stage = createStage();
    await stage.withBoard();
    await stage.time.pass(HOUR);
    await untilEdited(stage);
    for (const version of [2, 3]) {
      stage.world.version = version;
      // The live file is read every two seconds.
      await stage.time.pass(2100);
      expect(stage.version()).toBe(version);
    }
  });

  test('makes two edits in six seconds however fast things change, three with renewed times', async () => {
    const stage = createStage();
    await stage.withBoard();
    // The last edit before the changes renews the times alone.
    await untilEdited(stage);
    for (let round = 0; round < 120; round += 1) {
      stage.world.version += 1;
      await stage.time.pass(SECOND);
    }
    const times = stage.chat.seen.map(({ at }) => at);
    // As fast as the rule lets it, not less, apart from a change a second that may come too late for it.
    expect(times.length).toBeGreaterThan((120 * SECOND) / (BUSY_GAP_MS + SECOND));
    const within = (count: number): readonly number[] =>
      times.filter((at, index) => (times[index + count - 1] ?? Number.POSITIVE_INFINITY) - at < 6000);
    expect(within(3)).toHaveLength(1);
    expect(within(4)).toEqual([]);
  });

  test('reads live files every two seconds and the rest each minute, for any boards', async () => {
    const stage = createStage();
    const { boards } = await stage.withBoard();
    for (const channelId of ['800000000000000002', '800000000000000003']) {
      stage.chat.addChannel(channelId);
      const asked = stage.request({ channelId });
      await stage.time.until(boards.create(asked));
    }
    const before = { ...stage.world.asked };
    await stage.time.pass(10 * MINUTE);
    const since = (source: string): number => (stage.world.asked[source] ?? 0) - (before[source] ?? 0);
    // One file is there; the three others are looked for once a minute.
    expect(since('live')).toBeGreaterThan(290 + 3 * 9);
    expect(since('live')).toBeLessThanOrEqual(300 + 3 * 11);
    for (const source of ['overview', 'chat-status']) {
      expect(since(source)).toBeGreaterThanOrEqual(9);
      expect(since(source)).toBeLessThanOrEqual(10);
    }
  });

  test('reads nothing while there is no board', async () => {
    const stage = createStage();
    stage.start();
    await stage.time.pass(10 * MINUTE);
    expect(stage.world.asked).toEqual({});
  });
});

describe('1: the read of the board fails at start', () => {
  test.for(['read-down', 'hang', 'down'] as const)('there is no second board: %s', async (fault) => {
    const stage = createStage();
    const first = await stage.withBoard();
    const id = only(stage);
    first.kill();
    // Without the id there is nothing to do but to read.
    const [record] = await allBoards(stage.store);
    if (record === undefined) throw new Error('nothing is stored');
    await stage.store.saveState(CHANNEL, { ...record.state, posted: null, sending: null });
    stage.chat.fault = fault;
    stage.start();
    await stage.time.pass(2 * MINUTE);
    stage.chat.fault = null;
    await stage.time.pass(30 * SECOND);
    expect(only(stage)).toBe(id);
  });
});

describe('2: deleted by a moderator', () => {
  test('it is back within one cycle, once', async () => {
    const stage = createStage();
    await stage.withBoard();
    stage.chat.deleteMessage(only(stage));
    await stage.time.pass(20 * SECOND);
    only(stage);
    await stage.time.pass(10 * MINUTE);
    expect(stage.chat.seen.filter(({ by }) => by === 'send')).toHaveLength(2);
  });

  test('stays away after three deletions in ten minutes, and its maker is notified once', async () => {
    const stage = createStage();
    const { boards } = await stage.withBoard();
    for (let time = 0; time < 3; time += 1) {
      stage.chat.deleteMessage(only(stage));
      await stage.time.pass(MINUTE);
    }
    const since = stage.time.clock.now();
    await stage.time.pass(HOUR);
    expect(stage.chat.alive(CHANNEL)).toEqual([]);
    expect(requestsSince(stage, since)).toBe(0);
    expect(stage.chat.notified).toEqual([{ personId: OWNER, text: expect.stringContaining('three times') }]);
    const again = stage.request();
    expect(await stage.time.until(boards.create(again))).toMatchObject({ kind: 'resumed' });
    await stage.time.pass(10 * SECOND);
    expect(stage.version()).toBe(1);
  });
});

describe('3: rights removed, later restored', () => {
  test.for(RIGHTS)(
    'pauses without %s, notifies its maker once, and resumes on the same message',
    async (right) => {
      const stage = createStage();
      await stage.withBoard();
      const id = only(stage);
      stage.chat.setRights(
        CHANNEL,
        RIGHTS.filter((other) => other !== right),
      );
      stage.world.version = 2;
      await stage.time.pass(10 * SECOND);
      const since = stage.time.clock.now();
      await stage.time.pass(HOUR);
      expect(requestsSince(stage, since)).toBe(0);
      const name = right.replace(/(?<=[a-z])(?=[A-Z])/g, ' ');
      expect(stage.chat.notified).toEqual([{ personId: OWNER, text: expect.stringContaining(name) }]);
      stage.chat.setRights(CHANNEL, RIGHTS);
      await stage.time.pass(10 * SECOND);
      expect(only(stage)).toBe(id);
      expect(stage.version()).toBe(2);
      expect(stage.chat.notified).toHaveLength(1);
    },
  );

  test('also where the live connection does not tell: slow probes, then the same message', async () => {
    const stage = createStage();
    await stage.withBoard();
    const id = only(stage);
    stage.chat.setGateway(false);
    stage.chat.setRights(CHANNEL, []);
    stage.world.version = 2;
    await stage.time.pass(HOUR);
    const refused = stage.chat.requests.filter(({ invalid }) => invalid).length;
    expect(refused).toBeGreaterThan(3);
    expect(refused).toBeLessThanOrEqual(10);
    stage.chat.setRights(CHANNEL, RIGHTS);
    await stage.time.pass(11 * MINUTE);
    expect(only(stage)).toBe(id);
    expect(stage.version()).toBe(2);
    expect(stage.chat.notified).toHaveLength(1);
  });
});

describe('4: Discord says that it is too fast', () => {
  test.for(['429', '30046'] as const)(
    'for a minute: the newest state afterwards, never an older one: %s',
    async (fault) => {
      const stage = createStage();
      await stage.withBoard();
      stage.chat.fault = fault;
      for (let second = 0; second < 60; second += 1) {
        stage.world.version += 1;
        await stage.time.pass(SECOND);
      }
      stage.chat.fault = null;
      await stage.time.pass(20 * SECOND);
      expect(stage.version()).toBe(stage.world.version);
      expect(versions(stage)).toEqual(versions(stage).toSorted((a, b) => a - b));
      const refused = stage.chat.requests.filter(({ invalid }) => invalid).length;
      expect(refused).toBeGreaterThan(1);
      expect(refused).toBeLessThanOrEqual(8);
    },
  );
});

describe('7: the data service fails', () => {
  test.for(['down', 'broken', 'frozen', 'hang'] as const)(
    'stale, then no data, then live again: %s',
    async (fault) => {
      const stage = createStage();
      await stage.withBoard();
      stage.world.fault = fault;
      await stage.time.pass(30 * SECOND);
      expect(stage.text()).toContain('🟢 live');
      await stage.time.pass(40 * SECOND);
      expect(stage.text()).toContain('⚠️ old data');
      expect(stage.text()).toContain('v1');
      await stage.time.pass(15 * MINUTE);
      expect(stage.text()).toContain('⛔ no data');
      expect(stage.text()).not.toMatch(/v1|\d+\/\d+/);
      stage.world.fault = null;
      stage.world.version = 2;
      await stage.time.pass(20 * SECOND);
      expect(stage.text()).toContain('🟢 live');
      expect(stage.version()).toBe(2);
    },
  );

  test('without live files it is incomplete for 15 minutes, then as after a restart', async () => {
    const stage = createStage();
    await stage.withBoard();
    stage.world.fault = 'no-files';
    await stage.time.pass(3 * MINUTE);
    expect(stage.text()).toMatch(
      /Incomplete\.\*\* The data service isn't answering[\s\S]*3\/40[\s\S]*⚠️ partly old/,
    );
    await stage.time.pass(20 * MINUTE);
    expect(stage.text()).toMatch(/3\/40[\s\S]*🟢 live/);
    expect(stage.text()).not.toContain('v1');
    stage.world.fault = 'down';
    await stage.time.pass(30 * MINUTE);
    expect(stage.text()).toContain('⛔ no data');
  });

  test('one empty answer in a row of full ones is not believed, two are', async () => {
    const stage = createStage();
    await stage.withBoard();
    stage.world.blanks = 1;
    await stage.time.pass(MINUTE);
    const text = stage.chat.seen.map(({ content }) => textOf(content)).join('\n');
    expect(text).not.toContain('Empty: **One**');
    stage.world.empty = true;
    await stage.time.pass(20 * SECOND);
    expect(stage.text()).toContain('Empty: **One**');
  });
});

describe('8: the answer to a send is lost', () => {
  test.for(['done-but-500', 'reset', 'hang'] as const)('there is one message: %s', async (fault) => {
    for (let seed = 1; seed <= 10; seed += 1) {
      const stage = createStage(seed);
      stage.chat.fault = fault;
      await stage.withBoard();
      stage.chat.fault = null;
      await stage.time.pass(30 * SECOND);
      expect(stage.version()).toBe(1);
      expect(stage.chat.seen.filter(({ by }) => by === 'send').length).toBe(1);
    }
  });
});

describe('9: killed between send and store', () => {
  test('the next start adopts it', async () => {
    const stage = createStage();
    const process = stage.start();
    await stage.time.pass(100);
    stage.chat.onCreated = () => process.kill();
    void process.boards.create(stage.request());
    await stage.time.pass(20 * MINUTE);
    stage.chat.onCreated = null;
    const id = only(stage);
    stage.chat.chatter(CHANNEL, 500);
    stage.world.version = 2;
    stage.start();
    await stage.time.pass(30 * SECOND);
    expect(only(stage)).toBe(id);
    expect(stage.version()).toBe(2);
  });
});

describe('10: the live connection', () => {
  test('an unavailable guild leaves the board untouched, and it continues afterwards', async () => {
    const stage = createStage();
    await stage.withBoard();
    const id = only(stage);
    stage.chat.setGuildAvailable(false);
    stage.world.version = 2;
    await stage.time.pass(SECOND);
    const since = stage.time.clock.now();
    await stage.time.pass(30 * MINUTE);
    expect(requestsSince(stage, since)).toBe(0);
    stage.chat.setGuildAvailable(true);
    await stage.time.pass(20 * SECOND);
    expect(only(stage)).toBe(id);
    expect(stage.version()).toBe(2);
    expect(stage.chat.notified).toEqual([]);
  });
});

describe('11: two copies running', () => {
  test('one edits; when it is killed the other takes over within half a minute', async () => {
    const stage = createStage();
    const first = await stage.withBoard();
    stage.start();
    await stage.time.pass(MINUTE);
    await untilEdited(stage);
    const before = stage.edits();
    stage.world.version = 2;
    await stage.time.pass(30 * SECOND);
    expect(stage.edits() - before).toBe(1);
    first.kill();
    stage.world.version = 3;
    await stage.time.pass(30 * SECOND);
    expect(stage.version()).toBe(3);
  });

  test('a process without the claim stores no board and removes none', async () => {
    const stage = createStage();
    const first = stage.start();
    await stage.time.pass(SECOND);
    const second = stage.start();
    await stage.time.pass(SECOND);
    const request = stage.request();
    await expect(stage.time.until(second.boards.create(request))).rejects.toThrow('no claim');
    expect(await allBoards(stage.store)).toEqual([]);
    await stage.time.until(first.boards.create(request));
    await expect(stage.time.until(second.boards.remove(stage.chat.guildId, CHANNEL))).rejects.toThrow(
      'no claim',
    );
    expect(await allBoards(stage.store)).toHaveLength(1);
  });
});

describe('12: the channel is deleted', () => {
  test('notifies its maker once, calls no more, and keeps the settings for 30 days', async () => {
    const stage = createStage();
    await stage.withBoard();
    stage.chat.deleteChannel(CHANNEL);
    await stage.time.pass(MINUTE);
    const since = stage.time.clock.now();
    await stage.time.pass(HOUR);
    stage.time.stepWall(29 * 24 * HOUR);
    await stage.time.pass(HOUR);
    expect(requestsSince(stage, since)).toBe(0);
    expect(stage.chat.notified).toEqual([{ personId: OWNER, text: expect.stringContaining('30 days') }]);
    expect(await allBoards(stage.store)).toHaveLength(1);
    stage.time.stepWall(24 * HOUR);
    await stage.time.pass(MINUTE);
    expect(await allBoards(stage.store)).toEqual([]);
    expect(stage.chat.notified).toHaveLength(1);
  });
});

describe('starting and stopping', () => {
  test('an orderly stop shows a pause; the next start goes on with the same message', async () => {
    const stage = createStage();
    const first = await stage.withBoard();
    const id = only(stage);
    await first.stop();
    expect(stage.text()).toContain('⏸️ paused');
    stage.start();
    await stage.time.pass(20 * SECOND);
    expect(only(stage)).toBe(id);
    expect(stage.text()).toContain('🟢 live');
  });

  test('hands over to a standby: never paused, never doubled, with its state stored', async () => {
    const stage = createStage();
    const first = await stage.withBoard();
    const id = only(stage);
    stage.start();
    await stage.time.pass(MINUTE);
    stage.world.version = 2;
    await stage.time.pass(10 * SECOND);
    // The second change is not stored for a minute.
    stage.world.version = 3;
    await stage.time.pass(10 * SECOND);
    const edited = (await allBoards(stage.store))[0]?.state.lastEdit;
    const before = stage.chat.requests.length;
    await first.stop();
    expect((await allBoards(stage.store))[0]?.state.lastEdit).not.toBe(edited);
    stage.world.version = 4;
    await stage.time.pass(20 * SECOND);
    expect(only(stage)).toBe(id);
    expect(stage.version()).toBe(4);
    expect(stage.chat.seen.filter(({ content }) => textOf(content).includes('paused'))).toEqual([]);
    expect(stage.chat.requests.length - before).toBeLessThan(8);
  });

  test('a store that fails for a while costs nothing but the pause', async () => {
    const stage = createStage();
    await stage.withBoard();
    stage.boardStore.broken = true;
    await stage.time.pass(5 * MINUTE);
    stage.boardStore.broken = false;
    stage.world.version = 2;
    await stage.time.pass(20 * SECOND);
    expect(stage.version()).toBe(2);
  });
});
