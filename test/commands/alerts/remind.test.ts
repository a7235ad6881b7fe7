import { beforeEach, describe, expect, test } from 'vitest';
import type { Watch } from '../../../commands/alerts/models/watch.ts';
import { HOUR, MINUTE, SECOND } from '../../../src/base/duration.ts';
import { directWatch } from './support/watches.ts';
import { createWorld } from './support/world.ts';

/** The 12 slots of server One are taken, and one of them is free. */
const FULL = Array.from({ length: 12 }, (_, index) => `driver ${index}`);
const ONE_FREE = FULL.slice(1);

let world: ReturnType<typeof createWorld>;

beforeEach(() => {
  world = createWorld();
  world.be(FULL);
});

/** A reminder of a free slot, for two hours. */
function reminder(id: string, person: string, server = 'one'): Watch {
  return directWatch(id, {
    person,
    condition: { kind: 'server', server, free: 1, drivers: null },
    once: { until: world.now() + 2 * HOUR, channel: '7' },
  });
}

describe('a person who waits for a free slot', () => {
  test('is notified once, by the first reading that has one', async () => {
    await world.watching(reminder('aaaaaa', 'anna'));
    const process = world.start();
    await world.pass(HOUR, process);
    expect(world.sent).toEqual([]);
    world.be(ONE_FREE);
    await world.pass(15 * SECOND, process);
    await world.pass(HOUR, process);
    expect(world.sent).toMatchObject([
      { to: { kind: 'direct', personId: 'anna' }, components: [], roles: [] },
    ]);
    expect(world.texts()[0]).toContain('**One** has 1 free slot now');
    expect(await world.watches.all()).toEqual([]);
    expect(world.polling).toBe(0);
  });

  test('is notified of what is free already, at night and after a gap, too', async () => {
    world.be(ONE_FREE);
    world.step(11 * HOUR);
    await world.watching(reminder('aaaaaa', 'anna'));
    await world.pass(15 * SECOND, world.start());
    expect(world.sent).toHaveLength(1);
  });

  test('is notified together with everyone else who waits, and apart from their alerts', async () => {
    const mine = directWatch('dddddd', { person: 'anna', condition: reminder('x', 'anna').condition });
    await world.watching(reminder('aaaaaa', 'anna'), reminder('bbbbbb', 'boris'), mine);
    await world.watching(reminder('cccccc', 'cem', 'two'));
    const process = world.start();
    await world.pass(10 * MINUTE, process);
    world.be(ONE_FREE);
    await world.pass(MINUTE, process);
    const reminders = world.sent.filter(({ content }) => content.includes('You asked for one alert'));
    expect(reminders.map(({ to }) => to)).toEqual([
      { kind: 'direct', personId: 'anna' },
      { kind: 'direct', personId: 'boris' },
    ]);
    expect(new Set(world.sent.map(({ nonce }) => nonce)).size).toBe(3);
    // The other one still waits for the other server, and the alert stays.
    expect((await world.watches.all()).map(({ id }) => id).toSorted()).toEqual(['cccccc', 'dddddd']);
  });

  test('is forgotten after the time that was promised', async () => {
    await world.watching(reminder('aaaaaa', 'anna'));
    world.step(2 * HOUR);
    world.be(ONE_FREE);
    await world.pass(15 * SECOND, world.start());
    expect(world.sent).toEqual([]);
    expect(await world.watches.all()).toEqual([]);
  });

  test('is told nothing where the conversation takes longer to open than is left', async () => {
    await world.watching(reminder('aaaaaa', 'anna'));
    world.be(ONE_FREE);
    world.opening = async () => {
      world.step(2 * HOUR);
      return null;
    };
    const process = world.start();
    await world.pass(30 * SECOND, process);
    expect(world.sent).toEqual([]);
    expect(await world.watches.all()).toEqual([]);
  });

  test('is not sent to a server by old data', async () => {
    await world.watching(reminder('aaaaaa', 'anna'));
    world.be(ONE_FREE);
    world.freeze();
    world.step(10 * MINUTE);
    const process = world.start();
    await world.pass(MINUTE, process);
    expect(world.sent).toEqual([]);
    world.freeze(false);
    await world.pass(15 * SECOND, process);
    expect(world.sent).toHaveLength(1);
  });

  test('is notified later when Discord refuses for the moment and the slot stays free', async () => {
    await world.watching(reminder('aaaaaa', 'anna'));
    world.be(ONE_FREE);
    world.opening = async () => 'unsent';
    const process = world.start();
    await world.pass(45 * SECOND, process);
    world.be(FULL);
    world.opening = async () => null;
    await world.pass(5 * MINUTE, process);
    expect(world.sent).toEqual([]);
    world.be(ONE_FREE);
    await world.pass(HOUR, process);
    expect(world.sent).toHaveLength(1);
    expect(await world.watches.all()).toEqual([]);
  });

  test('is not notified twice where the first message may have arrived', async () => {
    await world.watching(reminder('aaaaaa', 'anna'));
    world.be(ONE_FREE);
    world.chat = async () => 'perhaps-sent';
    await world.pass(HOUR, world.start());
    expect(world.sent).toHaveLength(1);
    expect(await world.watches.all()).toEqual([]);
  });

  test('and takes no direct messages is named in the channel, without a ping', async () => {
    await world.watching(reminder('aaaaaa', 'anna'));
    world.be(ONE_FREE);
    world.chat = async ({ to }) => (to.kind === 'direct' ? 'closed' : 'sent');
    await world.pass(HOUR, world.start());
    expect(world.sent.slice(1)).toMatchObject([{ to: { kind: 'channel', channelId: '7' }, roles: [] }]);
    expect(world.texts()[1]).toMatch(/^<@anna> .*\*\*One\*\*/);
    expect(await world.pauseNotices.take('anna')).toBeNull();
  });

  test('and cannot be reached is given up', async () => {
    await world.watching(reminder('aaaaaa', 'anna'));
    world.be(ONE_FREE);
    world.chat = async () => 'closed';
    await world.pass(HOUR, world.start());
    expect(world.sent).toHaveLength(2);
    expect(await world.watches.all()).toEqual([]);
  });
});

