/** Failures by which most boards double, freeze or fall silent; each test fails without its safeguard. */

import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../../src/base/duration.ts';
import { newBoardState } from '../../../src/cards/board/board.ts';
import { createPoll } from '../../../src/service/poll/poll.ts';
import { VirtualTime } from '../../sim/virtual-time.ts';
import { serviceOf } from '../../support/records.ts';
import {
  allBoards,
  type BoardsInMemory,
  boardsInMemory,
  CHANNEL,
  type Process,
} from './support/boards-in-memory.ts';

const OTHER_CHANNEL = '800000000000000002';
const OTHER_GUILD = '700000000000000002';

function rethrow(error: unknown): never {
  throw error;
}

/** A process that keeps the boards and has been asked for one. */
async function creating(bot: BoardsInMemory): Promise<Process> {
  const process = bot.start();
  await bot.time.pass(100);
  void process.boards.create(bot.request());
  return process;
}

async function stored(bot: BoardsInMemory) {
  const [record] = await allBoards(bot.store);
  if (record === undefined) throw new Error('nothing is stored');
  return record;
}

function requests({ chat }: BoardsInMemory, what: string): number {
  return chat.requests.filter((request) => request.what === what).length;
}

test('a board that Discord holds up holds up nobody of another server', async () => {
  const bot = boardsInMemory(1);
  const process = bot.start({ chat: (chat) => ({ ...chat, find: () => new Promise(() => {}) }) });
  await bot.time.pass(100);
  void process.boards.create(bot.request());
  const answered: unknown[] = [];
  void process.boards.remove(OTHER_GUILD, OTHER_CHANNEL).then((removed) => answered.push(removed));
  void process.boards.changeAll(OTHER_GUILD, { locale: 'de' }).then(() => answered.push('spoken'));
  await bot.time.pass(SECOND);
  expect(answered).toEqual([null, 'spoken']);
});

test('of two people of a server who ask for the same board at once, one has made it', async () => {
  const bot = boardsInMemory(1);
  const process = bot.start();
  await bot.time.pass(100);
  const both = [process.boards.create(bot.request()), process.boards.create(bot.request())];
  const made = await bot.time.until(Promise.all(both));
  expect(made.map(({ kind }) => kind)).toEqual(['created', 'there']);
  expect(bot.chat.alive(CHANNEL)).toHaveLength(1);
});

test('an answer that is older than the one before it changes nothing', async () => {
  const time = new VirtualTime(Date.UTC(2026, 2, 5, 6));
  const answers = [
    { track: 'first', asOf: time.clock.now() },
    { track: 'older', asOf: time.clock.now() - 5000 },
    { track: 'newer', asOf: time.clock.now() + 5000 },
  ];
  const shown: (string | null | undefined)[] = [];
  const next = () => answers[Math.min(shown.length, 2)] ?? { track: '', asOf: 0 };
  const service = serviceOf(
    () => ({ t: next().asOf, n: 'One', tk: next().track, ps: { 3: { un: 'ann' } } }),
    () => ({ asOf: next().asOf, stale: null }),
  );
  const poll = createPoll({ service, clock: time.clock, failed: rethrow });
  for (let round = 0; round < 3; round += 1) {
    const stop = poll.watch(['live'], () => {});
    await time.pass(3 * SECOND);
    stop();
    shown.push(poll.facts.live.one?.record.track);
    await time.pass(3 * SECOND);
  }
  expect(shown).toEqual(['first', 'first', 'newer']);
});

test.for([
  { what: 'no time', time: null },
  { what: 'a time of 0', time: 0 },
])('a live file with $what grows old unless it changes', async ({ time: told }) => {
  const time = new VirtualTime(Date.UTC(2026, 2, 5, 6));
  let track = 'SO4';
  const service = serviceOf(
    () => ({ t: told, n: 'One', tk: track, ps: { 3: { un: 'ann' } } }),
    () => ({ asOf: time.clock.now(), stale: null }),
  );
  const poll = createPoll({ service, clock: time.clock, failed: rethrow });
  poll.watch(['live'], () => {});
  const age = (): number => time.clock.now() - (poll.facts.live.one?.asOf ?? 0);
  await time.pass(10 * MINUTE);
  expect(age()).toBeGreaterThan(9 * MINUTE);
  track = 'BL1';
  await time.pass(10 * SECOND);
  expect(age()).toBeLessThan(10 * SECOND);
});

test('an unforeseen answer is reported, and the request repeated ever more rarely', async () => {
  const time = new VirtualTime(Date.UTC(2026, 2, 5, 6));
  const reported: unknown[] = [];
  const bug = new RangeError('too deep');
  const service = serviceOf(() => {
    throw bug;
  });
  const poll = createPoll({ service, clock: time.clock, failed: (error) => reported.push(error) });
  poll.watch(['live'], () => {});
  await time.pass(2 * MINUTE);
  expect(new Set(reported)).toEqual(new Set([bug]));
  // Four files, each after 2, 4 and 8 seconds, then every 12.
  expect(reported.length).toBe(4 * 12);
});

