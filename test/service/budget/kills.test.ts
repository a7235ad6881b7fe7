import { describe, expect, test } from 'vitest';
import { hasPostgres } from '../../support/requirements.ts';
import { embedded, shared, usePostgres } from './places.ts';
import { type CountingService, pause, startService, startSpender, until } from './soak.ts';

/** How often each kind of failure occurs; `npm run soak -- budget` has a hundred of each. */
const TIMES = Number(process.env['SOAK_TIMES'] ?? 2);
/** Who dies while finding out what is left holds the others up for ten seconds. */
const TIMEOUT = 20_000 + TIMES * 15_000;

const budget = { limit: 80, windowMs: 5000 };
const server = usePostgres();

/** Until some more requests have arrived, so that the failure comes at an arbitrary moment. */
function untilSomeMore({ arrivals }: CountingService): Promise<void> {
  const enough = arrivals.length + 2 + Math.floor(Math.random() * 6);
  return until(() => arrivals.length >= enough);
}

function expectNeverOver(service: CountingService): void {
  expect(service.refused).toBe(0);
  expect(service.most()).toBeLessThanOrEqual(budget.limit);
}

describe.concurrent('two processes that spend all they can', { timeout: TIMEOUT }, () => {
  test.each(
    [
      { name: 'the embedded ledger', make: embedded, runs: true },
      { name: 'the shared ledger (needs postgres)', make: shared, runs: hasPostgres },
    ].filter(({ runs }) => runs),
  )('on $name, killed at random, are never over in any phase of a window', async ({ make }) => {
    await using place = await make();
    await using service = await startService('sliding-log', budget);
    await using one = startSpender(service.url, place.address);
    await using other = startSpender(service.url, place.address);
    for (let kill = 0; kill < TIMES; kill += 1) {
      await untilSomeMore(service);
      const spender = Math.random() < 0.5 ? one : other;
      await spender.kill();
    }
    // More than a window holds: one has to end while the permits of the killed still count.
    await until(() => service.arrivals.length > budget.limit);
    expect(one.starts + other.starts).toBe(2 + TIMES);
    expectNeverOver(service);
  });

  test.runIf(hasPostgres)('on a store that is flushed again and again are never refused', async () => {
    await using place = await shared();
    await using service = await startService('sliding-log', budget);
    await using _one = startSpender(service.url, place.address);
    await using _other = startSpender(service.url, place.address);
    for (let flush = 0; flush < TIMES; flush += 1) {
      await untilSomeMore(service);
      // In the order in which the ledger locks them: the other way round each may wait for the other.
      await place.query('TRUNCATE pitwall.budget_state, pitwall.budget_permit');
    }
    await untilSomeMore(service);
    expectNeverOver(service);
  });
});

// By itself: it stops the server that the others need.
test.runIf(hasPostgres)(
  'while the store is away nothing is sent; back, it goes on within five seconds',
  { timeout: 40_000 },
  async () => {
    await using place = await shared(server());
    await using service = await startService('gcra', budget);
    await using _one = startSpender(service.url, place.address);
    await using _other = startSpender(service.url, place.address);
    const { arrivals } = service;
    await until(() => arrivals.length >= 20);
    for (const signal of ['SIGQUIT', 'SIGINT'] as const) {
      await server().stop(signal);
      // What had its permit by then may still arrive.
      await pause(300);
      const before = arrivals.length;
      await pause(700);
      expect(arrivals.length).toBe(before);
      await server().start();
      const since = performance.now();
      await until(() => arrivals.length >= before + 5);
      expect(performance.now() - since).toBeLessThan(5000);
    }
    expectNeverOver(service);
  },
);
