/** What of the service's answers lies in a store: over the real transport, all that the service sends being spoilt. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock as clock } from '../../src/base/clock.ts';
import { createCache } from '../../src/service/cache/cache.ts';
import { createClient } from '../../src/service/client.ts';
import { car, chatStatus, overview, profile } from '../../src/service/endpoints.ts';
import { type Place, postgresPlace, sqlitePlace } from '../store/support.ts';
import { hasPostgres } from '../support/requirements.ts';
import { key, places, startLoopback } from './loopback.ts';

/** A service that repeats the address of the request, key and all, wherever nothing is expected or something else is. */
function spoiltAnswer(address: string): object {
  const url = new URL(address, 'http://service');
  const echo = {
    address,
    query: url.search,
    key: url.searchParams.get('key'),
    request: { url: address, parameters: Object.fromEntries(url.searchParams), list: [address, [address]] },
  };
  const upgrade = { type: 'ramp', name: 'Ramp', condition: address, ...echo };
  const garageCar = {
    vin: 'AB12C',
    type: 'XRT',
    odometerKm: 5,
    wear: address,
    upgrades: [upgrade, address],
    ...echo,
  };
  if (url.pathname.includes('carinfo')) return { ...garageCar, owner: 'alice', dateBuilt: address };
  if (url.pathname.includes('status'))
    return url.pathname.includes('chat')
      ? { members: [{ id: '1', username: 'al', ...echo }], presence_count: address, ...echo }
      : { one: { online: true, guests: 3, maxGuests: address, ...echo } };
  return {
    username: 'alice',
    money: address,
    isOnline: { at: address },
    dateJoined: address,
    stats: { sent_money: 5, received_money: address },
    cars: [garageCar, { ...garageCar, vin: { at: address } }, address],
    licenses: address,
    ...echo,
  };
}

describe.each([
  { name: 'SQLite', make: sqlitePlace, runs: true },
  { name: 'PostgreSQL (needs postgres)', make: postgresPlace, runs: hasPostgres },
])('in $name', ({ make, runs }) => {
  describe.runIf(runs)('of an answer that repeats the key', () => {
    let place: Place;
    beforeAll(async () => {
      place = await make();
    });
    afterAll(() => place.end());

    test('what is used is kept, and the key is in no file', async () => {
      const loopback = await startLoopback((request, response) => {
        response.end(JSON.stringify(spoiltAnswer(request.url ?? '')));
      });
      const stores = await place.open();
      const cached = createCache({
        keyv: stores.namespace('answers', { maxRows: 100, maxBytes: 10_000_000 }),
        shared: stores.isShared,
        clock,
      });
      const service = createClient({ layer: cached(loopback.layer), places });
      const answers = [
        await service.get(profile, { username: 'alice' }),
        await service.get(car, { vin: 'AB12C' }),
        await service.get(chatStatus, {}),
        await service.get(overview, {}),
      ];
      expect(answers).toMatchObject([
        { record: { username: 'alice', money: null, cars: [{ vin: 'AB12C', odometerKm: 5 }] } },
        { record: { vin: 'AB12C', owner: 'alice' } },
        { record: { members: [{ username: 'al' }] } },
        { record: [{ name: 'one', guests: 3 }] },
      ]);
      expect(
        loopback.requests.filter((path) => new URL(path, loopback.url).searchParams.get('key') === key),
      ).toHaveLength(4);
      await loopback.close();
      // A word of the answers is found, so that the search is known to look in the right place.
      expect(await place.holding('AB12C')).not.toEqual([]);
      for (const form of [key, encodeURIComponent(key), new URLSearchParams({ key }).toString().slice(4)])
        expect(await place.holding(form)).toEqual([]);
    });
  });
});