describe('what people ask for', () => {
  test('the first frame waits neither for background requests nor for slow sources', async () => {
    const bot = boardsInMemory();
    const slow = { 'chat-status': 5 * SECOND };
    const asked: string[] = [];
    const { boards } = bot.start({
      service: (service, { clock }) => ({
        async get(endpoint, params, ask) {
          asked.push(`${endpoint.name} ${ask?.priority}`);
          const wait = endpoint.keyed && ask?.priority === 'background' ? 9 * SECOND : 100;
          const ms = endpoint.name in slow ? slow['chat-status'] : wait;
          await new Promise<void>((resolve) => clock.after(ms, resolve));
          return service.get(endpoint, params, ask);
        },
      }),
    });
    await bot.time.pass(100);
    const begun = bot.time.elapsed;
    expect(await bot.time.until(boards.create(bot.request()))).toEqual({
      kind: 'created',
      posted: true,
    });
    expect(bot.time.elapsed - begun).toBeLessThanOrEqual(SECOND);
    expect(bot.text()).toContain('Speedway');
    expect(asked).toContain('overview interactive');
    await bot.time.pass(10 * SECOND);
    expect(bot.text()).toContain('Ann');
    expect(asked.filter((one) => one.endsWith('interactive')).length).toBe(6);
  });

  test.for([
    { why: 'rights are missing', kind: 'missing' },
    { why: 'there is no such channel', kind: 'unknown-channel' },
  ])('a board stays where it is when the new channel refuses it: $why', async ({ kind }) => {
    const bot = boardsInMemory();
    const { boards } = await bot.withBoard();
    if (kind === 'missing') {
      bot.chat.addChannel(OTHER_CHANNEL);
      bot.chat.setRights(OTHER_CHANNEL, ['ViewChannel']);
      await bot.time.pass(SECOND);
    }
    const [before] = bot.chat.alive(CHANNEL);
    const moved = boards.move(bot.chat.guildId, CHANNEL, bot.request({ channelId: OTHER_CHANNEL }));
    expect(await bot.time.until(moved)).toMatchObject({ created: { kind }, removed: null });
    await bot.time.pass(MINUTE);
    expect(bot.chat.alive(CHANNEL).map(({ id }) => id)).toEqual([before?.id]);
    expect(await boards.list(bot.chat.guildId)).toMatchObject([{ settings: { channelId: CHANNEL } }]);
  });

  test('a board is removed where the bot may only view, else the answer says it stays', async () => {
    const bot = boardsInMemory();
    const { boards } = await bot.withBoard();
    const { guildId } = bot.chat;
    bot.chat.addChannel(OTHER_CHANNEL);
    await bot.time.until(boards.create(bot.request({ channelId: OTHER_CHANNEL })));
    bot.chat.setRights(CHANNEL, ['ViewChannel']);
    bot.chat.setRights(OTHER_CHANNEL, []);
    await bot.time.pass(MINUTE);
    expect(await bot.time.until(boards.remove(guildId, CHANNEL))).toEqual({ isMessageLeft: false });
    expect(bot.chat.alive(CHANNEL)).toEqual([]);
    expect(await bot.time.until(boards.remove(guildId, OTHER_CHANNEL))).toEqual({ isMessageLeft: true });
    expect(bot.chat.alive(OTHER_CHANNEL)).toHaveLength(1);
    expect(await allBoards(bot.store)).toEqual([]);
  });

  test('a board whose channel is gone leaves no message to delete', async () => {
    const bot = boardsInMemory();
    const { boards } = await bot.withBoard();
    bot.chat.deleteChannel(CHANNEL);
    await bot.time.pass(MINUTE);
    expect(await boards.list(bot.chat.guildId)).toMatchObject([{ paused: { why: 'channel' } }]);
    expect(await bot.time.until(boards.remove(bot.chat.guildId, CHANNEL))).toEqual({
      isMessageLeft: false,
    });
    expect(await allBoards(bot.store)).toEqual([]);
  });

  test('a board continues in another language at once', async () => {
    const bot = boardsInMemory();
    const { boards } = await bot.withBoard();
    expect(bot.text()).toContain('🟢 live');
    await bot.time.until(boards.changeAll(bot.chat.guildId, { locale: 'de' }));
    await bot.time.pass(3 * SECOND);
    expect(bot.text()).toContain('Server live');
    const { settings } = await stored(bot);
    expect(settings.locale).toBe('de');
  });

  test('a board is neither moved nor taken down nor listed from another guild', async () => {
    const bot = boardsInMemory();
    const { boards } = await bot.withBoard();
    bot.chat.addChannel(OTHER_CHANNEL);
    expect(await bot.time.until(boards.remove(OTHER_GUILD, CHANNEL))).toBeNull();
    const target = bot.request({ channelId: OTHER_CHANNEL });
    expect(await bot.time.until(boards.move(OTHER_GUILD, CHANNEL, target))).toBeNull();
    expect(await boards.list(OTHER_GUILD)).toEqual([]);
    await bot.time.pass(MINUTE);
    expect(bot.version()).toBe(1);
    expect(bot.chat.alive(OTHER_CHANNEL)).toEqual([]);
  });
});

