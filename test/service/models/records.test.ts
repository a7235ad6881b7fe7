import { describe, expect, test } from 'vitest';
import { overview } from '../../../src/service/endpoints.ts';
import {
  broken,
  readAs,
  readCar,
  readChat,
  readLive,
  readOptions,
  readOverview,
  second,
} from '../read-as.ts';

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

  // A published answer to AAAAB is about ACKSJ.
  test('may be another one than was asked for, and says which', async () => {
    expect((await readCar({ vin: 'ZZ99Z' })).record.vin).toBe('ZZ99Z');
    expect((await readCar({ vin: ' ab12c ' })).record.vin.trim()).toBe('AB12C');
  });

  test('of 2017 reads as one of today: kilometres and former owners had other names', async () => {
    const { record, drift } = await readCar([
      { ...body, distanceKm: 7186.5, numPreOwners: 1, isWrecked: 0, condition: 72.2 },
    ]);
    expect(record).toMatchObject({ odometerKm: 7186.5, preOwnerCount: 1, wrecked: false, preOwners: null });
    expect(drift).toEqual([]);
  });

  test('has no figure that a sum or a unit makes infinite, and none below zero', async () => {
    const sent = { odometerKm: 1.7e308, marketPrice: -1e300, condition: -3, wear: 1e16, numPreowners: 1.5 };
    const { record, drift } = await readCar({ ...body, ...sent });
    expect(record).toMatchObject({
      odometerKm: null,
      marketPrice: null,
      condition: null,
      wear: null,
      preOwnerCount: null,
    });
    expect(drift.toSorted()).toEqual(
      Object.keys(sent)
        .map((field) => `car ${field}`)
        .toSorted(),
    );
  });

  test('shows no part of more than the whole, except by a rounding error', async () => {
    const upgrades = [0.9995, 1, 1.000_000_01, 1.5, 99.95].map((condition) => ({ type: 'ramp', condition }));
    const sent = { condition: 100.000_001, wear: 9995, damage: 100.1, upgrades };
    const { record, drift } = await readCar({ ...body, ...sent });
    expect(record).toMatchObject({ condition: 100, wear: null, damage: null });
    expect(record.upgrades?.map(({ condition }) => condition)).toEqual([0.9995, 1, 1, null, null]);
    expect(drift.toSorted()).toEqual(['car condition', 'car damage', 'car wear']);
  });

  test.for([[[body, body]], [{ ...body, vin: '' }], [{ owner: 'alice' }], [7]])(
    'is broken as %j',
    async ([sent]) => {
      await expect(readCar(sent)).rejects.toMatchObject(broken);
    },
  );

  test('reports its owner, and not its former ones, who may not exist any more', async () => {
    const preOwners = [
      { buyer: 'bob', buyerId: '7', datePurchase: second, odometerKm: 12.5 },
      { buyerId: '8' },
    ];
    const { record, discovered, drift } = await readCar({ ...body, nickname: '^1Ali^7ce', preOwners });
    expect(record.preOwners).toEqual([{ buyer: 'bob', datePurchase: second * 1000, odometerKm: 12.5 }]);
    expect(discovered).toEqual([
      {
        players: ['alice'],
        vins: [{ vin: 'AB12C', type: 'UF1.XMAS' }],
        nicknames: [{ username: 'alice', nickname: '^1Ali^7ce' }],
      },
    ]);
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
    expect(drift).toEqual([]);
  });

  test('that cannot be read are left out, and do not count', async () => {
    const { record, drift } = await readOptions({
      mph: { on: 1 },
      theme: 'dark',
      money: ['1'],
      locsize: null,
    });
    expect(record).toEqual([{ name: 'theme', value: 'dark' }]);
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

  test('keeps a server whose state is unreadable, without its count of drivers', async () => {
    const { record, drift } = await readOverview({ one: { ...server, online: 'perhaps' }, two: server });
    expect(record).toMatchObject([
      { name: 'one', online: null, guests: null, maxGuests: 40 },
      { name: 'two', online: true },
    ]);
    expect(drift).toEqual(['overview online']);
  });

  test('counts drivers and places, and nothing that is no count', async () => {
    for (const guests of [-3, 4.5, 1e300, 'full']) {
      const { record, drift } = await readOverview({ one: { ...server, guests } });
      expect(record).toMatchObject([{ guests: null, maxGuests: 40 }]);
      expect(drift).toEqual(['overview guests']);
    }
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
      ps: { 3: { u: 3, p: 17, un: 'alice', nn: '^1Alice', r: 2, l: 'Pit', v: 'AB12C', s: 0 } },
    });
    expect(asOf).toBe(second * 1000);
    expect(record).toMatchObject({ server: 'One', track: 'BL1' });
    expect(record.players).toMatchObject([
      { plid: '17', username: 'alice', nickname: '^1Alice', place: 'Pit', vin: 'AB12C', cop: null },
    ]);
  });

  test('of the later generation has no number for people who are not on the track', async () => {
    const { record } = await readLive({ ps: { 3: { u: 3, un: 'alice' } } });
    expect(record.players).toMatchObject([{ plid: null, username: 'alice' }]);
  });

  test('of the later generation has no entry for the host, which is nobody', async () => {
    const host = { u: 0, un: '', nn: '^7Server' };
    const { record } = await readLive({ ps: { 0: host, 3: { u: 3, un: 'alice' }, 4: { u: 4, p: 9 } } });
    expect(record.players.map(({ username, plid }) => [username, plid])).toEqual([
      ['alice', null],
      [null, '9'],
    ]);
    expect((await readLive({ ps: { 0: host } })).record.players).toEqual([]);
  });

  test('teaches the names and VINs that somebody could ask for, and no others', async () => {
    const { discovered } = await readLive({
      ps: {
        1: { un: 'alice', nn: '^1Ali^7ce', v: 'ab12c' },
        2: { un: 'x'.repeat(65), nn: 'x', v: 'AB12CD' },
        3: { un: 'in\u200bvisible', v: '' },
        4: { un: '', nn: 'nobody', v: null },
      },
    });
    expect(discovered).toEqual([
      {
        players: ['alice'],
        vins: [{ vin: 'AB12C', type: null }],
        nicknames: [{ username: 'alice', nickname: '^1Ali^7ce' }],
        fleeting: true,
      },
    ]);
  });

  test.for([{ players: [] }, { players: {} }, { ps: [] }])('is of nobody as %j', async (body) => {
    expect((await readLive(body)).record.players).toEqual([]);
  });

  test('may list players whose ids happen to be 0, 1, 2', async () => {
    const { record } = await readLive({ players: [flags, flags] });
    expect(record.players.map(({ plid }) => plid)).toEqual(['0', '1']);
  });

  describe('read again a second later', () => {
    const drivers = ['alice', 'bob', 'carol'];
    const file = (of: (driver: string) => object) =>
      readLive({
        ps: Object.fromEntries(drivers.map((un, at) => [at + 1, { u: at, un, l: 'Pit', ...of(un) }])),
      });

    test('keeps its player objects, except those with a change in something we use', async () => {
      const before = (await file(() => ({ s: 80 }))).record.players;
      const after = (await file((un) => ({ s: 90, ...(un === 'bob' ? { l: 'Road' } : {}) }))).record.players;
      expect(after.map((player, at) => player === before[at])).toEqual([true, false, true]);
      expect(after[1]).toEqual({ ...before[1], place: 'Road' });
    });

    test('keeps two apart who differ in their number only', async () => {
      for (const _ of [1, 2]) {
        const { record } = await readLive({ players: { 1: flags, 7: flags } });
        expect(record.players.map(({ plid }) => plid)).toEqual(['1', '7']);
      }
    });

    test('reports what is unreadable again, and shows all others in their order', async () => {
      for (const _ of [1, 2]) {
        const { record, drift } = await file((un) => (un === 'bob' ? { l: {} } : {}));
        expect(record.players.map(({ username, place }) => [username, place])).toEqual([
          ['alice', 'Pit'],
          ['bob', null],
          ['carol', 'Pit'],
        ]);
        expect(drift).toEqual(['live l']);
      }
    });

    test('remembers nobody who has been away for longer than it takes to read every file', async () => {
      const [first] = (await file(() => ({}))).record.players;
      for (let read = 0; read < 10; read += 1) await readLive({ ps: { 9: { un: 'dave' } } });
      const [again] = (await file(() => ({}))).record.players;
      expect(again).toEqual(first);
      expect(again).not.toBe(first);
    });
  });

  test('of more players than any server takes is broken, and says where', async () => {
    const crowd = (size: number) =>
      Object.fromEntries(Array.from({ length: size }, (_, at) => [at + 1, { cop: false }]));
    expect((await readLive({ players: crowd(500) })).record.players).toHaveLength(500);
    const fault = { ...broken, detail: 'unreadable: players, ps' };
    await expect(readLive({ players: crowd(501) })).rejects.toMatchObject(fault);
    await expect(readLive({ players: Array.from({ length: 100_000 }, () => 0) })).rejects.toMatchObject(
      fault,
    );
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

  test.for([
    ['https://discord.gg/abcdefg', true],
    ['https://discord.com/invite/abc-DEF_1', true],
    ['http://discord.gg/abcdefg', false],
    ['https://discord.gg.example/abcdefg', false],
    ['https://discord.com/invite/a b', false],
    ['https://evil.example/invite/abc', false],
    ['javascript:alert(1)', false],
  ] as const)('has the invite %s: %s', async ([invite, isOne]) => {
    const { record } = await readChat({ members: [], instant_invite: invite });
    expect(record.invite).toBe(isOne ? invite : null);
  });

  test.for([-4.5, -1, 3.5, 'many', {}])('has no count as %j', async (count) => {
    const { record, drift } = await readChat({ members: [member], presence_count: count });
    expect(record.presenceCount).toBeNull();
    expect(drift).toEqual(['chat-status presence_count']);
  });

  test('needs no ids to know who is there and which channels there are', async () => {
    const { record } = await readChat({
      members: [{ username: 'a' }],
      channels: [{ id: {}, name: 'General' }],
    });
    expect(record).toMatchObject({ members: [{ username: 'a' }], channels: [{ name: 'General' }] });
  });

  test('of a widget that is off has nobody, and says so', async () => {
    for (const code of [50_004, 10_004])
      expect((await readChat({ message: 'Widget Disabled', code })).record).toMatchObject({
        ...{ members: [], channels: [], isWidgetOff: true },
      });
    expect((await readChat({ members: [] })).record.isWidgetOff).toBe(false);
  });

  test('needs its members and nothing else', async () => {
    expect((await readChat({ members: {} })).record).toMatchObject({ members: [], channels: [] });
    await expect(readChat({ name: 'Chat' })).rejects.toMatchObject(broken);
    await expect(readChat({ members: ['a', 'b'] })).rejects.toMatchObject(broken);
  });
});
