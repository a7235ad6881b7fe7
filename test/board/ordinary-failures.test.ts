/** Failures by which most boards double, freeze or fall silent; each test fails without its safeguard. */

import { describe, expect, test } from 'vitest';
import { newBoardState } from '../../src/service/models/board.ts';
import { createPoll } from '../../src/service/poll/poll.ts';
import { VirtualTime } from '../sim/virtual-time.ts';
import { serviceOf } from '../support/records.ts';
import { allBoards, CHANNEL, createStage, type Process, type Stage } from './support/stage.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const OTHER_CHANNEL = '800000000000000002';
const OTHER_GUILD = '700000000000000002';

function rethrow(error: unknown): never {
  throw error;
}

/** A process that keeps the boards and has been asked for one. */
async function creating(stage: Stage): Promise<Process> {
  const process = stage.start();
  await stage.time.pass(100);
  void process.boards.create(stage.request());
  return process;
}

async function stored(stage: Stage) {
  const [record] = await allBoards(stage.store);
  if (record === undefined) throw new Error('nothing is stored');
  return record;
}

function requests({ chat }: Stage, what: string): number {
  return chat.requests.filter((request) => request.what === what).length;
}

test('a board that Discord holds up holds up nobody of another server', async () => {
  const stage = createStage(1);
  const process = stage.start({ chat: (chat) => ({ ...chat, find: () => new Promise(() => {}) }) });
  await stage.time.pass(100);
  void process.boards.create(stage.request());
  const answered: unknown[] = [];
  void process.boards.remove(OTHER_GUILD, OTHER_CHANNEL).then((removed) => answered.push(removed));
  void process.boards.changeAll(OTHER_GUILD, { locale: 'de' }).then(() => answered.push('spoken'));
  await stage.time.pass(SECOND);
  expect(answered).toEqual([null, 'spoken']);
});

