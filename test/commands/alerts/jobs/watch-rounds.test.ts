import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLookAtPlaces } from '../../../../commands/alerts/jobs/look-at-places.ts';
import { HOUR, MINUTE, SECOND } from '../../../../src/base/duration.ts';
import type { Access } from '../../../../src/cards/board/board.ts';
import { driver, vehicle } from '../../../support/records.ts';
import { countTurns } from '../../../support/turns.ts';
import { alertsInMemory, NOON, type WatchRounds } from '../support/alerts-in-memory.ts';
import { channelWatch, directWatch } from '../support/watches.ts';

let alerts: ReturnType<typeof alertsInMemory>;

beforeEach(() => {
  alerts = alertsInMemory();
});

afterEach(() => {
  expect(alerts.doubtful, 'alerts that were interrupted').toBe(0);
});

describe('an alert whose content Discord refuses', () => {
  test('is tried rarely, and delays no other of its channel', async () => {
    const watchOf = (id: string, player: string) =>
      channelWatch(id, { condition: { kind: 'driver', player } });
    await alerts.watching(watchOf('aaaaaa', 'k3nny'), watchOf('bbbbbb', 'zoe'), watchOf('cccccc', 'ann'));
    const process = alerts.start();
    alerts.be(['somebody']);
    await alerts.pass(15 * MINUTE, process);
    const taken: string[] = [];
    alerts.chat = async ({ content }) => {
      if (content.includes('k3nny')) return 'refused';
      taken.push(content);
      return 'sent';
    };
    alerts.be(['somebody', 'k3nny', 'zoe']);
    await alerts.pass(2 * MINUTE, process);
    expect(taken).toEqual([expect.stringContaining('zoe')]);
    alerts.be(['somebody', 'k3nny', 'zoe', 'ann']);
    await alerts.pass(HOUR, process);
    expect(taken).toEqual([expect.stringContaining('zoe'), expect.stringContaining('ann')]);
    // Once together with another, once alone; after the pause it is no news any more.
    expect(alerts.texts().filter((text) => text.includes('k3nny'))).toHaveLength(2);
  });

  test('is tried a few times in three hours for an outage that lasts', async () => {
    const condition = { kind: 'outage', server: 'one', goes: 'both', after: 2 } as const;
    await alerts.watching(channelWatch('aaaaaa', { condition, atNight: true }));
    const process = alerts.start();
    await alerts.pass(MINUTE, process);
    alerts.chat = async () => 'refused';
    const from = alerts.now();
    while (alerts.now() < from + 3 * HOUR) {
      alerts.outages.set('one', [{ from, until: alerts.now() + 15 * SECOND, to: null }]);
      await alerts.pass(15 * SECOND, process);
    }
    expect(alerts.sent.length).toBeGreaterThan(2);
    expect(alerts.sent.length).toBeLessThan(10);
  });
});

