/** A live file that answers and fails in turn, read by the real poll and the real alerts, on virtual time. */
import { Keyv } from 'keyv';
import { expect, onTestFinished, test } from 'vitest';
import { createPauseNotices } from '../../../commands/alerts/jobs/pause-notices.ts';
import { createWatchRounds } from '../../../commands/alerts/jobs/watch-rounds.ts';
import { createWatchRequests } from '../../../commands/alerts/models/watch-requests.ts';
import { createWatches } from '../../../commands/alerts/models/watches.ts';
import { MINUTE, SECOND } from '../../../src/base/duration.ts';
import { type Fault, ServiceError } from '../../../src/base/errors.ts';
import { createLog } from '../../../src/base/log.ts';
import { createRuns } from '../../../src/base/runs.ts';
import { createCache } from '../../../src/service/cache/cache.ts';
import { createClient } from '../../../src/service/client.ts';
import { profile } from '../../../src/service/endpoints.ts';
import { createPoll } from '../../../src/service/poll/poll.ts';
import { VirtualTime } from '../../sim/virtual-time.ts';
import { documentsInMemory } from '../../support/documents-in-memory.ts';
import { openTo, outboxOver } from '../../support/messages.ts';
import { createTranslators } from '../../support/translators.ts';

/** Every other second the service fails: with a fault, or with an empty file. */
type Failing = Fault | 'empty' | null;

function world() {
  const time = new VirtualTime(Date.UTC(2026, 2, 5, 12));
  onTestFinished(time.install());
  const { clock } = time;
  const all = {
    time,
    driving: ['somebody', 'k3nny'],
    failing: null as Failing,
    sent: [] as string[],
    async watch() {
      const place = { kind: 'direct' } as const;
      const asked = { person: '11', place, locale: 'en-GB', zone: 'UTC', atNight: true };
      const condition = { kind: 'driver', player: 'k3nny' } as const;
      const created = requests.create({ ...asked, condition }, service, clock.now());
      await time.pass(2 * SECOND);
      return created;
    },
    /** As a card would ask for it. */
    look: () => service.get(profile, { username: 'k3nny' }),
  };
  const cached = createCache({ keyv: new Keyv(), shared: false, clock });
  const service = createClient({
    layer: cached(async ({ endpoint, path, pickUsedPart }) => {
      await new Promise<void>((resolve) => clock.after(50, resolve));
      const isBad = all.failing !== null && Math.floor(clock.now() / SECOND) % 2 === 0;
      if (isBad && all.failing !== null && all.failing !== 'empty')
        throw new ServiceError(all.failing, { endpoint, sent: 'yes' });
      const there = path.includes('status_one.json') && !isBad ? all.driving : [];
      const ps = Object.fromEntries(there.map((un, u) => [u, { un, u }]));
      const isOnline = all.driving.includes('k3nny');
      const body = endpoint === 'live' ? { n: 'One', t: clock.now(), ps } : { username: 'k3nny', isOnline };
      return { body: pickUsedPart(body), asOf: clock.now(), stale: null, rate: null };
    }),
    places: { game: 'drivesim', chatPath: 'chat_status' },
  });
  const bug = (error: unknown): never => {
    throw error;
  };
  const documents = documentsInMemory(clock.now);
  const states = {
    watches: createWatches(documents),
    pauseNotices: createPauseNotices(documents),
  };
  const access = () => ({ kind: 'open' }) as const;
  const requests = createWatchRequests({
    ...states,
    access,
    unwatched: async () => new Set(),
    outages: async () => [],
  });
  const { outbox } = outboxOver(
    openTo(async ({ content }) => {
      all.sent.push(content);
      return 'sent';
    }),
    { documents, clock, log: createLog({ level: 'warn', secrets: [], stream: { write: bug } }) },
  );
  const rounds = createWatchRounds({
    access: () => ({ kind: 'open' }),
    inZone: async (watch) => watch,
    tell: async () => false,
    ...states,
    clock,
    poll: createPoll({ service, clock, failed: bug }),
    outages: async () => [],
    holds: () => true,
    unwatched: async () => new Set(),
    outbox,
    retry: () => {},
    runs: createRuns(clock, bug),
    translatorOf: async ({ locale }) => createTranslators()(locale),
  });
  const round = (): void => {
    clock.after(15 * SECOND, () => void rounds.round().then(outbox.round).then(round));
  };
  round();
  return all;
}

test.each<Failing>(['unavailable', 'not-found', 'bad-response', 'empty'])(
  'every other second (%s) for a minute brings nobody online, nor keeps anybody from coming',
  async (failing) => {
    const here = world();
    await here.watch();
    await here.time.pass(11 * MINUTE);
    here.failing = failing;
    await here.time.pass(MINUTE);
    here.failing = null;
    await here.time.pass(20 * MINUTE);
    expect(here.sent).toEqual([]);
    here.driving = ['somebody'];
    await here.time.pass(11 * MINUTE);
    here.driving = ['somebody', 'k3nny'];
    await here.time.pass(MINUTE);
    expect(here.sent).toHaveLength(1);
  },
);

test('an alert set with only an older profile does not report an online driver as new', async () => {
  const here = world();
  const looked = here.look();
  await here.time.pass(30 * MINUTE);
  await looked;
  here.failing = 'unavailable';
  const created = await here.watch();
  expect(created).toMatchObject({ kind: 'created', already: null });
  await here.time.pass(MINUTE);
  here.failing = null;
  await here.time.pass(20 * MINUTE);
  expect(here.sent).toEqual([]);
});
