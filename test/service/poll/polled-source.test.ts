import { setImmediate as settled } from 'node:timers/promises';
import Keyv from 'keyv';
import { expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../../src/base/duration.ts';
import { ServiceError } from '../../../src/base/errors.ts';
import { createCache } from '../../../src/service/cache/cache.ts';
import type { Layer } from '../../../src/service/call.ts';
import { createClient } from '../../../src/service/client.ts';
import { chatStatus } from '../../../src/service/endpoints.ts';
import type { Answer } from '../../../src/service/models/dated.ts';
import { createPoll } from '../../../src/service/poll/poll.ts';
import { createPolledSource } from '../../../src/service/poll/polled-source.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { chatJson, type Question, serviceOf } from '../../support/records.ts';
import { startTime } from '../../support/start-time.ts';
import { places } from '../loopback.ts';

/** Drivers on a server, poll by poll; `stale`: kept from the poll before, since this one failed. */
interface Polled {
  readonly drivers: number;
  readonly stale?: true;
}

/** What is believed after each poll. */
async function believed(polls: readonly Polled[]): Promise<readonly (number | undefined)[]> {
  const clock = createManualClock();
  let asked = 0;
  const source = createPolledSource<number>({
    clock,
    async ask(): Promise<Answer<number>> {
      const { drivers = 0, stale } = polls[asked] ?? {};
      asked += 1;
      return stale === true
        ? { record: drivers, asOf: clock.now() - SECOND, stale: 'unavailable' }
        : { record: drivers, asOf: clock.now(), stale: null };
    },
    pace: () => SECOND,
    isEmpty: (drivers) => drivers === 0,
    doubtFirst: false,
    changed: () => {},
    failed: (error) => expect.unreachable(String(error)),
  });
  source.start();
  const after: (number | undefined)[] = [];
  for (const _ of polls) {
    clock.pass(SECOND);
    await settled();
    after.push(source.fact?.record);
  }
  source.stop();
  return after;
}

test('an empty answer is not confirmed by itself, kept while the service fails', async () => {
  expect(await believed([{ drivers: 5 }, { drivers: 0 }, { drivers: 0 }])).toEqual([5, 5, 0]);
  const failing = { drivers: 0, stale: true } as const;
  expect(await believed([{ drivers: 5 }, { drivers: 0 }, failing, failing])).toEqual([5, 5, 5, 5]);
  expect(await believed([{ drivers: 5 }, { drivers: 0 }, failing, { drivers: 0 }])).toEqual([5, 5, 5, 0]);
  expect(await believed([{ drivers: 5 }, { drivers: 0 }, failing, { drivers: 6 }])).toEqual([5, 5, 5, 6]);
});

/** A deployment without anything else, whose files state that time. */
const onlyFiles =
  (time: () => number) =>
  ({ endpoint }: Question): unknown => {
    if (endpoint === 'live') return { server: 'One', time: time(), players: { 1: { cop: true } } };
    throw new ServiceError('unavailable', { endpoint, sent: 'yes' });
  };

test('a live file whose own time stands still stays as old as at first', async () => {
  const clock = createManualClock();
  const served = 1_800_000_000_000;
  let stated = served;
  /** By how much the answer's whole second lies before its arrival, in ms. */
  let late = 0;
  const service = serviceOf(
    onlyFiles(() => stated),
    () => ({ asOf: stated - served + late, stale: null }),
  );
  const poll = createPoll({ service, clock, failed: (error) => expect.unreachable(String(error)) });
  const end = poll.watch(['live'], () => {});
  const ages: (number | undefined)[] = [];
  for (const [time, ms] of [
    [served, 100],
    [served, 900],
    [served, 300],
    [served, 999],
    [served + 8 * SECOND, 200],
  ] as const) {
    [stated, late] = [time, ms];
    clock.pass(2 * SECOND);
    await settled();
    ages.push(poll.facts.live.one?.asOf);
  }
  end();
  expect(ages).toEqual([100, 100, 100, 100, 8200]);
});

test('a live file that stands still grows old also when the clock is set back', async () => {
  const manual = createManualClock();
  let ahead = 3600 * SECOND;
  const clock = { ...manual, now: () => manual.now() + ahead };
  const service = serviceOf(
    onlyFiles(() => 1_800_000_000),
    () => ({ asOf: clock.now() - manual.now(), stale: null }),
  );
  const poll = createPoll({ service, clock, failed: (error) => expect.unreachable(String(error)) });
  const end = poll.watch(['live'], () => {});
  const asOf = async (): Promise<number | undefined> => {
    manual.pass(2 * SECOND);
    await settled();
    return poll.facts.live.one?.asOf;
  };
  expect(await asOf()).toBe(3600 * SECOND);
  ahead = 0;
  // Where it was on the clock that was wrong, nobody knows any more: at most as young as when that was noticed.
  expect([await asOf(), await asOf(), await asOf()]).toEqual([4 * SECOND, 4 * SECOND, 4 * SECOND]);
  end();
});

test('a board that begins while history reads alone has news after its own pause', async () => {
  const clock = createManualClock();
  const service = serviceOf(onlyFiles(() => 1_800_000_000));
  const poll = createPoll({ service, clock, failed: (error) => expect.unreachable(String(error)) });
  const ends = [poll.watch(['live'], () => {}, 10 * SECOND)];
  clock.pass(SECOND);
  await settled();
  const news: number[] = [];
  ends.push(poll.watch(['live'], () => void news.push(clock.monotonic())));
  const begun = clock.monotonic();
  for (let passed = 0; passed < 5; passed += 1) {
    clock.pass(SECOND);
    await settled();
  }
  for (const end of ends) end();
  expect(news[0]).toBeLessThanOrEqual(begun + 4 * SECOND);
});

test('a slow source is not asked again meanwhile, whatever its pace becomes', async () => {
  const clock = createManualClock();
  const answer = Promise.withResolvers<Answer<number>>();
  let asked = 0;
  const source = createPolledSource<number>({
    clock,
    ask() {
      asked += 1;
      return asked === 1 ? Promise.resolve({ record: 1, asOf: clock.now(), stale: null }) : answer.promise;
    },
    pace: () => SECOND,
    isEmpty: () => false,
    doubtFirst: false,
    changed: () => {},
    failed: (error) => expect.unreachable(String(error)),
  });
  source.start();
  for (let passed = 0; passed < 5; passed += 1) {
    clock.pass(SECOND);
    await settled();
    source.repace();
  }
  source.stop();
  answer.resolve({ record: 2, asOf: clock.now(), stale: null });
  expect(asked).toBe(2);
});

test.each([
  ['one process', [0]],
  ['two processes', [0, 25]],
  ['three processes', [0, 20, 40]],
])('members and the overview are read once a minute by %s', async (_how, begun) => {
  const time = startTime(1_800_000_000_000);
  const { clock } = time;
  const asked: string[] = [];
  const layer: Layer = async ({ endpoint }) => {
    asked.push(endpoint);
    await new Promise<void>((resolve) => clock.after(700, resolve));
    const body = endpoint === 'overview' ? { one: { online: true } } : chatJson;
    return { body, asOf: clock.now(), stale: null, rate: null };
  };
  const store = new Map();
  const ends: (() => void)[] = [];
  for (const second of begun) {
    await time.pass(second * SECOND - (clock.now() - 1_800_000_000_000));
    const cached = createCache({ shared: true, keyv: new Keyv({ store }), clock })(layer);
    const service = createClient({ layer: cached, places });
    const poll = createPoll({ service, clock, failed: (error) => expect.unreachable(String(error)) });
    // People ask for members only: they want a newer overview than a poll does.
    const person = () => {
      void service.get(chatStatus, {});
      ends.push(clock.after(37 * SECOND, person));
    };
    ends.push(poll.watch(['members', 'overview'], () => {}));
    person();
  }
  await time.pass(MINUTE);
  asked.length = 0;
  await time.pass(120 * MINUTE);
  for (const end of ends) end();
  for (const source of ['chat-status', 'overview']) {
    const requests = asked.filter((endpoint) => endpoint === source).length;
    expect(requests).toBeGreaterThanOrEqual(115);
    expect(requests).toBeLessThanOrEqual(121);
  }
});

test('a live file that is missing beside others is told from one that fails', async () => {
  const clock = createManualClock();
  let isMissing = true;
  const told = serviceOf(onlyFiles(() => 1_800_000_000));
  const service: typeof told = {
    async get(endpoint, asked, ask) {
      if (JSON.stringify(asked).includes('two'))
        throw new ServiceError('unavailable', { endpoint: 'live', sent: 'yes', isMissing });
      return told.get(endpoint, asked, ask);
    },
  };
  const poll = createPoll({ service, clock, failed: (error) => expect.unreachable(String(error)) });
  const end = poll.watch(['live'], () => {});
  clock.pass(2 * SECOND);
  await settled();
  expect(poll.facts.withoutFile).toEqual(['two']);
  isMissing = false;
  clock.pass(60 * SECOND);
  await settled();
  expect(poll.facts.withoutFile).toEqual([]);
  end();
});
