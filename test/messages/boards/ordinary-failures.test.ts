/** Failures by which most boards double, freeze or fall silent; each test fails without its safeguard. */

import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../../src/base/duration.ts';
import { newBoardState } from '../../../src/cards/board/board.ts';
import { createPoll } from '../../../src/service/poll/poll.ts';
import { VirtualTime } from '../../sim/virtual-time.ts';
import { serviceOf } from '../../support/records.ts';
import {
  allBoards,
  type BoardFixture,
  CHANNEL,
  createBoardFixture,
  type Process,
} from './support/board-fixture.ts';

const OTHER_CHANNEL = '800000000000000002';
const OTHER_GUILD = '700000000000000002';

function rethrow(error: unknown): never {
  throw error;
}

/** A process that keeps the boards and has been asked for one. */
async function creating(fixture: BoardFixture): Promise<Process> {
  const process = fixture.start();
  await fixture.time.pass(100);
  void process.boards.create(fixture.request());
  return process;
}

async function stored(fixture: BoardFixture) {
  const [record] = await allBoards(fixture.store);
  if (record === undefined) throw new Error('nothing is stored');
  return record;
}

function requests({ chat }: BoardFixture, what: string): number {
  return chat.requests.filter((request) => request.what === what).length;
}

test('a board that Discord holds up holds up nobody of another server', async () => {
  const fixture = createBoardFixture(1);
  const process = fixture.start({ chat: (chat) => ({ ...chat, find: () => new Promise(() => {}) }) });
  await fixture.time.pass(100);
  void process.boards.create(fixture.request());
  const answered: unknown[] = [];
  void process.boards.remove(OTHER_GUILD, OTHER_CHANNEL).then((removed) => answered.push(removed));
  void process.boards.changeAll(OTHER_GUILD, { locale: 'de' }).then(() => answered.push('spoken'));
  await fixture.time.pass(SECOND);
  expect(answered).toEqual([null, 'spoken']);
});

