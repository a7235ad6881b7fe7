import { Keyv } from 'keyv';
import { expect, test } from 'vitest';
import { SECOND } from '../../src/base/duration.ts';
import { openRecentNames, withoutHidden } from '../../src/command-kit/names/recent-names.ts';
import { createClient } from '../../src/service/client.ts';
import { car, live, options, overview, profile } from '../../src/service/endpoints.ts';
import { carJson, driverJson, overviewJson } from '../support/records.ts';
import { places } from './loopback.ts';

const NOON = Date.UTC(2026, 2, 5, 12);

const bodies: Readonly<Record<string, unknown>> = {
  live: {
    n: 'One',
    t: NOON / SECOND - 60,
    tk: 'KY1',
    ps: { 3: { p: 6, u: 3, un: 'Liv_E', nn: '^1Liv', v: 'LIV3E' }, 4: { un: '' } },
  },
  profile: { ...driverJson, username: 'Rec_Ord', nickname: '^7Rec', cars: [{ vin: 'REC0R', type: 'XRT' }] },
  car: { ...carJson, owner: 'Own_Er', nickname: '^4Own', preOwners: [{ buyer: 'Buy_Er' }] },
  options: { mph: '1' },
  overview: overviewJson,
};

/** The real client, whose answers a real memory learns from. */
async function setUp(changes: Readonly<Record<string, unknown>> = {}) {
  const asked: string[] = [];
  const recentNames = await openRecentNames(new Keyv(), {
    now: () => NOON,
    failed: (error) => {
      throw error;
    },
  });
  const service = createClient({
    places,
    layer: async ({ endpoint, pickUsedPart, trueAt }) => {
      asked.push(endpoint);
      const body = pickUsedPart({ ...bodies, ...changes }[endpoint]);
      return { body, asOf: trueAt(body) ?? NOON, stale: null, rate: null };
    },
    onDiscoveredNames: recentNames.learn,
  });
  return { asked, recentNames, service };
}

test("suggests every name of an answer but a former owner's, and asks for nothing", async () => {
  const { asked, recentNames, service } = await setUp();
  await service.get(live, { server: 'one' });
  expect(recentNames.players('')).toEqual(['Liv_E']);
  await service.get(overview, {});
  await service.get(profile, { username: 'rec_ord' });
  await service.get(car, { vin: 'ab12c' });
  await service.get(options, { username: 'opt_ions' });
  expect(recentNames.players('')).toEqual(['opt_ions', 'Own_Er', 'Rec_Ord', 'Liv_E']);
  expect(recentNames.vins('').map(({ vin }) => vin)).toEqual(['AB12C', 'REC0R', 'LIV3E']);
  expect(asked).toEqual(['live', 'overview', 'profile', 'car', 'options']);
});

test('learns in-game names from every answer that has both, as old as the answer', async () => {
  const { recentNames, service } = await setUp();
  await service.get(live, { server: 'one' });
  await service.get(profile, { username: 'rec_ord' });
  await service.get(car, { vin: 'ab12c' });
  expect(['liv', 'rec', 'own'].map((typed) => recentNames.playersCalled(typed))).toEqual([
    [{ username: 'Liv_E', nickname: 'Liv', at: NOON - 60 * SECOND, fit: 'only' }],
    [{ username: 'Rec_Ord', nickname: 'Rec', at: NOON, fit: 'only' }],
    [{ username: 'Own_Er', nickname: 'Own', at: NOON, fit: 'only' }],
  ]);
});

test('learns the ids of drivers whose profiles are read, but tells no hidden one', async () => {
  const { recentNames, service } = await setUp({ profile: { ...driverJson, id: 4, username: 'Rec_Ord' } });
  await service.get(profile, { username: 'rec_ord' });
  expect([recentNames.playerWithId('4'), recentNames.playerWithId('5')]).toEqual(['Rec_Ord', null]);
  const hiding = withoutHidden(recentNames, (username) => username === 'Rec_Ord');
  expect(hiding.playerWithId('4')).toBeNull();
});

test('a name as typed never replaces its true spelling', async () => {
  const { recentNames, service } = await setUp();
  await service.get(profile, { username: 'rec_ord' });
  await service.get(options, { username: 'REC_ORD' });
  expect(recentNames.players('')).toEqual(['Rec_Ord']);
});

test('an answer that is empty may be about nobody, and names nobody', async () => {
  const { recentNames, service } = await setUp({ options: {} });
  await service.get(options, { username: 'nobody' });
  expect(recentNames.players('')).toEqual([]);
});

test('reports the names of one body once, however often the cache answers with it', async () => {
  const body = { mph: '1' };
  let told = 0;
  const service = createClient({
    places,
    layer: async () => ({ body, asOf: 1, stale: null, rate: null }),
    onDiscoveredNames: () => {
      told += 1;
    },
  });
  await service.get(options, { username: 'opt_ions' });
  await service.get(options, { username: 'opt_ions' });
  expect(told).toBe(1);
});
