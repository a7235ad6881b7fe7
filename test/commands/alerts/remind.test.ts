import { beforeEach, describe, expect, test } from 'vitest';
import type { Watch } from '../../../commands/alerts/models/watch.ts';
import { HOUR, MINUTE, SECOND } from '../../../src/base/duration.ts';
import { alertsInMemory } from './support/alerts-in-memory.ts';
import { directWatch } from './support/watches.ts';

/** The 12 slots of server One are taken, and one of them is free. */
const FULL = Array.from({ length: 12 }, (_, index) => `driver ${index}`);
const ONE_FREE = FULL.slice(1);

let alerts: ReturnType<typeof alertsInMemory>;

beforeEach(() => {
  alerts = alertsInMemory();
  alerts.be(FULL);
});

/** A reminder of a free slot, for two hours. */
function reminder(id: string, person: string, server = 'one'): Watch {
  return directWatch(id, {
    person,
    condition: { kind: 'server', server, free: 1, drivers: null },
    once: { until: alerts.now() + 2 * HOUR, channel: '7' },
  });
}

describe('a person who waits for a free slot', () => {
  test('is notified once, by the first reading that has one', async () => {
    await alerts.watching(reminder('aaaaaa', 'anna'));
    const process = alerts.start();
    await alerts.pass(HOUR, process);
    expect(alerts.sent).toEqual([]);
    alerts.be(ONE_FREE);
    await alerts.pass(15 * SECOND, process);
    await alerts.pass(HOUR, process);
    expect(alerts.sent).toMatchObject([
      { to: { kind: 'direct', personId: 'anna' }, components: [], roles: [] },
    ]);
    expect(alerts.texts()[0]).toContain('**One** has 1 free slot now');
    expect(await alerts.watches.all()).toEqual([]);
    expect(alerts.polling).toBe(0);
  });

  test('is notified of what is free already, at night and after a gap, too', async () => {
    alerts.be(ONE_FREE);
    alerts.step(11 * HOUR);
    await alerts.watching(reminder('aaaaaa', 'anna'));
    await alerts.pass(15 * SECOND, alerts.start());
    expect(alerts.sent).toHaveLength(1);
  });

  test('is notified together with everyone else who waits, and apart from their alerts', async () => {
    const mine = directWatch('dddddd', { person: 'anna', condition: reminder('x', 'anna').condition });
    await alerts.watching(reminder('aaaaaa', 'anna'), reminder('bbbbbb', 'boris'), mine);
    await alerts.watching(reminder('cccccc', 'cem', 'two'));
    const process = alerts.start();
    await alerts.pass(10 * MINUTE, process);
    alerts.be(ONE_FREE);
    await alerts.pass(MINUTE, process);
    const reminders = alerts.sent.filter(({ content }) => content.includes('You asked for one alert'));
    expect(reminders.map(({ to }) => to)).toEqual([
      { kind: 'direct', personId: 'anna' },
      { kind: 'direct', personId: 'boris' },
    ]);
    expect(new Set(alerts.sent.map(({ nonce }) => nonce)).size).toBe(3);
    // The other one still waits for the other server, and the alert stays.
    expect((await alerts.watches.all()).map(({ id }) => id).toSorted()).toEqual(['cccccc', 'dddddd']);
  });

  test('is forgotten after the time that was promised', async () => {
    await alerts.watching(reminder('aaaaaa', 'anna'));
    alerts.step(2 * HOUR);
    alerts.be(ONE_FREE);
    await alerts.pass(15 * SECOND, alerts.start());
    expect(alerts.sent).toEqual([]);
    expect(await alerts.watches.all()).toEqual([]);
  });

  test('is told nothing where the conversation takes longer to open than is left', async () => {
    await alerts.watching(reminder('aaaaaa', 'anna'));
    alerts.be(ONE_FREE);
    alerts.opening = async () => {
      alerts.step(2 * HOUR);
      return null;
    };
    const process = alerts.start();
    await alerts.pass(30 * SECOND, process);
    expect(alerts.sent).toEqual([]);
    expect(await alerts.watches.all()).toEqual([]);
  });

  test('is not sent to a server by old data', async () => {
    await alerts.watching(reminder('aaaaaa', 'anna'));
    alerts.be(ONE_FREE);
    alerts.freeze();
    alerts.step(10 * MINUTE);
    const process = alerts.start();
    await alerts.pass(MINUTE, process);
    expect(alerts.sent).toEqual([]);
    alerts.freeze(false);
    await alerts.pass(15 * SECOND, process);
    expect(alerts.sent).toHaveLength(1);
  });

  test('is notified later when Discord refuses for the moment and the slot stays free', async () => {
    await alerts.watching(reminder('aaaaaa', 'anna'));
    alerts.be(ONE_FREE);
    alerts.opening = async () => 'unsent';
    const process = alerts.start();
    await alerts.pass(45 * SECOND, process);
    alerts.be(FULL);
    alerts.opening = async () => null;
    await alerts.pass(5 * MINUTE, process);
    expect(alerts.sent).toEqual([]);
    alerts.be(ONE_FREE);
    await alerts.pass(HOUR, process);
    expect(alerts.sent).toHaveLength(1);
    expect(await alerts.watches.all()).toEqual([]);
  });

  test.each([
    ['is not notified twice where the first message may have arrived', 'perhaps-sent', 1],
    ['and cannot be reached is given up', 'closed', 2],
  ] as const)('%s', async (_what, outcome, count) => {
    await alerts.watching(reminder('aaaaaa', 'anna'));
    alerts.be(ONE_FREE);
    alerts.chat = async () => outcome;
    await alerts.pass(HOUR, alerts.start());
    expect(alerts.sent).toHaveLength(count);
    expect(await alerts.watches.all()).toEqual([]);
  });

  test('and takes no direct messages is named in the channel, without a ping', async () => {
    await alerts.watching(reminder('aaaaaa', 'anna'));
    alerts.be(ONE_FREE);
    alerts.chat = async ({ to }) => (to.kind === 'direct' ? 'closed' : 'sent');
    await alerts.pass(HOUR, alerts.start());
    expect(alerts.sent.slice(1)).toMatchObject([{ to: { kind: 'channel', channelId: '7' }, roles: [] }]);
    expect(alerts.texts()[1]).toMatch(/^<@anna> .*\*\*One\*\*/);
    expect(await alerts.pauseNotices.take('anna')).toBeNull();
  });
});