describe('a driver who is watched', () => {
  test('lets others have the event loop between the messages to many people', async () => {
    await alerts.watching(
      ...Array.from({ length: 40 }, (_, at) => directWatch(`${100_000 + at}`, { person: `${at}` })),
    );
    const process = alerts.start();
    alerts.be(['somebody']);
    await alerts.pass(15 * MINUTE, process);
    const turn = countTurns();
    const turns: number[] = [];
    alerts.chat = async () => {
      turns.push(turn());
      return 'sent';
    };
    alerts.be(['somebody', 'k3nny']);
    await alerts.pass(30 * SECOND, process);
    expect(turns).toHaveLength(40);
    expect(new Set(turns).size).toBeGreaterThan(30);
  });

  test('comes on: one direct message with the time, Stop and Snooze', async () => {
    await alerts.watching(directWatch('aaaaaa'));
    const process = alerts.start();
    alerts.be(['somebody']);
    await alerts.pass(15 * MINUTE, process);
    expect(alerts.sent).toEqual([]);
    alerts.be(['somebody', 'K3NNY']);
    await alerts.pass(15 * SECOND, process);
    // One reading says nothing.
    expect(alerts.sent).toEqual([]);
    await alerts.pass(HOUR, process);
    expect(alerts.sent).toHaveLength(1);
    const [message] = alerts.sent;
    expect(message).toMatchObject({ to: { kind: 'direct', personId: '11' }, roles: [] });
    expect(message?.content).toMatch(/^🟢 \*\*k3nny\*\* is online on \*\*One\*\* · <t:\d+:R>$/);
    expect(JSON.stringify(message?.components)).toMatch(/1:watch:stop:aaaaaa.*1:watch:snooze:aaaaaa/);
  });

  test('is reported although the clock was set back an hour, before and after an alert', async () => {
    await alerts.watching(directWatch('aaaaaa'));
    const process = alerts.start();
    alerts.be(['somebody']);
    await alerts.pass(15 * MINUTE, process);
    for (const _ of ['before', 'after']) {
      alerts.step(-HOUR);
      await alerts.pass(MINUTE, process);
      alerts.be(['somebody', 'k3nny']);
      await alerts.pass(MINUTE, process);
      alerts.be(['somebody']);
      await alerts.pass(15 * MINUTE, process);
    }
    expect(alerts.sent).toHaveLength(2);
  });

  test('who is the first to come on since the bot started comes on', async () => {
    await alerts.watching(directWatch('aaaaaa'));
    const process = alerts.start();
    alerts.be([]);
    await alerts.pass(15 * MINUTE, process);
    alerts.be(['k3nny']);
    await alerts.pass(MINUTE, process);
    expect(alerts.texts()).toEqual([expect.stringContaining('**k3nny** is online on **One**')]);
  });

  test('who is the first to come on since the bot started does so by the profile, too', async () => {
    await alerts.watching(directWatch('aaaaaa'));
    const process = alerts.start();
    alerts.patrol(0);
    await alerts.pass(15 * MINUTE, process);
    // The first driver is there, whom the file does not name.
    alerts.patrol(1);
    for (const _ of [1, 2]) {
      await alerts.pass(MINUTE, process);
      process.observed({ kind: 'profile', record: driver({ isOnline: true }) }, alerts.now());
    }
    await alerts.pass(MINUTE, process);
    expect(alerts.texts()).toEqual([expect.stringContaining('**k3nny** is online')]);
  });

  test('who reconnects has not come on; who was away for ten minutes has', async () => {
    await alerts.watching(directWatch('aaaaaa'));
    const process = alerts.start();
    alerts.be(['k3nny', 'somebody']);
    await alerts.pass(HOUR, process);
    alerts.be(['somebody']);
    await alerts.pass(8 * MINUTE, process);
    alerts.be(['k3nny', 'somebody']);
    await alerts.pass(HOUR, process);
    expect(alerts.sent).toEqual([]);
    alerts.be(['somebody']);
    await alerts.pass(11 * MINUTE, process);
    alerts.be(['k3nny', 'somebody']);
    await alerts.pass(MINUTE, process);
    expect(alerts.sent).toHaveLength(1);
  });

  test.each([
    [
      'the bot',
      async (process: WatchRounds) => {
        alerts.be(['k3nny', 'somebody']);
        await alerts.pass(30 * MINUTE);
        return alerts.pass(MINUTE, process);
      },
    ],
    [
      'the service, whose file stands still',
      async (process: WatchRounds) => {
        alerts.freeze();
        await alerts.pass(10 * MINUTE, process);
        alerts.be(['k3nny', 'somebody']);
        alerts.freeze(false);
        return alerts.pass(5 * MINUTE, process);
      },
    ],
    [
      'the service, whose file is gone',
      async (process: WatchRounds) => {
        alerts.be(null);
        await alerts.pass(30 * MINUTE, process);
        alerts.be(['k3nny', 'somebody']);
        return alerts.pass(5 * MINUTE, process);
      },
    ],
  ])('who comes on during an outage of %s is not announced afterwards', async (_whose, outage) => {
    await alerts.watching(directWatch('aaaaaa'));
    const process = alerts.start();
    alerts.be(['somebody']);
    await alerts.pass(HOUR, process);
    await outage(process);
    expect(alerts.sent).toEqual([]);
  });

  test('may forbid it, or be hidden', async () => {
    await alerts.watching(
      directWatch('aaaaaa'),
      directWatch('bbbbbb', { condition: { kind: 'driver', player: 'Zoë' } }),
    );
    await alerts.hidden.add('zoë').add('k3nny');
    const process = alerts.start();
    alerts.be(['somebody']);
    await alerts.pass(15 * MINUTE, process);
    alerts.be(['somebody', 'k3nny', 'zoë']);
    await alerts.pass(15 * MINUTE, process);
    expect(alerts.sent).toEqual([]);
    expect(alerts.polling).toBe(0);
  });
});

