/** A live file that answers and fails in turn, read by the real poll and the real alerts, on virtual time. */
import { Keyv } from 'keyv';
import { expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../../src/base/duration.ts';
import { type Fault, ServiceError } from '../../../src/base/errors.ts';
import { createCache } from '../../../src/service/cache/cache.ts';
import { createClient } from '../../../src/service/client.ts';
import { profile } from '../../../src/service/endpoints.ts';
import { createPoll } from '../../../src/service/poll/poll.ts';
import { bot, NOON } from '../../support/bot-in-memory.ts';
import { startTime } from '../../support/start-time.ts';

/** Every other second the service fails: with a fault, or with an empty file. */
type Failing = Fault | 'empty' | null;

function startBot() {
  const time = startTime(NOON);
  const { clock } = time;
  const game = { driving: ['somebody', 'k3nny'], failing: null as Failing };
  const cached = createCache({ keyv: new Keyv(), shared: false, clock });
  const service = createClient({
    layer: cached(async ({ endpoint, path, pickUsedPart }) => {
      await new Promise<void>((resolve) => clock.after(50, resolve));
      const isBad = game.failing !== null && Math.floor(clock.now() / SECOND) % 2 === 0;
      if (isBad && game.failing !== null && game.failing !== 'empty')
        throw new ServiceError(game.failing, { endpoint, sent: 'yes' });
      const there = path.includes('status_one.json') && !isBad ? game.driving : [];
      const ps = Object.fromEntries(there.map((un, u) => [u, { un, u }]));
      const isOnline = game.driving.includes('k3nny');
      const body = endpoint === 'live' ? { n: 'One', t: clock.now(), ps } : { username: 'k3nny', isOnline };
      return { body: pickUsedPart(body), asOf: clock.now(), stale: null, rate: null };
    }),
    places: { game: 'drivesim', chatPath: 'chat_status' },
  });
  const failed = (error: unknown): never => {
    throw error;
  };
  const { start, features, messages } = bot({
    ...{ time, features: ['alerts'], dataService: { poll: createPoll({ service, clock, failed }) } },
  });
  start();
  return {
    ...{ time, game, messages },
    async watch() {
      const place = { kind: 'direct' } as const;
      const asked = { person: '11', place, locale: 'en-GB', zone: 'UTC', atNight: true };
      const condition = { kind: 'driver', player: 'k3nny' } as const;
      const created = features.alerts.create({ ...asked, condition }, service, clock.now());
      await time.pass(2 * SECOND);
      return created;
    },
    /** As a card would ask for it. */
    look: () => service.get(profile, { username: 'k3nny' }),
  };
}

test.each<Failing>(['unavailable', 'not-found', 'bad-response', 'empty'])(
  'every other second (%s) for a minute brings nobody online, nor keeps anybody from coming',
  async (failing) => {
    const { time, game, watch, messages } = startBot();
    await watch();
    await time.pass(11 * MINUTE);
    game.failing = failing;
    await time.pass(MINUTE);
    game.failing = null;
    await time.pass(20 * MINUTE);
    expect(messages).toEqual([]);
    game.driving = ['somebody'];
    await time.pass(11 * MINUTE);
    game.driving = ['somebody', 'k3nny'];
    await time.pass(MINUTE);
    expect(messages).toHaveLength(1);
  },
);

test('an alert set with only an older profile does not report an online driver as new', async () => {
  const { time, game, watch, look, messages } = startBot();
  const looked = look();
  await time.pass(30 * MINUTE);
  await looked;
  game.failing = 'unavailable';
  const created = await watch();
  expect(created).toMatchObject({ kind: 'created', already: null });
  await time.pass(MINUTE);
  game.failing = null;
  await time.pass(20 * MINUTE);
  expect(messages).toEqual([]);
});