test('of two processes that both take themselves for the one in charge, one sends', async () => {
  await alerts.watching(reminder('aaaaaa', 'anna'));
  alerts.be(ONE_FREE);
  await alerts.pass(HOUR, alerts.start(), alerts.start());
  expect(alerts.sent).toHaveLength(1);
});

test('reminders pause while another process is in charge, and resume at its handover', async () => {
  await alerts.watching(reminder('aaaaaa', 'anna'));
  alerts.be(ONE_FREE);
  let isInCharge = false;
  const process = alerts.start(() => isInCharge);
  await alerts.pass(MINUTE, process);
  expect(alerts.sent).toEqual([]);
  expect(alerts.polling).toBe(0);
  isInCharge = true;
  await alerts.pass(MINUTE, process);
  expect(alerts.sent).toHaveLength(1);
});

test('a message that was interrupted is not sent again, and ends with its time', async () => {
  await alerts.watching(reminder('aaaaaa', 'anna'));
  alerts.be(ONE_FREE);
  const killed = alerts.start();
  alerts.chat = () => new Promise(() => {});
  void alerts.pass(15 * SECOND, killed);
  await expect.poll(() => alerts.sent.length).toBe(1);
  alerts.chat = async () => 'sent';
  await alerts.pass(3 * HOUR, alerts.start());
  expect(alerts.sent).toHaveLength(1);
  expect(alerts.doubtful).toBe(1);
  expect(await alerts.watches.all()).toEqual([]);
});

test('a reminder is not paused with the alerts of a person whose messages were refused', async () => {
  await alerts.watching(reminder('aaaaaa', 'anna'), directWatch('bbbbbb', { person: 'anna' }));
  alerts.chat = async () => 'closed';
  const process = alerts.start();
  alerts.be(['somebody', ...FULL.slice(1)]);
  await alerts.pass(15 * MINUTE, process);
  alerts.be(['k3nny', ...FULL.slice(1)]);
  await alerts.pass(5 * MINUTE, process);
  const paused = Object.fromEntries(
    (await alerts.watches.all()).map(({ id, paused: why }) => [id, why?.why]),
  );
  expect(paused).toEqual({ aaaaaa: undefined, bbbbbb: 'closed' });
});
