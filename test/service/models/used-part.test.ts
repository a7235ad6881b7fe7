/** What of an answer is used, and so goes into the cache and its store: over mutated answers of every endpoint. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { endpoints, profile } from '../../../src/service/endpoints.ts';
import { createReader, pickUsedPart } from '../../../src/service/models/read.ts';
import { bodies } from '../../support/records.ts';

const CANARY = '/drivesim/profile/get?username=alice&key=sEcReT';

const upgrade = { type: 'ramp', name: 'Ramp', condition: 0.5, value: 1200 };
const garage = [
  { vin: 'AB12C', type: 'XRT', odometerKm: '12.5', condition: 70, wear: 1, damage: 0, upgrades: [upgrade] },
  { vin: 'CD34E', type: 'FZ5', upgrades: {} },
];
/** Short answers with the oddities of each. A keyless one is not stored; its schema must not depend on that. */
const answers: Readonly<Record<string, unknown>> = {
  ...bodies,
  live: {
    server: 'One',
    time: 1_700_000_000_000,
    players: {
      3: { siren: false, med: false, caution: 0, tow: 'False', cop: true, isChased: 1, un: 'alice' },
      4: { cop: 'perhaps', isJoining: true, nn: '^1Bob', l: 'Safe zone', v: 'AB12C' },
    },
  },
  profile: {
    username: 'alice',
    nickname: '^1Al^8ice',
    isOnline: 1,
    money: '5000',
    dateJoined: '2025-01-02 03:04:05',
    countryCode: 'DE',
    stats: { sent_money: 5, '2': 7, unheard_of: 3 },
    licenses: [
      { type: 'car', name: 'Car', dateIssued: 1_700_000_000, revoked: false, validUntil: 0 },
      { id: 'cop', expired: 'False', suspended: 0, suspendedUntil: null, revoked: 'false' },
    ],
    properties: { 3: { type: 'villa', name: 'Villa', condition: 1 }, 5: { type: 'garage' } },
    cars: garage,
  },
  car: {
    ...garage[0],
    owner: 'alice',
    preOwners: [{ buyer: 'bob', datePurchase: 1_600_000_000, odometerKm: 4 }],
  },
  overview: {
    one: { online: true, track: 'BL1', guests: 3, maxGuests: 40 },
    online: { online: '0' },
    zero: null,
  },
  options: { language: 'de', units: 1, siren: true },
  'chat-status': {
    name: 'Chat',
    presence_count: 2,
    channels: [{ id: '1', name: 'Duty', position: 3 }],
    members: [{ id: '1', username: 'al', status: 'idle', channel_id: '1' }],
  },
};
const all: readonly { readonly name: string; readonly response: z.ZodType }[] = Object.values(endpoints);

/** What may stand where something else is expected. */
const oddity = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    '',
    0,
    -1,
    1e300,
    true,
    'x',
    'AB12C',
    [],
    {},
    [[]],
    [null],
    [1, 'x'],
    CANARY,
    // Right in one place, and refused in another.
    1,
    70,
    100,
    'False',
    'until further notice',
    'A\0B',
    { unreadable: true },
    { unreadable: CANARY },
  ),
  fc.constant({ address: CANARY, vin: { at: CANARY } }),
  fc.constant([{ name: CANARY.length, address: CANARY }]),
  fc.jsonValue({ maxDepth: 2 }),
);

/** The document with some of its parts replaced, removed, or joined by others that nobody knows. */
function mutated(document: unknown): fc.Arbitrary<unknown> {
  if (Array.isArray(document)) {
    const rows = fc.tuple(...document.map(mutated));
    return fc.oneof({ weight: 8, arbitrary: rows }, { weight: 1, arbitrary: oddity });
  }
  if (typeof document !== 'object' || document === null)
    return fc.oneof({ weight: 8, arbitrary: fc.constant(document) }, { weight: 1, arbitrary: oddity });
  const parts = Object.entries(document).map(([name, value]) =>
    fc.oneof(
      { weight: 10, arbitrary: mutated(value).map((part) => [[name, part] as const]) },
      { weight: 1, arbitrary: fc.constant([]) },
    ),
  );
  const stranger = fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: oddity.map((value) => [['requested', value] as const]) },
  );
  const object = fc.tuple(...parts, stranger).map((all) => Object.fromEntries(all.flat()));
  return fc.oneof({ weight: 15, arbitrary: object }, { weight: 1, arbitrary: oddity });
}