describe('around a start of the bot', () => {
  const drivers = Array.from({ length: 20 }, (_, n) => `driver${n}`);
  const ofDriver = (player: string, n: number) =>
    directWatch(`${100_000 + n}`, { person: `${n}`, condition: { kind: 'driver', player } });
  let holds = true;
  const start = () => alerts.start(() => holds);
  beforeEach(() => {
    holds = true;
  });
  const ways: readonly (readonly [string, (process: WatchRounds) => Promise<WatchRounds>])[] = [
    [
      'an update',
      async (process) => {
        await process.stop();
        return start();
      },
    ],
    ['a kill', async () => start()],
    [
      'a short loss of Discord',
      async (process) => {
        holds = false;
        await alerts.pass(15 * SECOND, process);
        holds = true;
        return process;
      },
    ],
  ];

  test.each(ways)('all drivers who come on around %s are told of, each once', async (_what, restart) => {
    await alerts.watching(...[...drivers, 'k3nny', 'zoe'].map(ofDriver));
    alerts.be(['somebody', 'k3nny', 'zoe']);
    const first = start();
    await alerts.pass(15 * MINUTE, first);
    // One is there all the time, and one is away for a few minutes.
    alerts.be(['somebody', 'k3nny']);
    await alerts.pass(3 * MINUTE, first);
    const second = await restart(first);
    await alerts.pass(30 * SECOND);
    alerts.be(['somebody', 'k3nny', 'zoe', ...drivers]);
    await alerts.pass(MINUTE, second);
    const third = await restart(second);
    await alerts.pass(5 * MINUTE, third);
    expect(
      alerts
        .texts()
        .map((text) => /\*\*(\w+)\*\*/.exec(text)?.[1])
        .toSorted(),
    ).toEqual(drivers.toSorted());
  });

  test('a process that stops before its first round leaves the readings of the last one', async () => {
    await alerts.watching(directWatch('aaaaaa'));
    alerts.be(['somebody']);
    const first = start();
    await alerts.pass(15 * MINUTE, first);
    await first.stop();
    await start().stop();
    const next = start();
    alerts.be(['somebody', 'k3nny']);
    await alerts.pass(MINUTE, next);
    expect(alerts.texts()).toEqual([expect.stringContaining('**k3nny** is online')]);
  });

  test.each(ways)('what becomes true during %s is told', async (_what, restart) => {
    await alerts.watching(directWatch('aaaaaa', { condition: { kind: 'duty', duty: 'police', atLeast: 1 } }));
    alerts.patrol(0);
    const first = start();
    await alerts.pass(2 * MINUTE, first);
    const next = await restart(first);
    alerts.patrol(1);
    await alerts.pass(MINUTE, next);
    expect(alerts.texts()).toEqual([expect.stringContaining('Police on duty: **1**')]);
  });

  test('a server whose file is read later than the others makes nobody new', async () => {
    await alerts.watching(directWatch('aaaaaa'));
    alerts.be(['somebody']);
    alerts.isTwoThere = true;
    const first = start();
    await alerts.pass(15 * MINUTE, first);
    await first.stop();
    const next = start();
    alerts.isTwoThere = false;
    await alerts.pass(15 * SECOND, next);
    alerts.isTwoThere = true;
    alerts.be(['somebody', 'k3nny']);
    await alerts.pass(MINUTE, next);
    expect(alerts.texts()).toEqual([expect.stringContaining('**k3nny** is online')]);
  });
});

