/** Two processes with one store between them, each with its own cache over its own way to the service. */
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { type Fault, ServiceError } from '../../../src/base/errors.ts';
import { createCache } from '../../../src/service/cache/cache.ts';
import type { Call, Layer } from '../../../src/service/call.ts';
import { createClient, type Service } from '../../../src/service/client.ts';
import { live, profile } from '../../../src/service/endpoints.ts';
import { type Opened, postgresPlace } from '../../store/support.ts';
import { hasPostgres } from '../../support/requirements.ts';
import { places } from '../loopback.ts';

interface Asked {
  readonly call: Call;
  answer(money: number): void;
  fail(fault: Fault, share?: 'burst'): void;
}

interface Process {
  readonly service: Service;
  /** What reached the service from here, oldest first. */
  readonly asked: Asked[];
}

describe.runIf(hasPostgres)('two processes with one store (needs postgres)', () => {
  let place: Awaited<ReturnType<typeof postgresPlace>>;
  let stores: readonly [Opened, Opened];
  let names = 0;
  /** Another driver in each test. */
  let alice = { username: '' };
  /** Milliseconds by which the clock of both is ahead. */
  const ahead = 0;
  const clock = { ...systemClock, now: () => Date.now() + ahead };

  beforeAll(async () => {
    place = await postgresPlace();
    stores = [await place.open(), await place.open()];
  });
  afterAll(() => place.end());

  let one: Process;
  let two: Process;
  beforeEach(async () => {
    await place.flush();
    names += 1;
    alice = { username: `alice${names}` };
    one = start(stores[0]);
    two = start(stores[1]);
  });

  function start(from: Opened): Process {
    const asked: Asked[] = [];
    const layer: Layer = (call) => {
      const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<Layer>>>();
      const { endpoint } = call;
      asked.push({
        call,
        answer(money) {
          const body = endpoint === 'live' ? { time: Date.now(), players: {} } : { ...alice, money };
          resolve({ body, asOf: call.trueAt(body) ?? Date.now(), stale: null, rate: null });
        },
        fail: (fault, share) =>
          reject(
            new ServiceError(fault, { endpoint, sent: 'no', ...(share === undefined ? {} : { share }) }),
          ),
      });
      call.signal?.addEventListener('abort', () =>
        reject(new ServiceError('over-budget', { endpoint, sent: 'no', detail: 'dropped' })),
      );
      return promise;
    };
    const keyv = from.namespace(`answers${names}`, { maxRows: 100, maxBytes: 10_000_000 });
    const cache = createCache({ keyv, shared: true, clock });
    return { service: createClient({ layer: cache(layer), places }), asked };
  }

  async function moneyOf({ service }: Process, ask = {}): Promise<number | null> {
    return (await service.get(profile, alice, ask)).record.money;
  }

  const all = () => [...one.asked, ...two.asked];
  const requests = (count: number) =>
    vi.waitFor(() => expect(all()).toHaveLength(count), { timeout: 20_000, interval: 5 });
  /** Nobody waits for the write of an answer. */
  const written = () => vi.waitFor(async () => expect(await place.rows(`answers${names}`)).toBe(1), 20_000);
  /** Long enough to notice a caller that does not wait. */
  const aWhile = () => new Promise((resolve) => setTimeout(resolve, 400));

  test('make one request each of a question that forty ask in both at once', async () => {
    const answers = Array.from({ length: 40 }, (_, index) => moneyOf(index % 2 === 0 ? one : two));
    await requests(2);
    await aWhile();
    for (const { answer } of all()) answer(7);
    expect(new Set(await Promise.all(answers))).toEqual(new Set([7]));
    expect([one.asked.length, two.asked.length]).toEqual([1, 1]);
  });

  test('find what the other has learned, as soon as it is stored', async () => {
    const first = moneyOf(one);
    await requests(1);
    all()[0]?.answer(7);
    await first;
    await written();
    expect(await moneyOf(two)).toBe(7);
    expect(all()).toHaveLength(1);
  });

  test('hear that a name is unknown', async () => {
    const first = moneyOf(one);
    await requests(1);
    all()[0]?.fail('not-found');
    await expect(first).rejects.toMatchObject({ fault: 'not-found' });
    await written();
    await expect(moneyOf(two)).rejects.toMatchObject({ fault: 'not-found' });
    expect(all()).toHaveLength(1);
  });

  test('each ask for a live file themselves', async () => {
    const files = [one, two].map(({ service }) => service.get(live, { server: 'one' }));
    await requests(2);
    for (const { answer } of all()) answer(0);
    await Promise.all(files);
  });

  test('ask for themselves while the store is away, and keep the last record in memory', async () => {
    const first = moneyOf(one);
    await requests(1);
    one.asked[0]?.answer(1);
    await first;
    await written();
    const mend = await place.breakAll();
    // Nothing is asked for what is known.
    expect(await moneyOf(one)).toBe(1);
    const unknown = moneyOf(two);
    await requests(2);
    two.asked[0]?.fail('over-budget');
    await expect(unknown).rejects.toMatchObject({ fault: 'over-budget' });
    await mend();
    await vi.waitFor(() => stores[1].documents.read('people', '1'), { timeout: 20_000, interval: 20 });
    expect(await moneyOf(two)).toBe(1);
    expect(all()).toHaveLength(2);
  });
});