test('of two people of a server who ask for the same board at once, one has made it', async () => {
  const fixture = createBoardFixture(1);
  const process = fixture.start();
  await fixture.time.pass(100);
  const both = [process.boards.create(fixture.request()), process.boards.create(fixture.request())];
  const made = await fixture.time.until(Promise.all(both));
  expect(made.map(({ kind }) => kind)).toEqual(['created', 'there']);
  expect(fixture.chat.alive(CHANNEL)).toHaveLength(1);
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
    const fixture = createBoardFixture();
    const slow = { 'chat-status': 5 * SECOND };
    const asked: string[] = [];
    const { boards } = fixture.start({
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
    await fixture.time.pass(100);
    const begun = fixture.time.elapsed;
    expect(await fixture.time.until(boards.create(fixture.request()))).toEqual({
      kind: 'created',
      posted: true,
    });
    expect(fixture.time.elapsed - begun).toBeLessThanOrEqual(SECOND);
    expect(fixture.text()).toContain('Speedway');
    expect(asked).toContain('overview interactive');
    await fixture.time.pass(10 * SECOND);
    expect(fixture.text()).toContain('Ann');
    expect(asked.filter((one) => one.endsWith('interactive')).length).toBe(6);
  });

  test.for([
    { why: 'rights are missing', kind: 'missing' },
    { why: 'there is no such channel', kind: 'unknown-channel' },
  ])('a board stays where it is when the new channel refuses it: $why', async ({ kind }) => {
    const fixture = createBoardFixture();
    const { boards } = await fixture.withBoard();
    if (kind === 'missing') {
      fixture.chat.addChannel(OTHER_CHANNEL);
      fixture.chat.setRights(OTHER_CHANNEL, ['ViewChannel']);
      await fixture.time.pass(SECOND);
    }
    const [before] = fixture.chat.alive(CHANNEL);
    const moved = boards.move(fixture.chat.guildId, CHANNEL, fixture.request({ channelId: OTHER_CHANNEL }));
    expect(await fixture.time.until(moved)).toMatchObject({ created: { kind }, removed: null });
    await fixture.time.pass(MINUTE);
    expect(fixture.chat.alive(CHANNEL).map(({ id }) => id)).toEqual([before?.id]);
    expect(await boards.list(fixture.chat.guildId)).toMatchObject([{ settings: { channelId: CHANNEL } }]);
  });

  test('a board is removed where the bot may only view, else the answer says it stays', async () => {
    const fixture = createBoardFixture();
    const { boards } = await fixture.withBoard();
    const { guildId } = fixture.chat;
    fixture.chat.addChannel(OTHER_CHANNEL);
    await fixture.time.until(boards.create(fixture.request({ channelId: OTHER_CHANNEL })));
    fixture.chat.setRights(CHANNEL, ['ViewChannel']);
    fixture.chat.setRights(OTHER_CHANNEL, []);
    await fixture.time.pass(MINUTE);
    expect(await fixture.time.until(boards.remove(guildId, CHANNEL))).toEqual({ isMessageLeft: false });
    expect(fixture.chat.alive(CHANNEL)).toEqual([]);
    expect(await fixture.time.until(boards.remove(guildId, OTHER_CHANNEL))).toEqual({ isMessageLeft: true });
    expect(fixture.chat.alive(OTHER_CHANNEL)).toHaveLength(1);
    expect(await allBoards(fixture.store)).toEqual([]);
  });

  test('a board whose channel is gone leaves no message to delete', async () => {
    const fixture = createBoardFixture();
    const { boards } = await fixture.withBoard();
    fixture.chat.deleteChannel(CHANNEL);
    await fixture.time.pass(MINUTE);
    expect(await boards.list(fixture.chat.guildId)).toMatchObject([{ paused: { why: 'channel' } }]);
    expect(await fixture.time.until(boards.remove(fixture.chat.guildId, CHANNEL))).toEqual({
      isMessageLeft: false,
    });
    expect(await allBoards(fixture.store)).toEqual([]);
  });

  test('a board continues in another language at once', async () => {
    const fixture = createBoardFixture();
    const { boards } = await fixture.withBoard();
    expect(fixture.text()).toContain('🟢 live');
    await fixture.time.until(boards.changeAll(fixture.chat.guildId, { locale: 'de' }));
    await fixture.time.pass(3 * SECOND);
    expect(fixture.text()).toContain('Server live');
    const { settings } = await stored(fixture);
    expect(settings.locale).toBe('de');
  });

  test('a board is neither moved nor taken down nor listed from another guild', async () => {
    const fixture = createBoardFixture();
    const { boards } = await fixture.withBoard();
    fixture.chat.addChannel(OTHER_CHANNEL);
    expect(await fixture.time.until(boards.remove(OTHER_GUILD, CHANNEL))).toBeNull();
    const target = fixture.request({ channelId: OTHER_CHANNEL });
    expect(await fixture.time.until(boards.move(OTHER_GUILD, CHANNEL, target))).toBeNull();
    expect(await boards.list(OTHER_GUILD)).toEqual([]);
    await fixture.time.pass(MINUTE);
    expect(fixture.version()).toBe(1);
    expect(fixture.chat.alive(OTHER_CHANNEL)).toEqual([]);
  });
});

test('a process whose lock goes while the nonce is being stored sends nothing', async () => {
  const fixture = createBoardFixture();
  fixture.boardStore.late = 20 * SECOND;
  await creating(fixture);
  while ((await stored(fixture).catch(() => null))?.state.sending == null) await fixture.time.pass(10);
  fixture.lock.isAway = true;
  await fixture.time.pass(MINUTE);
  expect(requests(fixture, 'find')).toBe(1);
  expect(requests(fixture, 'send')).toBe(0);
});