describe('the quiet hours', () => {
  /** A driver comes on at 2:00 by UTC, for a watch in that zone. */
  async function sentAtNight(zone: string | null, chosen?: string): Promise<number> {
    alerts = alertsInMemory();
    if (chosen !== undefined) alerts.zones.set('11', chosen);
    await alerts.watching(directWatch('aaaaaa', { zone }));
    const process = alerts.start();
    alerts.be(['somebody']);
    alerts.step(14 * HOUR - 15 * MINUTE);
    await alerts.pass(15 * MINUTE, process);
    alerts.be(['somebody', 'k3nny']);
    await alerts.pass(5 * MINUTE, process);
    return alerts.sent.length;
  }

  test('are those of a zone that somebody has chosen, and there are none without', async () => {
    // Version 2.0.0 stored UTC for want of a zone.
    expect([await sentAtNight(null), await sentAtNight('UTC')]).toEqual([1, 1]);
    expect([await sentAtNight('Europe/London'), await sentAtNight('America/New_York')]).toEqual([0, 1]);
    expect([await sentAtNight(null, 'UTC'), await sentAtNight('Europe/London', 'America/New_York')]).toEqual([
      0, 1,
    ]);
  });
});

describe('several that are due', () => {
  test('go in one message to each place, and ping only the chosen roles', async () => {
    const place = { kind: 'channel', guild: '1', channel: '7', role: '99' } as const;
    await alerts.watching(
      directWatch('aaaaaa', { condition: { kind: 'duty', duty: 'police', atLeast: 2 } }),
      directWatch('bbbbbb', { condition: { kind: 'server', server: 'one', free: null, drivers: 2 } }),
      channelWatch('cccccc', { place, condition: { kind: 'duty', duty: 'police', atLeast: 1 } }),
    );
    const process = alerts.start();
    alerts.patrol(0);
    await alerts.pass(MINUTE, process);
    alerts.patrol(3);
    await alerts.pass(MINUTE, process);
    expect(alerts.sent).toHaveLength(2);
    const [direct, channel] = alerts.sent.toSorted((a) => (a.to.kind === 'direct' ? -1 : 1));
    expect(direct?.content).toMatch(/Police on duty: \*\*3\*\*.*\n.*One\*\* has \*\*3\*\* drivers/);
    expect(JSON.stringify(direct?.components)).toContain('1:watch:stop:aaaaaa.bbbbbb');
    expect(channel).toMatchObject({ to: { kind: 'channel', channelId: '7' }, roles: ['99'] });
    expect(channel?.content).toMatch(/^<@&99>\n/);
  });

  test('are no more than six a day for a person, and none in the night', async () => {
    await alerts.watching(
      directWatch('aaaaaa', { condition: { kind: 'duty', duty: 'police', atLeast: 1 } }),
      directWatch('bbbbbb', { condition: { kind: 'duty', duty: 'police', atLeast: 0 } }),
    );
    const process = alerts.start();
    const hours: number[] = [];
    alerts.chat = async () => {
      hours.push(new Date(alerts.now()).getUTCHours());
      return 'sent';
    };
    for (let round = 0; round < 48; round += 1) {
      alerts.patrol(round % 2);
      await alerts.pass(HOUR, process);
    }
    expect(alerts.sent).toHaveLength(12);
    expect(hours.filter((hour) => hour >= 23 || hour < 8)).toEqual([]);
  });
});