test('of two processes that both take themselves for the one in charge, one sends', async () => {
  await world.watching(reminder('aaaaaa', 'anna'));
  world.be(ONE_FREE);
  await world.pass(HOUR, world.start(), world.start());
  expect(world.sent).toHaveLength(1);
});

test('reminders pause while another process is in charge, and resume at its handover', async () => {
  await world.watching(reminder('aaaaaa', 'anna'));
  world.be(ONE_FREE);
  let isInCharge = false;
  const process = world.start(() => isInCharge);
  await world.pass(MINUTE, process);
  expect(world.sent).toEqual([]);
  expect(world.polling).toBe(0);
  isInCharge = true;
  await world.pass(MINUTE, process);
  expect(world.sent).toHaveLength(1);
});

test('a message that was interrupted is not sent again, and ends with its time', async () => {
  await world.watching(reminder('aaaaaa', 'anna'));
  world.be(ONE_FREE);
  const killed = world.start();
  world.chat = () => new Promise(() => {});
  void world.pass(15 * SECOND, killed);
  await expect.poll(() => world.sent.length).toBe(1);
  world.chat = async () => 'sent';
  await world.pass(3 * HOUR, world.start());
  expect(world.sent).toHaveLength(1);
  expect(world.doubtful).toBe(1);
  expect(await world.watches.all()).toEqual([]);
});

test('a reminder is not paused with the alerts of a person whose messages were refused', async () => {
  await world.watching(reminder('aaaaaa', 'anna'), directWatch('bbbbbb', { person: 'anna' }));
  world.chat = async () => 'closed';
  const process = world.start();
  world.be(['somebody', ...FULL.slice(1)]);
  await world.pass(15 * MINUTE, process);
  world.be(['k3nny', ...FULL.slice(1)]);
  await world.pass(5 * MINUTE, process);
  const paused = Object.fromEntries((await world.watches.all()).map(({ id, paused: why }) => [id, why?.why]));
  expect(paused).toEqual({ aaaaaa: undefined, bbbbbb: 'closed' });
});
