import { expect, test } from 'vitest';
import type { Fetched } from '../../src/service/call.ts';
import { createClient } from '../../src/service/client.ts';
import { car, options, overview, profile } from '../../src/service/endpoints.ts';
import { createObservations } from '../../src/service/observations.ts';
import { carJson, driverJson, NOON, overviewJson } from '../support/records.ts';
import { places } from './loopback.ts';

const bodies: Readonly<Record<string, unknown>> = {
  profile: driverJson,
  car: carJson,
  options: {},
  overview: overviewJson,
};

function setUp(stale: Fetched['stale'] = null) {
  const seen: string[] = [];
  const observations = createObservations();
  const end = observations.listen(({ kind, record }, asOf) => {
    expect(asOf).toBe(NOON);
    seen.push(`${kind} ${'vin' in record ? record.vin : record.username}`);
  });
  const service = createClient({
    places,
    layer: async ({ endpoint, usedPart }) => ({
      ...{ body: usedPart(bodies[endpoint]), asOf: NOON, stale, rate: null },
    }),
    onObservation: observations.publish,
  });
  return { seen, service, end };
}

test('every record of a driver or a car that anybody looks up is seen, and nothing else', async () => {
  const { seen, service, end } = setUp();
  await service.get(profile, { username: 'k3nny' });
  await service.get(car, { vin: 'AB12C' }, { priority: 'background' });
  await service.get(options, { username: 'k3nny' });
  await service.get(overview, {});
  expect(seen).toEqual(['profile k3nny', 'car AB12C']);
  end();
  await service.get(profile, { username: 'k3nny' });
  expect(seen).toHaveLength(2);
});

test('an old record says nothing about now', async () => {
  const { seen, service } = setUp('unavailable');
  await service.get(profile, { username: 'k3nny' });
  expect(seen).toEqual([]);
});