test.for(all)('of $name the part that is used comes to the same record', ({ name, response: schema }) => {
  let readable = 0;
  fc.assert(
    fc.property(mutated(answers[name]), (whole) => {
      const { body, reading } = pickUsedPart(schema, whole);
      expect(reading).toEqual(createReader(schema)(whole));
      if (reading.problem !== null) return;
      readable += 1;
      const { record, unreadable } = createReader(schema)(JSON.parse(JSON.stringify(body)));
      expect(record).toEqual(reading.record);
      expect(reading.unreadable).toEqual(expect.arrayContaining([...unreadable]));
      // Used once more, there is nothing to leave out.
      expect(pickUsedPart(schema, body).body).toEqual(body);
    }),
    { numRuns: 500 },
  );
  expect(readable).toBeGreaterThan(100);
});

/** In one place only, where the leaf refuses it. */
test.each([
  [
    'a plain value',
    { properties: [{ type: 'villa', condition: 100 }], cars: [{ vin: 'A', condition: 100 }] },
  ],
  ['a row', { cars: [{ vin: 'A', upgrades: ['AB', { type: 'AB' }] }, { vin: 'AB' }], licenses: ['AB'] }],
  ['a value of a map', { stats: { money: 'x', crashes: 1 }, nickname: 'x', money: 'x' }],
  ['a row of a list that PHP wrote', { cars: { 0: { vin: 'x' }, 2: 'x', 5: { vin: 'y' } }, nickname: 'x' }],
])('%s that is refused takes no equal one elsewhere with it', (_what, parts) => {
  const { body, reading } = pickUsedPart(profile.response, { username: 'alice', ...parts });
  expect(reading.unreadable).not.toEqual([]);
  const again = createReader(profile.response)(JSON.parse(JSON.stringify(body)));
  expect(again.record).toEqual(reading.record);
});

test('what an earlier version stored without the refused fields is still read', () => {
  const stored = {
    username: 'alice',
    licenses: [{ type: 'cop', revoked: false }],
    cars: [null, { vin: 'A' }],
  };
  expect(createReader(profile.response)(stored)).toMatchObject({
    problem: null,
    record: { username: 'alice', licences: [{ type: 'cop', isUnclear: false }], cars: [{ vin: 'A' }] },
  });
});

// Of options every value is read, so that there is none that nobody reads; of a keyless row nothing is stored.
test.for(all.filter(({ name }) => name !== 'options' && name !== 'live'))(
  'of $name what nobody reads, or can read, is in none of it',
  ({ name, response }) => {
    const address = { value: CANARY, rows: [CANARY], deep: { deep: CANARY } };
    const spoilt = (value: unknown): unknown => {
      if (Array.isArray(value)) return [...value.map(spoilt), CANARY, [CANARY], address];
      if (typeof value !== 'object' || value === null) return value;
      const parts = Object.entries(value).map(([key, part]) => [key, spoilt(part)]);
      return { ...Object.fromEntries(parts), requested: CANARY, request: address };
    };
    const { body, reading } = pickUsedPart(response, spoilt(answers[name]));
    expect(reading.problem).toBeNull();
    expect(JSON.stringify(body)).not.toContain('sEcReT');
  },
);

test('a figure, flag or moment that is a sentence is not kept', () => {
  for (const field of ['money', 'isOnline', 'dateJoined', 'countryCode', 'cars', 'stats']) {
    const whole = { username: 'alice', [field]: CANARY, stats: { sent_money: CANARY, 9: CANARY, 2: 5 } };
    const { body, reading } = pickUsedPart(profile.response, { ...whole, [field]: CANARY });
    expect(reading.unreadable).toContain(field);
    expect(JSON.stringify(body)).not.toContain('sEcReT');
  }
});