test('of two people of a server who ask for the same board at once, one has made it', async () => {
  const stage = createStage(1);
  const process = stage.start();
  await stage.time.pass(100);
  const both = [process.boards.create(stage.request()), process.boards.create(stage.request())];
  const made = await stage.time.until(Promise.all(both));
  expect(made.map(({ kind }) => kind)).toEqual(['created', 'there']);
  expect(stage.chat.alive(CHANNEL)).toHaveLength(1);
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
    const stage = createStage();
    const slow = { 'chat-status': 5 * SECOND };
    const asked: string[] = [];
    const { boards } = stage.start({
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
    await stage.time.pass(100);
    const begun = stage.time.elapsed;
    expect(await stage.time.until(boards.create(stage.request()))).toEqual({ kind: 'created', posted: true });
    expect(stage.time.elapsed - begun).toBeLessThanOrEqual(SECOND);
    expect(stage.text()).toContain('Speedway');
    expect(asked).toContain('overview interactive');
    await stage.time.pass(10 * SECOND);
    expect(stage.text()).toContain('Ann');
    expect(asked.filter((one) => one.endsWith('interactive')).length).toBe(6);
  });

  test.for([
    { why: 'rights are missing', kind: 'missing' },
    { why: 'there is no such channel', kind: 'unknown-channel' },
  ])('a board stays where it is when the new channel refuses it: $why', async ({ kind }) => {
    const stage = createStage();
    const { boards } = await stage.withBoard();
    if (kind === 'missing') {
      stage.chat.addChannel(OTHER_CHANNEL);
      stage.chat.setRights(OTHER_CHANNEL, ['ViewChannel']);
      await stage.time.pass(SECOND);
    }
    const [before] = stage.chat.alive(CHANNEL);
    const moved = boards.move(stage.chat.guildId, CHANNEL, stage.request({ channelId: OTHER_CHANNEL }));
    expect(await stage.time.until(moved)).toMatchObject({ created: { kind }, removed: null });
    await stage.time.pass(MINUTE);
    expect(stage.chat.alive(CHANNEL).map(({ id }) => id)).toEqual([before?.id]);
    expect(await boards.list(stage.chat.guildId)).toMatchObject([{ settings: { channelId: CHANNEL } }]);
  });

  test('a board is removed where the bot may only view, else the answer says it stays', async () => {
    const stage = createStage();
    const { boards } = await stage.withBoard();
    const { guildId } = stage.chat;
    stage.chat.addChannel(OTHER_CHANNEL);
    await stage.time.until(boards.create(stage.request({ channelId: OTHER_CHANNEL })));
    stage.chat.setRights(CHANNEL, ['ViewChannel']);
    stage.chat.setRights(OTHER_CHANNEL, []);
    await stage.time.pass(MINUTE);
    expect(await stage.time.until(boards.remove(guildId, CHANNEL))).toEqual({ isMessageLeft: false });
    expect(stage.chat.alive(CHANNEL)).toEqual([]);
    expect(await stage.time.until(boards.remove(guildId, OTHER_CHANNEL))).toEqual({ isMessageLeft: true });
    expect(stage.chat.alive(OTHER_CHANNEL)).toHaveLength(1);
    expect(await allBoards(stage.store)).toEqual([]);
  });

  test('a board whose channel is gone leaves no message to delete', async () => {
    const stage = createStage();
    const { boards } = await stage.withBoard();
    stage.chat.deleteChannel(CHANNEL);
    await stage.time.pass(MINUTE);
    expect(await boards.list(stage.chat.guildId)).toMatchObject([{ paused: { why: 'channel' } }]);
    expect(await stage.time.until(boards.remove(stage.chat.guildId, CHANNEL))).toEqual({
      isMessageLeft: false,
    });
    expect(await allBoards(stage.store)).toEqual([]);
  });

  test('a board continues in another language at once', async () => {
    const stage = createStage();
    const { boards } = await stage.withBoard();
    expect(stage.text()).toContain('🟢 live');
    await stage.time.until(boards.changeAll(stage.chat.guildId, { locale: 'de' }));
    await stage.time.pass(3 * SECOND);
    expect(stage.text()).toContain('Server live');
    const { settings } = await stored(stage);
    expect(settings.locale).toBe('de');
  });

  test('a board is neither moved nor taken down nor listed from another guild', async () => {
    const stage = createStage();
    const { boards } = await stage.withBoard();
    stage.chat.addChannel(OTHER_CHANNEL);
    expect(await stage.time.until(boards.remove(OTHER_GUILD, CHANNEL))).toBeNull();
    const target = stage.request({ channelId: OTHER_CHANNEL });
    expect(await stage.time.until(boards.move(OTHER_GUILD, CHANNEL, target))).toBeNull();
    expect(await boards.list(OTHER_GUILD)).toEqual([]);
    await stage.time.pass(MINUTE);
    expect(stage.version()).toBe(1);
    expect(stage.chat.alive(OTHER_CHANNEL)).toEqual([]);
  });
});

describe('the lease', () => {
  test('counts from when it was asked for: one that is granted too late is over', async () => {
    const stage = createStage();
    const first = await stage.withBoard();
    first.kill();
    await stage.time.pass(MINUTE);
    const before = stage.chat.requests.length;
    stage.claimStore.late = 16 * SECOND;
    stage.world.version = 2;
    stage.start();
    await stage.time.pass(10 * MINUTE);
    expect(stage.chat.requests.length).toBe(before);
    stage.claimStore.late = 0;
    await stage.time.pass(MINUTE);
    expect(stage.version()).toBe(2);
  });

  test('when it is lost while the nonce is being stored, nothing is sent', async () => {
    const stage = createStage();
    stage.boardStore.late = 20 * SECOND;
    await creating(stage);
    while ((await stored(stage).catch(() => null))?.state.sending == null) await stage.time.pass(10);
    // The others have not heard of it for a while, and one of them takes the shard.
    stage.claimStore.broken = true;
    await stage.time.pass(MINUTE);
    expect(requests(stage, 'find')).toBe(1);
    expect(requests(stage, 'send')).toBe(0);
  });
});

