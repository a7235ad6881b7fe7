import { Keyv } from 'keyv';
import { expect, onTestFinished, test } from 'vitest';
import { createListeners } from '../../src/base/listeners.ts';
import { createCache } from '../../src/service/cache/cache.ts';
import { createClient } from '../../src/service/client.ts';
import { car, type Observation, options, overview, profile } from '../../src/service/endpoints.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { carJson, driverJson, overviewJson } from '../support/records.ts';
import { answerJson, places, startLoopback } from './loopback.ts';

const MINUTE = 60_000;

function bodyAt(path: string): unknown {
  if (path.includes('carinfo')) return carJson;
  if (path.includes('getopts')) return { mph: '1' };
  return path.includes('live') ? overviewJson : driverJson;
}

/** The real client, cache and transport over a server that answers while `isUp`, after `hold` if that is set. */
async function setUp() {
  const server = { isUp: true, hold: Promise.resolve() };
  const loopback = await startLoopback((request, response) => {
    void server.hold.then(() => {
      if (server.isUp) answerJson(bodyAt(request.url ?? ''))(request, response);
      else response.writeHead(502).end();
    });
  });
  onTestFinished(() => loopback.close());
  const clock = createManualClock();
  const seen: string[] = [];
  const observations = createListeners<[Observation, number]>();
  const end = observations.listen(({ kind, record }, asOf) => {
    if (kind === 'live') return;
    seen.push(`${kind} ${'vin' in record ? record.vin : record.username}`);
    expect(asOf).toBeGreaterThan(0);
  });
  const cached = createCache({ keyv: new Keyv(), shared: false, clock });
  const service = createClient({
    places,
    layer: cached(loopback.layer),
    onObservation: observations.call,
  });
  return { seen, service, end, clock, server, loopback };
}

test('observes every record of a driver or a car that the service sends, and no other', async () => {
  const { seen, service, end } = await setUp();
  await service.get(profile, { username: 'k3nny' });
  await service.get(car, { vin: 'AB12C' }, { priority: 'background' });
  await service.get(options, { username: 'k3nny' });
  await service.get(overview, {});
  expect(seen).toEqual(['profile k3nny', 'car AB12C']);
  end();
  await service.get(car, { vin: 'AB12C' }, { maxAge: 0 });
  expect(seen).toHaveLength(2);
});

test('a cached answer is no observation', async () => {
  const { seen, service, clock, loopback } = await setUp();
  await service.get(profile, { username: 'k3nny' });
  clock.pass(MINUTE);
  const { stale } = await service.get(profile, { username: 'K3nny' });
  expect(stale).toBeNull();
  expect(loopback.requests).toHaveLength(1);
  expect(seen).toEqual(['profile k3nny']);
});

test('an answer that several wait for is observed once', async () => {
  const { seen, service, loopback } = await setUp();
  await Promise.all(['k3nny', 'K3NNY', 'k3nny'].map((username) => service.get(profile, { username })));
  expect(loopback.requests).toHaveLength(1);
  expect(seen).toEqual(['profile k3nny']);
});

test('does not observe an old record, but one that comes too late for its reader', async () => {
  const { seen, service, clock, server } = await setUp();
  await service.get(profile, { username: 'k3nny' });
  clock.pass(10 * MINUTE);
  server.isUp = false;
  expect((await service.get(profile, { username: 'k3nny' })).stale).toBe('unavailable');
  expect(seen).toHaveLength(1);

  const { promise, resolve } = Promise.withResolvers<void>();
  Object.assign(server, { isUp: true, hold: promise });
  const impatient = service.get(profile, { username: 'k3nny' });
  await clock.timer(1500);
  clock.pass(1500);
  expect((await impatient).stale).toBe('slow');
  expect(seen).toHaveLength(1);
  resolve();
  await expect.poll(() => seen).toEqual(['profile k3nny', 'profile k3nny']);
});
