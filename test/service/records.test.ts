import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../src/errors.ts';
import { createClient } from '../../src/service/client.ts';
import {
  car,
  chatStatus,
  type Endpoint,
  live,
  options,
  overview,
  profile,
  type Sighting,
} from '../../src/service/endpoints.ts';
import { places } from './loopback.ts';

interface Read<Row> {
  readonly record: Row;
  readonly asOf: number;
  readonly drift: readonly string[];
  readonly sightings: readonly Sighting[];
}

/** Reads a body, as text or as the value that it would hold, as the record that the real client makes of it. */
async function readAs<Asked, Params, Row>(
  endpoint: Endpoint<Asked, Params, Row>,
  asked: Asked,
  sent: unknown,
): Promise<Read<Row>> {
  const body: unknown = JSON.parse(typeof sent === 'string' ? sent : JSON.stringify(sent));
  const drift: string[] = [];
  const sightings: Sighting[] = [];
  const { get } = createClient({
    places,
    layer: async (call) => ({ body, asOf: call.trueAt(body) ?? 1, stale: null, rate: null }),
    onDrift: (name, fields) => drift.push(...fields.map((field) => `${name} ${field}`)),
    onSighting: (sighting) => sightings.push(sighting),
  });
  const { record, asOf } = await get(endpoint, asked);
  expect(JSON.parse(JSON.stringify(record))).toEqual(record);
  return { record, asOf, drift, sightings };
}

const readProfile = (body: object) => readAs(profile, { username: 'alice' }, { username: 'Alice', ...body });
const readCar = (body: unknown) => readAs(car, { vin: 'ab12c' }, body);
const readOptions = (body: unknown) => readAs(options, { username: 'alice' }, body);
const readOverview = (body: unknown) => readAs(overview, {}, body);
const readLive = (body: unknown) => readAs(live, { server: 'one' }, body);
const readChat = (body: unknown) => readAs(chatStatus, {}, body);

const broken = { fault: 'bad-response' };
const second = 1_700_000_000;

describe('a moment', () => {
  test.for<[unknown, number | null]>([
    [second, second * 1000],
    [`${second}`, second * 1000],
    [second * 1000 + 123, second * 1000 + 123],
    [0, null],
    ['0', null],
    [null, null],
    ['', null],
    [-62_169_984_000, null],
    ['0000-00-00 00:00:00', null],
    ['2025-01-02T03:04:05Z', Date.UTC(2025, 0, 2, 3, 4, 5)],
    ['2025-01-02T03:04:05.678+02:00', Date.UTC(2025, 0, 2, 1, 4, 5, 678)],
    ['2025-01-02T03:04:05+0000', Date.UTC(2025, 0, 2, 3, 4, 5)],
    ['2025-01-02 03:04:05', Date.UTC(2025, 0, 2, 3, 4, 5)],
    ['2025-01-02T03:04:05.123456Z', Date.UTC(2025, 0, 2, 3, 4, 5, 123)],
    ['2025-01-02', Date.UTC(2025, 0, 2)],
  ])('sent as %j is %j', async ([sent, moment]) => {
    const { record, drift } = await readProfile({ dateJoined: sent });
    expect(record.joined).toBe(moment);
    expect(drift).toEqual([]);
  });

  test.for([true, 'yesterday', 'Tue', '2025-13-45', {}, [], 1e300])(
    'sent as %j is none, and is told',
    async (sent) => {
      const { record, drift } = await readProfile({ dateJoined: sent, money: 5 });
      expect(record.joined).toBeNull();
      expect(record.money).toBe(5);
      expect(drift).toEqual(['profile dateJoined']);
    },
  );
});

describe('a number', () => {
  test.for<[unknown, number | null]>([
    [12, 12],
    ['12', 12],
    [' 12.5 ', 12.5],
    ['-3', -3],
    ['1e3', 1000],
    [null, null],
    ['', null],
  ])('sent as %j is %j', async ([sent, value]) => {
    const { record, drift } = await readProfile({ money: sent });
    expect(record.money).toBe(value);
    expect(drift).toEqual([]);
  });

  test.for(['twelve', '0x10', '1,234', '1e999', true, [], {}, 'NaN'])(
    'sent as %j is none, and is told',
    async (sent) => {
      const { record, drift } = await readProfile({ money: sent });
      expect(record.money).toBeNull();
      expect(drift).toEqual(['profile money']);
    },
  );

  test('beyond what a number can hold is none', async () => {
    const { record } = await readAs(profile, { username: 'a' }, '{"username":"a","money":1e999}');
    expect(record.money).toBeNull();
  });
});