test('after ten seconds of 401 it is right within twenty, with two requests at most', async () => {
  const stage = createStage();
  await stage.withBoard();
  await stage.time.pass(HOUR);
  stage.chat.fault = '401';
  stage.world.version = 2;
  await stage.time.pass(10 * SECOND);
  stage.chat.fault = null;
  await stage.time.pass(20 * SECOND);
  expect(stage.version()).toBe(2);
  expect(stage.chat.requests.filter(({ invalid }) => invalid).length).toBeLessThanOrEqual(2);
});

test('after eight requests that count towards a ban it waits for ten minutes', async () => {
  const stage = createStage();
  await stage.withBoard();
  stage.chat.fault = '429';
  stage.world.version = 2;
  for (let minute = 0; minute < 60; minute += 1) {
    stage.world.version += 1;
    await stage.time.pass(MINUTE);
  }
  const times = stage.chat.requests.filter(({ invalid }) => invalid).map(({ at }) => at);
  const inTenMinutes = times.map(
    (at) => times.filter((other) => other >= at && other < at + 10 * MINUTE).length,
  );
  expect(Math.max(...inTenMinutes)).toBe(8);
  expect(times.length).toBeGreaterThan(5 * 8);
  stage.chat.fault = null;
  await stage.time.pass(11 * MINUTE);
  expect(stage.version()).toBe(stage.world.version);
});

test('a single double is cleared away, and the older message stays', async () => {
  const stage = createStage();
  const first = await stage.withBoard();
  const [own] = stage.chat.alive(CHANNEL);
  if (own === undefined) throw new Error('there is no board');
  first.kill();
  const { state } = await stored(stage);
  await stage.store.saveState(CHANNEL, { ...state, posted: null, sending: null });
  await stage.time.until(stage.chat.client().send(CHANNEL, own.content, 'a nonce of another time'));
  expect(stage.chat.alive(CHANNEL)).toHaveLength(2);
  stage.start();
  await stage.time.pass(MINUTE);
  expect(stage.chat.alive(CHANNEL).map(({ id }) => id)).toEqual([own.id]);
});

describe('a send whose end is not known', () => {
  test('its nonce is stored before the message can be there', async () => {
    const stage = createStage();
    const storedThen: Promise<Awaited<ReturnType<typeof stored>>>[] = [];
    stage.chat.onCreated = () => storedThen.push(stored(stage));
    await stage.withBoard();
    expect((await Promise.all(storedThen)).map(({ state }) => state)).toEqual([
      { ...newBoardState, sending: { nonce: expect.stringMatching(/^\d{1,25}$/) } },
    ]);
  });

  test('is looked for before it is sent again, since a nonce holds for minutes only', async () => {
    const stage = createStage();
    await creating(stage);
    while (requests(stage, 'find') === 0) await stage.time.pass(10);
    stage.chat.fault = 'done-but-500';
    while (requests(stage, 'send') === 0) await stage.time.pass(10);
    stage.chat.fault = 'down';
    await stage.time.pass(10 * MINUTE);
    stage.chat.fault = null;
    await stage.time.pass(MINUTE);
    expect(stage.chat.seen.filter(({ by }) => by === 'send')).toHaveLength(1);
    expect(stage.version()).toBe(1);
  });
});

test('polls that cost budget repeat every five minutes however long there is none', async () => {
  const stage = createStage();
  await stage.withBoard();
  stage.world.budget = false;
  await stage.time.pass(20 * MINUTE);
  const before = { ...stage.world.asked };
  await stage.time.pass(HOUR);
  for (const source of ['overview', 'chat-status']) {
    expect((stage.world.asked[source] ?? 0) - (before[source] ?? 0)).toBe(12);
  }
});