describe('exactly once', () => {
  const police = directWatch('aaaaaa', { condition: { kind: 'duty', duty: 'police', atLeast: 1 } });
  const sale = directWatch('aaaaaa', { condition: { kind: 'car', vin: 'AB12C', below: null } });
  const look = (process: WatchRounds, onMarket: boolean) =>
    process.observed({ kind: 'car', record: vehicle({ isOnMarket: onMarket }) }, alerts.now());

  test('two processes that both think they keep the alerts send one message', async () => {
    await alerts.watching(police);
    const processes = [alerts.start(), alerts.start()];
    alerts.patrol(0);
    await alerts.pass(MINUTE, ...processes);
    alerts.patrol(1);
    await alerts.pass(3 * HOUR, ...processes);
    expect(alerts.sent).toHaveLength(1);
  });

  test('a lasting state is reported by one of two processes, and never by both', async () => {
    await alerts.watching(sale);
    const processes = [alerts.start(), alerts.start()];
    await alerts.pass(15 * SECOND, ...processes);
    for (const onMarket of [false, false, true, true, true, true, true, true]) {
      for (const process of processes) look(process, onMarket);
      await alerts.pass(15 * MINUTE, ...processes);
    }
    expect(alerts.sent).toHaveLength(1);
  });

  test('a process that keeps nothing polls, reads and sends nothing', async () => {
    await alerts.watching(police);
    let keeps = true;
    const process = alerts.start(() => keeps);
    await alerts.pass(MINUTE, process);
    expect(alerts.polling).toBe(1);
    keeps = false;
    alerts.patrol(1);
    await alerts.pass(HOUR, process);
    expect(alerts.polling).toBe(0);
    expect(alerts.sent).toEqual([]);
  });

  test.each(['before', 'after'])('killed %s the message is sent, it is not sent again', async (when) => {
    await alerts.watching(sale);
    const process = alerts.start();
    await alerts.pass(15 * SECOND, process);
    const killed = Promise.withResolvers<never>();
    let delivered = 0;
    alerts.chat = async () => {
      if (when === 'after') delivered += 1;
      return killed.promise;
    };
    for (const onMarket of [false, false, true]) {
      look(process, onMarket);
      await alerts.pass(MINUTE, process);
    }
    look(process, true);
    void process.round();
    await expect.poll(() => alerts.sent).toHaveLength(1);

    const next = alerts.start();
    alerts.chat = async () => {
      delivered += 1;
      return 'sent';
    };
    await alerts.pass(MINUTE, next);
    for (let round = 0; round < 12; round += 1) {
      look(next, true);
      await alerts.pass(10 * MINUTE, next);
    }
    expect(delivered).toBe(when === 'after' ? 1 : 0);
    expect(alerts.doubtful).toBe(1);
    alerts.doubtful = 0;
  });

  test('a car for sale is looked for and reported although the clock was set back a day', async () => {
    await alerts.watching(sale);
    const process = alerts.start();
    await alerts.pass(15 * SECOND, process);
    for (const onMarket of [false, false]) {
      look(process, onMarket);
      await alerts.pass(10 * MINUTE, process);
    }
    alerts.step(-24 * HOUR);
    await alerts.pass(15 * SECOND, process);
    expect(alerts.subjects).toMatchObject([{ knownAt: alerts.now() }]);
    for (const _ of [1, 2]) {
      await alerts.pass(MINUTE, process);
      look(process, true);
    }
    await alerts.pass(MINUTE, process);
    expect(alerts.sent).toHaveLength(1);
  });

  test('what a car is for sale for is remembered over a restart, and reported once', async () => {
    await alerts.watching(sale);
    const process = alerts.start();
    await alerts.pass(15 * SECOND, process);
    for (const onMarket of [false, false]) {
      look(process, onMarket);
      await alerts.pass(10 * MINUTE, process);
    }
    const next = alerts.start();
    await alerts.pass(15 * SECOND, next);
    for (const _ of [1, 2, 3, 4]) {
      look(next, true);
      await alerts.pass(MINUTE, next);
    }
    expect(alerts.texts()).toEqual([expect.stringMatching(/AB12C\*\* is for sale at 56,000/)]);
  });
});