describe('a flag', () => {
  test.for<[unknown, boolean | null]>([
    [true, true],
    [1, true],
    ['1', true],
    ['true', true],
    [false, false],
    [0, false],
    ['0', false],
    ['false', false],
    ['', false],
    [null, null],
  ])('sent as %j is %j', async ([sent, value]) => {
    const { record, drift } = await readProfile({ isOnline: sent });
    expect(record.online).toBe(value);
    expect(drift).toEqual([]);
  });

  test('sent as anything else is unknown rather than true', async () => {
    for (const sent of [2, 'no', {}, []]) {
      const { record, drift } = await readProfile({ isOnline: sent });
      expect(record.online).toBeNull();
      expect(drift).toEqual(['profile isOnline']);
    }
  });
});

describe('a profile', () => {
  test('needs a name and nothing else', async () => {
    const { record, drift } = await readProfile({});
    expect(record.username).toBe('Alice');
    expect({ ...record, username: null }).toEqual(
      Object.fromEntries(Object.keys(record).map((field) => [field, null])),
    );
    expect(drift).toEqual([]);
  });

  test.for([{}, { username: '' }, { username: null }, { nickname: 'x' }, [{ username: 'a' }], 7])(
    'is broken as %j',
    async (body) => {
      await expect(readAs(profile, { username: 'a' }, body)).rejects.toMatchObject(broken);
    },
  );

  test.for([
    [{ countryCode: 'GB' }, 'gb'],
    [{ countrycode: 'De' }, 'de'],
    [{ countryCode: '', countrycode: 'tr' }, 'tr'],
    [{ countryCode: 'Germany' }, null],
    [{}, null],
  ] as const)('of the country %j', async ([body, country]) => {
    expect((await readProfile(body)).record.country).toBe(country);
  });

  test.for([
    ['//img.example/gb.png', 'https://img.example/gb.png'],
    ['https://img.example/gb.png', 'https://img.example/gb.png'],
    ['javascript:alert(1)', null],
    ['/gb.png', null],
    ['http://img.example/gb.png', null],
    ['', null],
  ] as const)('has for the flag %j the image %j', async ([flag, image]) => {
    expect((await readProfile({ flag })).record.flag).toBe(image);
  });

  test.for([[[]], [{}]])('has no figures, cars and properties where they are %j', async ([nothing]) => {
    const { record, drift } = await readProfile({ stats: nothing, cars: nothing, properties: nothing });
    expect(record).toMatchObject({ stats: { known: {}, other: [] }, cars: [], properties: [] });
    expect(drift).toEqual([]);
  });

  test('may send a list with gaps as PHP does', async () => {
    const { record } = await readProfile({ cars: { 0: { vin: 'AB12C' }, 3: { vin: 'XY34Z' } } });
    expect(record.cars?.map(({ vin }) => vin)).toEqual(['AB12C', 'XY34Z']);
  });

  test('loses of its lists the broken rows only, and tells which kind', async () => {
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
  });

  test('tells the names in it', async () => {
    const { sightings } = await readProfile({ cars: [{ vin: 'AB12C', type: 'UF1' }, { vin: 'XY34Z' }] });
    expect(sightings).toEqual([
      {
        players: ['Alice'],
        vins: [
          { vin: 'AB12C', type: 'UF1' },
          { vin: 'XY34Z', type: null },
        ],
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
    const started = performance.now();
    const { record, drift } = await readProfile({ cars });
    expect(performance.now() - started).toBeLessThan(2000);
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

describe('a car', () => {
  const body = {
    vin: 'ab12c',
    owner: 'alice',
    type: 'UF1.XMAS',
    datePurchase: 0,
    marketPrice: 0,
    isOnMarket: 0,
  };

  test('may come in a list of one, and in either case', async () => {
    expect((await readCar([body])).record).toEqual((await readCar(body)).record);
    expect((await readCar(body)).record).toMatchObject({
      vin: 'AB12C',
      type: 'UF1.XMAS',
      purchased: null,
      marketPrice: null,
      onMarket: false,
    });
  });

  test('may be another one than was asked for', async () => {
    expect((await readCar({ vin: 'ZZ99Z' })).record.vin).toBe('ZZ99Z');
  });

  test.for([[[body, body]], [{ ...body, vin: '' }], [{ owner: 'alice' }], [7]])(
    'is broken as %j',
    async ([sent]) => {
      await expect(readCar(sent)).rejects.toMatchObject(broken);
    },
  );

  test('tells its owners', async () => {
    const preOwners = [
      { buyer: 'bob', buyerId: '7', datePurchase: second, odometerKm: 12.5 },
      { buyerId: '8' },
    ];
    const { record, sightings, drift } = await readCar({ ...body, preOwners });
    expect(record.preOwners).toEqual([{ buyer: 'bob', datePurchase: second * 1000, odometerKm: 12.5 }]);
    expect(sightings).toEqual([{ players: ['alice', 'bob'], vins: [{ vin: 'AB12C', type: 'UF1.XMAS' }] }]);
    expect(drift).toEqual(['car pre-owner']);
  });
});

describe('options', () => {
  test('are strings whatever they came as, in the order of the service', async () => {
    const { record, drift } = await readOptions({ mph: 1, theme: 'dark', hidead: true, locsize: null });
    expect(record).toEqual([
      { name: 'mph', value: '1' },
      { name: 'theme', value: 'dark' },
      { name: 'hidead', value: '1' },
    ]);
    expect(drift).toEqual(['options option']);
  });

  test('may have any name', async () => {
    const { record } = await readOptions('{"__proto__":"a","constructor":"b","toString":"c"}');
    expect(record.map(({ name }) => name)).toEqual(['__proto__', 'constructor', 'toString']);
    expect(Object.hasOwn(Object.prototype, 'a')).toBe(false);
  });

  test.for([[[]], [{}]])('are none as %j', async ([nothing]) => {
    expect((await readOptions(nothing)).record).toEqual([]);
  });

  test('none of which can be read are broken', async () => {
    await expect(readOptions({ mph: {}, theme: [] })).rejects.toMatchObject(broken);
  });
});

describe('the overview', () => {
  const server = { online: true, track: 'BL1', guests: 7, maxGuests: '40', trackName: '^1Blackwood' };
  const read = { online: true, track: 'BL1', guests: 7, maxGuests: 40, trackName: '^1Blackwood' };

  test('has whatever servers come', async () => {
    const { record } = await readOverview({ one: server, four: server, 'a new one': server });
    expect(record).toEqual([
      { name: 'one', ...read },
      { name: 'four', ...read },
      { name: 'a new one', ...read },
    ]);
  });

  test('may name servers like built-in properties, or like a field', async () => {
    const text = `{"__proto__":${JSON.stringify(server)},"constructor":${JSON.stringify(server)},"online":${JSON.stringify(server)}}`;
    expect((await readOverview(text)).record.map(({ name }) => name)).toEqual([
      '__proto__',
      'constructor',
      'online',
    ]);
  });

  test('of one server may be the bare record, or wrapped in its name', async () => {
    expect((await readOverview(server)).record).toEqual([{ name: null, ...read }]);
    expect((await readOverview({ two: server })).record).toEqual([{ name: 'two', ...read }]);
  });

  test('loses a broken server only', async () => {
    const { record, drift } = await readOverview({ one: server, two: null, three: 'x' });
    expect(record.length).toBe(1);
    expect(drift).toEqual(['overview server']);
  });

  test.for([[[]], [{}]])('is of no server as %j', async ([nothing]) => {
    expect((await readOverview(nothing)).record).toEqual([]);
  });

  test.for([{ one: 'x' }, { one: null }, { online: 'perhaps' }, 7, 'x'])('is broken as %j', async (body) => {
    await expect(readAs(overview, {}, JSON.stringify(body))).rejects.toMatchObject(broken);
  });
});

describe('a live file', () => {
  const flags = {
    siren: true,
    med: false,
    caution: 0,
    tow: 1,
    cop: '1',
    isChased: false,
    isJoining: false,
    hazard: false,
  };

  test('is true at its own time, in seconds or milliseconds', async () => {
    for (const time of [second, second * 1000, `${second}`]) {
      const { asOf, record } = await readLive({ server: 'One', time, players: { 3: flags } });
      expect(asOf).toBe(second * 1000);
      expect(record.players).toMatchObject([
        { plid: '3', siren: true, tow: true, cop: true, username: null },
      ]);
    }
  });

  test('without a time is true when it arrives', async () => {
    expect((await readLive({ players: {} })).asOf).toBe(1);
  });

  test('of the later generation has names and places', async () => {
    const { record, asOf } = await readLive({
      t: second * 1000,
      n: 'One',
      tk: 'BL1',
      ps: { 3: { u: 1, p: 3, un: 'alice', nn: '^1Alice', r: 2, l: 'Pit', v: 'AB12C', s: 0 } },
    });
    expect(asOf).toBe(second * 1000);
    expect(record).toMatchObject({ server: 'One', track: 'BL1' });
    expect(record.players).toMatchObject([
      { plid: '3', username: 'alice', nickname: '^1Alice', place: 'Pit', vin: 'AB12C', cop: null },
    ]);
  });

  test.for([{ players: [] }, { players: {} }, { ps: [] }])('is of nobody as %j', async (body) => {
    expect((await readLive(body)).record.players).toEqual([]);
  });

  test('may list players whose ids happen to be 0, 1, 2', async () => {
    const { record } = await readLive({ players: [flags, flags] });
    expect(record.players.map(({ plid }) => plid)).toEqual(['0', '1']);
  });

  test('loses a broken player only', async () => {
    const { record, drift } = await readLive({ players: { 1: flags, 2: 'x' } });
    expect(record.players.map(({ plid }) => plid)).toEqual(['1']);
    expect(drift).toEqual(['live player']);
  });

  test.for([
    {},
    { time: second },
    { players: null },
    { players: 'x' },
    { players: false },
    { players: { 1: null } },
    { players: { 1: 'x', 2: 3 } },
    { players: ['x'] },
    { ps: 7 },
    [],
  ])('is broken, never empty, as %j', async (body) => {
    await expect(readLive(body)).rejects.toMatchObject(broken);
  });
});

describe('the chat status', () => {
  const member = { id: '1', username: 'a', status: 'online', game: { name: 'x' }, channel_id: '9' };

  test('has its channels in order, and members of any status', async () => {
    const { record } = await readChat({
      id: '5',
      name: 'Chat',
      instant_invite: null,
      presence_count: 250,
      channels: [
        { position: 2, id: '2', name: 'two' },
        { id: '3', name: 'three' },
        { position: '1', id: '1', name: 'one' },
      ],
      members: [member, { ...member, status: 'streaming' }],
    });
    expect(record).toMatchObject({ name: 'Chat', invite: null, presenceCount: 250 });
    expect(record.channels.map(({ name }) => name)).toEqual(['one', 'two', 'three']);
    expect(record.members.map(({ status }) => status)).toEqual(['online', 'streaming']);
  });

  test('needs its members and nothing else', async () => {
    expect((await readChat({ members: {} })).record).toMatchObject({ members: [], channels: [] });
    await expect(readChat({ name: 'Chat' })).rejects.toMatchObject(broken);
    await expect(readChat({ members: ['a', 'b'] })).rejects.toMatchObject(broken);
  });
});

describe('a question', () => {
  async function questionOf<Asked, Params, Row>(
    endpoint: Endpoint<Asked, Params, Row>,
    asked: Asked,
  ): Promise<string> {
    const questions: string[] = [];
    const { get } = createClient({
      places,
      layer: async ({ question, endpoint: name }) => {
        questions.push(question);
        throw new ServiceError('unavailable', { endpoint: name, sent: 'no' });
      },
    });
    await expect(get(endpoint, asked)).rejects.toThrow(ServiceError);
    return questions.join();
  }

  test('is the same in whatever case a name or VIN is typed', async () => {
    expect(await questionOf(profile, { username: 'ALICE' })).toBe(
      await questionOf(profile, { username: ' alice ' }),
    );
    expect(await questionOf(profile, { username: 'A\u030A' })).toBe(
      await questionOf(profile, { username: 'å' }),
    );
    expect(await questionOf(car, { vin: 'ab12c' })).toBe(await questionOf(car, { vin: 'AB12C' }));
  });

  test('is another one for another name, row or flag', async () => {
    const questions = await Promise.all([
      questionOf(profile, { username: 'a' }),
      questionOf(profile, { username: 'a/11111' }),
      questionOf(profile, { username: 'a', cars: false }),
      questionOf(options, { username: 'a' }),
      questionOf(car, { vin: 'AB12C' }),
      questionOf(car, { vin: 'AB12C', preowners: false }),
      questionOf(overview, {}),
      questionOf(overview, { server: 'one' }),
      questionOf(live, { server: 'one' }),
    ]);
    expect(new Set(questions).size).toBe(questions.length);
  });

  test.for<[string, () => Promise<unknown>]>([
    ['a VIN of six', () => readAs(car, { vin: 'AB12CD' }, {})],
    ['a VIN with a slash', () => readAs(car, { vin: '../..' }, {})],
    ['an empty name', () => readAs(profile, { username: ' ' }, {})],
    ['a name with a line break', () => readAs(profile, { username: 'a\nb' }, {})],
    ['a name of 65', () => readAs(profile, { username: 'a'.repeat(65) }, {})],
    ['half a character', () => readAs(profile, { username: '\uD800' }, {})],
  ])('with %s is the mistake of who asks, and is not sent', async ([, ask]) => {
    await expect(ask()).rejects.toThrow(TypeError);
    await expect(ask()).rejects.toThrow(/cannot be asked with this (vin|username)/);
  });
});
