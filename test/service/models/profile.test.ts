import { describe, expect, test } from 'vitest';
import { profile } from '../../../src/service/endpoints.ts';
import { broken, readAs, readLive, readProfile } from '../read-as.ts';

describe('a profile', () => {
  test('needs a name and nothing else', async () => {
    const { record, drift } = await readProfile({});
    expect(record.username).toBe('Alice');
    expect({ ...record, username: null }).toEqual(
      Object.fromEntries(Object.keys(record).map((field) => [field, null])),
    );
    expect(drift).toEqual([]);
  });

  test('has a name of 64 letters at most', async () => {
    const username = 'x'.repeat(64);
    expect((await readAs(profile, { username }, { username })).record.username).toBe(username);
  });

  test.for([
    {},
    { username: '' },
    { username: null },
    { nickname: 'x' },
    [{ username: 'a' }],
    7,
    { username: 'x'.repeat(65) },
    { username: 'a\u200bb' },
    { username: '😀'.repeat(33) },
  ])('is broken as %j', async (body) => {
    await expect(readAs(profile, { username: 'a' }, body)).rejects.toMatchObject(broken);
  });

  test.for([
    [{ countryCode: 'GB' }, 'gb'],
    [{ countrycode: 'De' }, 'de'],
    [{ countryCode: '', countrycode: 'tr' }, 'tr'],
    [{ countryCode: 'Germany' }, null],
    [{}, null],
  ] as const)('of the country %j', async ([body, country]) => {
    expect((await readProfile(body)).record.country).toBe(country);
  });

  test.for([[[]], [{}]])('has no figures, cars and properties where they are %j', async ([nothing]) => {
    const { record, drift } = await readProfile({ stats: nothing, cars: nothing, properties: nothing });
    expect(record).toMatchObject({ stats: { known: {}, other: [] }, cars: [], properties: [] });
    expect(drift).toEqual([]);
  });

  test('has no distance, time or count below zero, and may have debts', async () => {
    const { record } = await readProfile({
      stats: {
        driven_distance: -2_147_483_648,
        gaming_time_total: -1,
        crashes: '-3',
        1: -5,
        net_value: -100,
      },
    });
    expect(record.stats).toEqual({ known: { net_value: -100 }, other: [] });
  });

  test('may send a list with gaps as PHP does', async () => {
    const { record } = await readProfile({ cars: { 0: { vin: 'AB12C' }, 3: { vin: 'XY34Z' } } });
    expect(record.cars?.map(({ vin }) => vin)).toEqual(['AB12C', 'XY34Z']);
  });

  test('has a car once that is listed twice, however it is spelled', async () => {
    const upgrades = [{ type: 'ramp', name: null, condition: null, value: 10 }];
    const { record } = await readProfile({
      cars: [
        { vin: 'AB12C', upgrades },
        { vin: 'XY34Z' },
        { vin: 'ab12c ', upgrades },
        { vin: '' },
        { vin: '' },
      ],
    });
    expect(record.cars?.map(({ vin }) => vin)).toEqual(['AB12C', 'XY34Z', '', '']);
  });

  test('loses only the broken rows of its lists, and reports which kind', async () => {
    const { record, drift } = await readProfile({
      cars: [
        { vin: 'AB12C', condition: 'good', upgrades: [{ type: 'ramp' }, 7] },
        { type: 'UF1' },
        null,
        'x',
      ],
    });
    expect(record.cars).toMatchObject([{ vin: 'AB12C', condition: null, upgrades: [{ type: 'ramp' }] }]);
    expect(drift.toSorted()).toEqual(['profile car', 'profile condition', 'profile upgrade']);
  });

  test('has no list at all, rather than an empty one, where no row can be read', async () => {
    const { record } = await readProfile({
      cars: [{ typ: 'UF1' }],
      licenses: { error: 'x' },
      properties: false,
    });
    expect(record).toMatchObject({ cars: null, licences: null, properties: null });
  });

  test('has figures under their own names and under numbers, and guesses none', async () => {
    const { record } = await readProfile({
      stats: { crashes: '7', driven_distance: 1234.5, 1: 10, 7: 70, 8: 80, new_figure: 1, broken: 'x' },
    });
    expect(record.stats?.known).toEqual({
      crashes: 7,
      driven_distance: 1234.5,
      sent_money: 10,
      paid_radar_fines: 70,
    });
    expect(record.stats?.other).toEqual([
      { name: '8', value: 80 },
      { name: 'new_figure', value: 1 },
    ]);
  });

  test("has the figures of 2017 under today's names, and none that the service lacks", async () => {
    const { record, drift } = await readProfile({
      stats: {
        sentMoney: 10,
        drivenDistance: 2000,
        chasesWonAsCop: 3,
        towXp: 4,
        gumballTime: null,
        crashes: null,
      },
    });
    expect(record.stats).toEqual({
      known: { sent_money: 10, driven_distance: 2000, chases_won_cop: 3 },
      other: [{ name: 'towXp', value: 4 }],
    });
    expect(drift).toEqual([]);
  });

  test.for([
    [12, '12'],
    ['12', '12'],
    ['mad_max', 'mad_max'],
    [0, null],
    ['0', null],
    [null, null],
  ] as const)('has a licence issued by %j: %j', async ([issuedBy, issuer]) => {
    const { record, drift } = await readProfile({ licenses: [{ type: 'cop', issuedBy }] });
    expect(record.licences).toMatchObject([{ issuedBy: issuer }]);
    expect(drift).toEqual([]);
  });

  test('keeps figures with the names of built-in properties apart', async () => {
    const body = '{"username":"a","stats":{"__proto__":1,"constructor":2,"toString":3,"crashes":4}}';
    const { record } = await readAs(profile, { username: 'a' }, body);
    expect(record.stats?.known).toEqual({ crashes: 4 });
    expect(record.stats?.other.map(({ name }) => name)).toEqual(['__proto__', 'constructor', 'toString']);
  });

  test('of the later generation reads as one of the first', async () => {
    const first = await readProfile({
      dateJoined: 1_735_787_045,
      licenses: [
        {
          type: 'cop',
          name: 'Police',
          dateIssued: 1_735_787_045,
          issuedBy: 0,
          validUntil: 0,
          suspendedUntil: 0,
          revoked: false,
          expired: false,
          suspended: false,
        },
      ],
      stats: { sent_money: 5 },
    });
    const later = await readProfile({
      dateJoined: '2025-01-02T03:04:05Z',
      licences: [
        {
          id: 'cop',
          name: 'Police',
          dateIssued: '2025-01-02T03:04:05+00:00',
          validUntil: null,
          suspendedUntil: null,
          revoked: 0,
          expired: 0,
          suspended: 0,
        },
      ],
      stats: { 1: 5 },
    });
    expect(later.record).toEqual(first.record);
    expect(first.record.licences).toMatchObject([{ type: 'cop', issuedBy: null, validUntil: null }]);
    expect(later.drift).toEqual([]);
  });

  test('of the later generation has names for upgrades and properties', async () => {
    const { record } = await readProfile({
      properties: [{ id: 1, type: 'garage', name: 'Garage', condition: 0.5, value: 10 }],
      cars: [{ vin: 'AB12C', upgrades: [{ id: 2, type: 'winch', name: 'Winch', condition: '1' }] }],
    });
    expect(record.properties).toEqual([{ type: 'garage', name: 'Garage', condition: 0.5, value: 10 }]);
    expect(record.cars?.[0]?.upgrades).toEqual([{ type: 'winch', name: 'Winch', condition: 1, value: null }]);
    const named = await readProfile({ properties: [{ id: 1, type: {}, name: 'Garage' }, { id: 2 }] });
    expect(named.record.properties).toMatchObject([{ type: null, name: 'Garage' }]);
    expect(named.drift.toSorted()).toEqual(['profile property', 'profile type']);
  });

  test('reports the names in it', async () => {
    const { discovered } = await readProfile({
      nickname: '^1Ali^7ce',
      cars: [{ vin: 'AB12C', type: 'UF1' }, { vin: 'XY34Z' }],
      licences: [{ type: 'Cop' }, { name: 'Towing' }],
    });
    expect(discovered).toEqual([
      {
        playerId: null,
        licences: ['Cop', 'Towing'],
        players: ['Alice'],
        vins: [
          { vin: 'AB12C', type: 'UF1' },
          { vin: 'XY34Z', type: null },
        ],
        nicknames: [{ username: 'Alice', nickname: '^1Ali^7ce' }],
      },
    ]);
  });

  test('with a thousand cars is read in a moment', async () => {
    const upgrades = [1, 2, 3].map((id) => ({ id, type: 'ramp', condition: 0.5, value: 10 }));
    const cars = Array.from({ length: 1000 }, (_, n) => ({
      vin: `A${n}`,
      type: 'UF1',
      odometerKm: n,
      condition: 50,
      wear: 'x',
      damage: 0,
      upgrades,
    }));
    const before = process.threadCpuUsage();
    const { record, drift } = await readProfile({ cars });
    expect(process.threadCpuUsage(before).user / 1000).toBeLessThan(2000);
    expect(record.cars?.length).toBe(1000);
    expect(drift).toEqual(['profile wear']);
  });
});

describe('a list that fills a whole body', () => {
  test('is not read row by row, which would halt the process', async () => {
    const { record, drift } = await readProfile({ cars: Array.from({ length: 900_000 }, () => 1) });
    expect(record.cars).toBeNull();
    expect(drift).toEqual(['profile cars']);
    await expect(readLive({ players: Array.from({ length: 900_000 }, () => 1) })).rejects.toMatchObject(
      broken,
    );
  });
});