describe('what cannot be delivered', () => {
  test.each(['closed', 'gone', 'rights'] as const)(
    '(%s) pauses the place and leaves word once',
    async (why) => {
      const condition = { kind: 'duty', duty: 'police', atLeast: 1 } as const;
      const place = why === 'closed' ? { kind: 'direct' as const } : channelWatch('cccccc').place;
      await alerts.watching(directWatch('aaaaaa', { condition, place }), directWatch('bbbbbb', { place }));
      alerts.chat = async () => why;
      const process = alerts.start();
      for (let round = 0; round < 6; round += 1) {
        alerts.patrol(round % 2);
        await alerts.pass(HOUR, process);
      }
      expect(alerts.sent).toHaveLength(1);
      expect((await alerts.watches.all()).map(({ paused }) => paused?.why)).toEqual([why, why]);
      expect(await alerts.pauseNotices.take('11')).toBe(why);
      expect(await alerts.pauseNotices.take('11')).toBeNull();
    },
  );

  test('in two messages of one round pauses the place and leaves word once', async () => {
    const outage = { kind: 'outage', server: 'one', goes: 'both', after: 2 } as const;
    const duty = { kind: 'duty', duty: 'police', atLeast: 1 } as const;
    await alerts.watching(
      channelWatch('aaaaaa', { condition: outage }),
      channelWatch('bbbbbb', { condition: duty }),
    );
    const process = alerts.start();
    alerts.patrol(0);
    await alerts.pass(MINUTE, process);
    alerts.chat = async () => 'gone';
    const told: string[] = [];
    // A person is written to once a day.
    alerts.tell = async ({ person }) => told.push(person) === 1;
    const from = alerts.now() - 2 * MINUTE;
    alerts.patrol(1);
    for (let round = 0; round < 4; round += 1) {
      alerts.outages.set('one', [{ from, until: alerts.now() + 15 * SECOND, to: null }]);
      await alerts.pass(15 * SECOND, process);
    }
    expect(alerts.sent).toHaveLength(2);
    expect([told, await alerts.pauseNotices.take('11')]).toEqual([['11'], null]);
  });

  test('because its channel went while the bot was down is paused, and not looked up', async () => {
    const car = { kind: 'car', vin: 'AB12C', below: null } as const;
    const place = (channel: string) => ({ kind: 'channel', guild: '1', channel, role: null }) as const;
    await alerts.watching(
      channelWatch('aaaaaa', { condition: car, place: place('7') }),
      channelWatch('bbbbbb', { condition: { ...car, vin: 'XY99Z' }, place: place('8') }),
      directWatch('cccccc', { condition: { ...car, vin: 'ZZ9Z9' } }),
    );
    const process = alerts.start();
    await alerts.pass(MINUTE, process);
    expect(alerts.subjects).toHaveLength(3);
    const access = (guild: string, channel: string): Access =>
      guild === '1' && channel === '7' ? { kind: 'unknown-channel' } : { kind: 'open' };
    await createLookAtPlaces({ ...alerts, access })(() => false);
    await alerts.pass(MINUTE, process);
    expect(alerts.subjects.map(({ name }) => name).toSorted()).toEqual(['XY99Z', 'ZZ9Z9']);
    expect((await alerts.watches.all()).filter(({ paused }) => paused?.why === 'gone')).toMatchObject([
      { id: 'aaaaaa' },
    ]);
    expect(await alerts.pauseNotices.take('11')).toBe('gone');
  });

  describe('for want of rights', () => {
    const missing: Access = { kind: 'missing', rights: ['SendMessages'] };
    const sale = { kind: 'car', vin: 'AB12C', below: null } as const;

    /** A car goes on sale, which lasts; the bot looks at its places as often as a process does, and where rights change. */
    async function selling() {
      await alerts.watching(channelWatch('aaaaaa', { condition: sale }));
      const process = alerts.start();
      const lookAtPlaces = createLookAtPlaces({ ...alerts, access: () => alerts.access });
      const look = (changed: ReadonlySet<string>) => lookAtPlaces((guild) => changed.has(guild));
      const sell = (isForSale: boolean) =>
        process.observed({ kind: 'car', record: vehicle({ isOnMarket: isForSale }) }, alerts.now());
      await alerts.pass(15 * SECOND, process);
      for (const isForSale of [false, false, true, true]) {
        sell(isForSale);
        await alerts.pass(MINUTE, process);
      }
      return { process, look, paused: async () => (await alerts.watches.all())[0]?.paused?.why };
    }

    test('told by the gateway makes no request, and is sent as soon as rights return', async () => {
      alerts.access = missing;
      const { process, look, paused } = await selling();
      expect([alerts.sent, await paused()]).toEqual([[], 'rights']);
      expect(await alerts.pauseNotices.take('11')).toBe('rights');
      await look(new Set());
      await alerts.pass(MINUTE, process);
      await look(new Set());
      expect([alerts.sent, await paused()]).toEqual([[], 'rights']);
      await look(new Set(['1']));
      expect(await paused()).toBe('rights');
      alerts.access = { kind: 'open' };
      await look(new Set(['another']));
      expect(await paused()).toBe('rights');
      await look(new Set(['1']));
      await alerts.pass(MINUTE, process);
      expect([alerts.sent.length, await paused()]).toEqual([1, undefined]);
    });

    test('told by a refusal alone is tried again after ten minutes, and nothing is lost', async () => {
      alerts.chat = async () => 'rights';
      const { process, look, paused } = await selling();
      expect([alerts.sent.length, await paused()]).toEqual([1, 'rights']);
      alerts.chat = async () => 'sent';
      await look(new Set());
      await alerts.pass(5 * MINUTE, process);
      await look(new Set());
      expect([alerts.sent.length, await paused()]).toEqual([1, 'rights']);
      await alerts.pass(5 * MINUTE, process);
      await look(new Set());
      await alerts.pass(MINUTE, process);
      expect([alerts.sent.length, await paused()]).toEqual([2, undefined]);
      expect(alerts.sent[1]?.content).toBe(alerts.sent[0]?.content);
    });

    test('a person who can be written to is told at once, and not by the next command', async () => {
      const told: string[] = [];
      alerts.tell = async ({ person }, why) => {
        told.push(`${person} ${why}`);
        return true;
      };
      alerts.access = missing;
      await selling();
      expect([told, await alerts.pauseNotices.take('11')]).toEqual([['11 rights'], null]);
    });
  });

  test('because Discord is down is not sent late', async () => {
    await alerts.watching(directWatch('aaaaaa', { condition: { kind: 'duty', duty: 'police', atLeast: 1 } }));
    alerts.chat = async () => 'perhaps-sent';
    const process = alerts.start();
    alerts.patrol(0);
    await alerts.pass(MINUTE, process);
    alerts.patrol(1);
    await alerts.pass(2 * HOUR, process);
    expect(alerts.sent).toHaveLength(1);
    expect((await alerts.watches.all())[0]?.paused).toBeNull();
  });
});