test('a process whose lock goes while the nonce is being stored sends nothing', async () => {
  const bot = boardsInMemory();
  bot.boardStore.late = 20 * SECOND;
  await creating(bot);
  while ((await stored(bot).catch(() => null))?.state.sending == null) await bot.time.pass(10);
  bot.lock.isAway = true;
  await bot.time.pass(MINUTE);
  expect(requests(bot, 'find')).toBe(1);
  expect(requests(bot, 'send')).toBe(0);
});

test('after ten seconds of 401 it is right within twenty, with two requests at most', async () => {
  const bot = boardsInMemory();
  await bot.withBoard();
  await bot.time.pass(HOUR);
  bot.chat.fault = '401';
  bot.game.version = 2;
  await bot.time.pass(10 * SECOND);
  bot.chat.fault = null;
  await bot.time.pass(20 * SECOND);
  expect(bot.version()).toBe(2);
  expect(bot.chat.requests.filter(({ invalid }) => invalid).length).toBeLessThanOrEqual(2);
});

test('after eight requests that count towards a ban it waits for ten minutes', async () => {
  const bot = boardsInMemory();
  await bot.withBoard();
  bot.chat.fault = '429';
  bot.game.version = 2;
  for (let minute = 0; minute < 60; minute += 1) {
    bot.game.version += 1;
    await bot.time.pass(MINUTE);
  }
  const times = bot.chat.requests.filter(({ invalid }) => invalid).map(({ at }) => at);
  const inTenMinutes = times.map(
    (at) => times.filter((other) => other >= at && other < at + 10 * MINUTE).length,
  );
  expect(Math.max(...inTenMinutes)).toBe(8);
  expect(times.length).toBeGreaterThan(5 * 8);
  bot.chat.fault = null;
  await bot.time.pass(11 * MINUTE);
  expect(bot.version()).toBe(bot.game.version);
});

test('a single double is cleared away, and the older message stays', async () => {
  const bot = boardsInMemory();
  const first = await bot.withBoard();
  const [own] = bot.chat.alive(CHANNEL);
  if (own === undefined) throw new Error('there is no board');
  first.kill();
  const { state } = await stored(bot);
  await bot.store.saveState(CHANNEL, { ...state, posted: null, sending: null });
  await bot.time.until(bot.chat.client().send(CHANNEL, own.content, 'a nonce of another time'));
  expect(bot.chat.alive(CHANNEL)).toHaveLength(2);
  bot.start();
  await bot.time.pass(MINUTE);
  expect(bot.chat.alive(CHANNEL).map(({ id }) => id)).toEqual([own.id]);
});

describe('a send whose end is not known', () => {
  test('its nonce is stored before the message can be there', async () => {
    const bot = boardsInMemory();
    const storedThen: Promise<Awaited<ReturnType<typeof stored>>>[] = [];
    bot.chat.onCreated = () => storedThen.push(stored(bot));
    await bot.withBoard();
    expect((await Promise.all(storedThen)).map(({ state }) => state)).toEqual([
      { ...newBoardState, sending: { nonce: expect.stringMatching(/^\d{1,25}$/) } },
    ]);
  });

  test('is looked for before it is sent again, since a nonce holds for minutes only', async () => {
    const bot = boardsInMemory();
    await creating(bot);
    while (requests(bot, 'find') === 0) await bot.time.pass(10);
    bot.chat.fault = 'done-but-500';
    while (requests(bot, 'send') === 0) await bot.time.pass(10);
    bot.chat.fault = 'down';
    await bot.time.pass(10 * MINUTE);
    bot.chat.fault = null;
    await bot.time.pass(MINUTE);
    expect(bot.chat.seen.filter(({ by }) => by === 'send')).toHaveLength(1);
    expect(bot.version()).toBe(1);
  });
});

test('polls that cost budget repeat every five minutes however long there is none', async () => {
  const bot = boardsInMemory();
  await bot.withBoard();
  bot.game.budget = false;
  await bot.time.pass(20 * MINUTE);
  const before = { ...bot.game.asked };
  await bot.time.pass(HOUR);
  for (const source of ['overview', 'chat-status']) {
    expect((bot.game.asked[source] ?? 0) - (before[source] ?? 0)).toBe(12);
  }
});
