/** Cars for sale, as somebody happened to look them up. */
import { expect, test } from 'vitest';
import { DAY, HOUR } from '../../../src/base/duration.ts';
import { addOffers, createOffers } from '../../../src/community/history/offers.ts';
import { vehicle } from '../../support/records.ts';
import { recordedHistory } from './support/recorded-history.ts';

function market() {
  const { time, store, history, hidden } = recordedHistory();
  const offers = createOffers({ isHidden: (name) => hidden.has(name) });
  return {
    ...{ time, history, hidden, store },
    /** Somebody looks the car up. */
    async look(vin: string, changes: object): Promise<void> {
      offers.note(vehicle({ vin, type: 'XRT', isOnMarket: true, ...changes }), time.clock.now());
      await store.write(() => addOffers(offers.take()));
    },
    seen: async (...models: readonly string[]) =>
      (await history.offers(models)).map(({ vin, price, gone }) => [vin, price, gone === null] as const),
  };
}

test('reports each car once, by its last price, the last seen first', async () => {
  const { look, seen, time } = market();
  await look('AAAA1', { marketPrice: 50_000 });
  await time.pass(HOUR);
  await look('AAAA2', { marketPrice: 0 });
  await look('BBBB1', { marketPrice: 9000, type: 'xrt.police' });
  await time.pass(HOUR);
  await look('AAAA1', { marketPrice: 45_000 });
  expect(await seen('xrt')).toEqual([
    ['AAAA1', 45_000, true],
    ['AAAA2', null, true],
  ]);
  expect(await seen('XRT', 'XRT.POLICE', 'UF1')).toHaveLength(3);
  expect(await seen('UF1')).toEqual([]);
});

test('a car that is no longer for sale keeps its price, and is not offered', async () => {
  const { look, seen, time, history } = market();
  await look('AAAA1', { marketPrice: 50_000 });
  await time.pass(HOUR);
  await look('AAAA1', { isOnMarket: false, marketPrice: 0 });
  expect(await seen('XRT')).toEqual([['AAAA1', 50_000, false]]);
  const before = await history.offers(['XRT']);
  await time.pass(HOUR);
  await look('AAAA1', { isOnMarket: false, marketPrice: 0 });
  await look('AAAA2', { isOnMarket: false, marketPrice: 0 });
  expect(await history.offers(['XRT'])).toEqual(before);
  await look('AAAA1', { marketPrice: 48_000 });
  expect(await seen('XRT')).toEqual([['AAAA1', 48_000, true]]);
});

test('the same price is written once a day, however often the car is looked up', async () => {
  const { look, time, history } = market();
  await look('AAAA1', { marketPrice: 50_000 });
  const before = await history.offers(['XRT']);
  for (let hour = 1; hour < 24; hour += 1) {
    await time.pass(HOUR);
    await look('AAAA1', { marketPrice: 50_000 });
  }
  expect(await history.offers(['XRT'])).toEqual(before);
  await time.pass(HOUR);
  await look('AAAA1', { marketPrice: 50_000 });
  expect((await history.offers(['XRT']))[0]?.at).toBe(time.clock.now());
});

test('a past that is written at once reads like one that was seen', async () => {
  const { seen, store, time } = market();
  const now = time.clock.now();
  const offer = { model: 'XRT', isOffered: true, price: 7000 };
  await store.write(() =>
    addOffers([
      { ...offer, vin: 'AAAA1', at: now - 40 * DAY },
      { ...offer, vin: 'AAAA2', at: now - 2 * DAY },
    ]),
  );
  expect(await seen('XRT')).toEqual([
    ['AAAA2', 7000, true],
    ['AAAA1', 7000, true],
  ]);
});

test('does not report offers seen more than 60 days ago, in whichever block', async () => {
  const { look, seen, time } = market();
  await look('AAAA1', { marketPrice: 50_000 });
  await time.pass(31 * DAY);
  await look('AAAA2', { marketPrice: 60_000 });
  expect(await seen('XRT')).toEqual([
    ['AAAA2', 60_000, true],
    ['AAAA1', 50_000, true],
  ]);
  // Sold meanwhile: it is changed in the block where it was for sale.
  await look('AAAA1', { isOnMarket: false });
  expect(await seen('XRT')).toEqual([
    ['AAAA2', 60_000, true],
    ['AAAA1', 50_000, false],
  ]);
  await time.pass(30 * DAY);
  expect(await seen('XRT')).toEqual([['AAAA2', 60_000, true]]);
});

test('a model has at most sixty cars a month, and keeps the last ones', async () => {
  const { look, seen, time } = market();
  for (let index = 0; index < 100; index += 1) {
    await time.pass(1000);
    await look(String(10_000 + index), { marketPrice: 999_999_999 });
  }
  const kept = await seen('XRT');
  expect(kept[0]?.[0]).toBe('10099');
  expect(kept).toHaveLength(60);
});

test('hidden drivers’ cars and unreadable ones are not remembered', async () => {
  const { look, seen, hidden } = market();
  hidden.add('k3nny');
  await look('AAAA1', { owner: 'k3nny', marketPrice: 1 });
  await look('@here', { owner: 'mad_max', marketPrice: 1 });
  await look('AAAA3', { owner: 'mad_max', marketPrice: 1, type: null });
  expect(await seen('XRT')).toEqual([]);
  await look('AAAA2', { owner: null, marketPrice: 2 });
  expect(await seen('XRT')).toEqual([['AAAA2', 2, true]]);
});

test.each([
  { isOnMarket: null, marketPrice: 'ask me' },
  { isOnMarket: 'maybe', marketPrice: 0 },
])('a car whose market state is unreadable stays as it was seen last: %j', async (unreadable) => {
  const { look, seen, time } = market();
  await look('AAAA1', { marketPrice: 50_000 });
  await time.pass(HOUR);
  await look('AAAA1', unreadable);
  expect(await seen('XRT')).toEqual([['AAAA1', 50_000, true]]);
});