describe('look-ups', () => {
  test('are wanted once for all who watch the same car or driver', async () => {
    await alerts.watching(
      directWatch('aaaaaa', { condition: { kind: 'car', vin: 'AB12C', below: null } }),
      directWatch('bbbbbb', { person: '12', condition: { kind: 'car', vin: 'AB12C', below: 50_000 } }),
      directWatch('cccccc', { condition: { kind: 'mine', player: 'k3nny', below: 50 } }),
      directWatch('dddddd', { condition: { kind: 'driver', player: 'K3NNY' } }),
    );
    const process = alerts.start();
    alerts.be(['somebody']);
    await alerts.pass(MINUTE, process);
    expect(alerts.subjects.map(({ kind, name, every }) => [kind, name, every])).toEqual([
      ['car', 'AB12C', 10 * MINUTE],
      ['profile', 'k3nny', 180 * MINUTE],
    ]);
    // Where the files name nobody, profiles say who is online.
    alerts.patrol(1);
    await alerts.pass(MINUTE, process);
    expect(alerts.subjects.map(({ every }) => every)).toEqual([10 * MINUTE, 5 * MINUTE]);
  });

  test('by people report a worn car and an expiring licence without another request', async () => {
    await alerts.watching(directWatch('aaaaaa', { condition: { kind: 'mine', player: 'k3nny', below: 50 } }));
    const process = alerts.start();
    await alerts.pass(15 * SECOND, process);
    const look = (condition: number, days: number) =>
      process.observed(
        {
          kind: 'profile',
          record: driver({
            cars: [{ vin: 'AB12C', type: 'XRT', condition }],
            licenses: [{ name: 'Truck', validUntil: Math.round((NOON + days * 24 * HOUR) / 1000) }],
          }),
        },
        alerts.now(),
      );
    for (const [condition, days] of [
      [60, 9],
      [60, 9],
      [49, 6],
      [49, 6],
      [49, 6],
    ] as const) {
      look(condition, days);
      await alerts.pass(MINUTE, process);
    }
    expect(alerts.sent).toHaveLength(1);
    expect(alerts.texts()[0]).toMatch(/Truck\*\* expires on <t:\d+:f>.*\n.*AB12C\*\*: condition 49%/);
  });
});