test('after ten seconds of 401 it is right within twenty, with two requests at most', async () => {
  const fixture = createBoardFixture();
  await fixture.withBoard();
  await fixture.time.pass(HOUR);
  fixture.chat.fault = '401';
  fixture.world.version = 2;
  await fixture.time.pass(10 * SECOND);
  fixture.chat.fault = null;
  await fixture.time.pass(20 * SECOND);
  expect(fixture.version()).toBe(2);
  expect(fixture.chat.requests.filter(({ invalid }) => invalid).length).toBeLessThanOrEqual(2);
});

test('after eight requests that count towards a ban it waits for ten minutes', async () => {
  const fixture = createBoardFixture();
  await fixture.withBoard();
  fixture.chat.fault = '429';
  fixture.world.version = 2;
  for (let minute = 0; minute < 60; minute += 1) {
    fixture.world.version += 1;
    await fixture.time.pass(MINUTE);
  }
  const times = fixture.chat.requests.filter(({ invalid }) => invalid).map(({ at }) => at);
  const inTenMinutes = times.map(
    (at) => times.filter((other) => other >= at && other < at + 10 * MINUTE).length,
  );
  expect(Math.max(...inTenMinutes)).toBe(8);
  expect(times.length).toBeGreaterThan(5 * 8);
  fixture.chat.fault = null;
  await fixture.time.pass(11 * MINUTE);
  expect(fixture.version()).toBe(fixture.world.version);
});

test('a single double is cleared away, and the older message stays', async () => {
  const fixture = createBoardFixture();
  const first = await fixture.withBoard();
  const [own] = fixture.chat.alive(CHANNEL);
  if (own === undefined) throw new Error('there is no board');
  first.kill();
  const { state } = await stored(fixture);
  await fixture.store.saveState(CHANNEL, { ...state, posted: null, sending: null });
  await fixture.time.until(fixture.chat.client().send(CHANNEL, own.content, 'a nonce of another time'));
  expect(fixture.chat.alive(CHANNEL)).toHaveLength(2);
  fixture.start();
  await fixture.time.pass(MINUTE);
  expect(fixture.chat.alive(CHANNEL).map(({ id }) => id)).toEqual([own.id]);
});

describe('a send whose end is not known', () => {
  test('its nonce is stored before the message can be there', async () => {
    const fixture = createBoardFixture();
    const storedThen: Promise<Awaited<ReturnType<typeof stored>>>[] = [];
    fixture.chat.onCreated = () => storedThen.push(stored(fixture));
    await fixture.withBoard();
    expect((await Promise.all(storedThen)).map(({ state }) => state)).toEqual([
      { ...newBoardState, sending: { nonce: expect.stringMatching(/^\d{1,25}$/) } },
    ]);
  });

  test('is looked for before it is sent again, since a nonce holds for minutes only', async () => {
    const fixture = createBoardFixture();
    await creating(fixture);
    while (requests(fixture, 'find') === 0) await fixture.time.pass(10);
    fixture.chat.fault = 'done-but-500';
    while (requests(fixture, 'send') === 0) await fixture.time.pass(10);
    fixture.chat.fault = 'down';
    await fixture.time.pass(10 * MINUTE);
    fixture.chat.fault = null;
    await fixture.time.pass(MINUTE);
    expect(fixture.chat.seen.filter(({ by }) => by === 'send')).toHaveLength(1);
    expect(fixture.version()).toBe(1);
  });
});

test('polls that cost budget repeat every five minutes however long there is none', async () => {
  const fixture = createBoardFixture();
  await fixture.withBoard();
  fixture.world.budget = false;
  await fixture.time.pass(20 * MINUTE);
  const before = { ...fixture.world.asked };
  await fixture.time.pass(HOUR);
  for (const source of ['overview', 'chat-status']) {
    expect((fixture.world.asked[source] ?? 0) - (before[source] ?? 0)).toBe(12);
  }
});
