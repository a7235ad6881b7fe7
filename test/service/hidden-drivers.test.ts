import { expect, test } from 'vitest';
import { createClient } from '../../src/service/client.ts';
import { car, live } from '../../src/service/endpoints.ts';
import { carJson } from '../support/records.ts';
import { places } from './loopback.ts';

test('a hidden driver has no name, car, place or job, and is not suggested', async () => {
  const names: string[] = [];
  const service = createClient({
    places,
    layer: async ({ pickUsedPart }) => {
      const players = {
        3: { p: '6', un: 'Ann', nn: '^1Ann', v: 'ANN01', l: 'Bridge', cop: true },
        5: { p: '8', un: 'ANN \0\0', nn: '^1Ann', v: 'ANN01', l: 'Bridge' },
        4: { p: '7', un: ' Ben', nn: 'Ben', v: 'BEN01', l: 'Tunnel' },
      };
      const ms = [{ lt: 'Bus - Harbour', ps: [3] }];
      const body = pickUsedPart({ n: 'One', t: 1, tk: 'KY1', ps: players, ms });
      return { body, asOf: 1, stale: null, rate: null };
    },
    isHidden: (username) => username.toLowerCase() === 'ann',
    onDiscoveredNames: ({ players }) => names.push(...players),
  });
  const { record } = await service.get(live, { server: 'one' });
  expect(record.players).toMatchObject([
    { plid: '6', username: null, nickname: null, vin: null, place: null, cop: true },
    { plid: '7', username: 'Ben', vin: 'BEN01', place: 'Tunnel' },
    { plid: '8', username: null, nickname: null, vin: null, place: null },
  ]);
  expect(JSON.stringify(record)).not.toMatch(/ann|Bridge|Harbour/i);
  expect(names).toEqual(['Ben']);
});

test('the in-game name of a hidden driver is not learned, of whatever answer', async () => {
  const nicknames: unknown[] = [];
  const service = createClient({
    places,
    layer: async ({ pickUsedPart }) => ({ body: pickUsedPart(carJson), asOf: 1, stale: null, rate: null }),
    isHidden: (username) => username === carJson.owner,
    onDiscoveredNames: (discovered) => nicknames.push(...(discovered.nicknames ?? [])),
  });
  const { record } = await service.get(car, { vin: carJson.vin });
  expect(record).toMatchObject({ owner: carJson.owner, nickname: carJson.nickname });
  expect(nicknames).toEqual([]);
});
