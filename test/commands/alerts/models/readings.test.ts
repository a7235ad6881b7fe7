import { describe, expect, test } from 'vitest';
import { readCondition } from '../../../../commands/alerts/models/readings.ts';
import { namesDrivers, takeSnapshot } from '../../../../commands/alerts/models/snapshot.ts';
import type { Condition } from '../../../../commands/alerts/models/watch.ts';
import { DAY, MINUTE } from '../../../../src/base/duration.ts';
import type { Facts } from '../../../../src/service/models/facts.ts';
import { driver, liveFile, liveJson, NOON, servers, vehicle } from '../../../support/records.ts';

const empty: Facts = {
  overview: null,
  live: { one: null, two: null, three: null, four: null },
  chat: null,
};
const known = (body: unknown, age = 0) => ({ record: liveFile(body), asOf: NOON - age });
const named = (...players: readonly string[]) => ({
  n: 'One',
  t: NOON,
  ps: Object.fromEntries(players.map((un, index) => [index, { un, u: index }])),
});
const withFiles = (live: Partial<Facts['live']>): Facts => ({
  ...empty,
  live: { ...empty.live, ...live },
});

const nothing = { outages: new Map(), now: NOON };

function read(condition: Condition, polled: Facts = empty, more: object = {}) {
  const snapshot = takeSnapshot(polled, NOON);
  const facts = {
    snapshot,
    namesDrivers: namesDrivers(snapshot),
    car: null,
    profile: null,
    ...nothing,
    ...more,
  };
  const reading = readCondition(condition, facts);
  return reading === null ? null : [...reading.news.values()];
}

describe('a driver', () => {
  const wanted: Condition = { kind: 'driver', player: 'K3nny' };

  test.each([
    [
      'is on the server whose file names them, in any case',
      withFiles({ one: known(named('a')), two: known(named('k3NNY')) }),
      [{ kind: 'driver', player: 'K3nny', server: 'two' }],
    ],
    ['is not on where no file names them', withFiles({ one: known(named('a')) }), []],
    [
      'may be on a server whose file is old',
      withFiles({ one: known(named('a')), two: known(named('b'), MINUTE) }),
      null,
    ],
    [
      'is not on a server whose file has been gone for long',
      withFiles({ one: known(named('a')), two: known(named('K3nny'), 16 * MINUTE) }),
      [],
    ],
    ['is not known to be on by files that name nobody', withFiles({ one: known(liveJson({ 1: {} })) }), null],
  ])('%s', (_what, polled, expected) => {
    expect(read(wanted, polled)).toEqual(expected);
  });

  test('is on by the profile where the files name nobody', () => {
    const polled = withFiles({ one: known(liveJson({ 1: {} })) });
    const profile = (isOnline: boolean | null) => ({ record: driver({ isOnline }), asOf: NOON });
    expect(read(wanted, polled, { profile: profile(true) })).toEqual([
      { kind: 'driver', player: 'k3nny', server: null },
    ]);
    expect(read(wanted, polled, { profile: profile(false) })).toEqual([]);
    expect(read(wanted, polled, { profile: profile(null) })).toBeNull();
  });
});

describe('a server', () => {
  const wanted = (free: number | null, drivers: number | null, server = 'two'): Condition => ({
    kind: 'server',
    server,
    free,
    drivers,
  });
  const overview = { record: servers(), asOf: NOON - MINUTE };

  test.each([
    [
      '15 of 24 are free',
      wanted(15, null),
      { ...empty, overview },
      [{ kind: 'free', server: 'two', count: 15 }],
    ],
    ['no 16 are', wanted(16, null), { ...empty, overview }, []],
    ['a closed one has none', wanted(1, null, 'events'), { ...empty, overview }, []],
    [
      'the file counts drivers',
      wanted(null, 1),
      { ...withFiles({ two: known(named('a')) }), overview },
      [{ kind: 'drivers', server: 'two', count: 1 }],
    ],
    [
      'without a fresh file the overview does',
      wanted(null, 9),
      { ...withFiles({ two: known(named('a'), MINUTE) }), overview },
      [{ kind: 'drivers', server: 'two', count: 9 }],
    ],
    ['either will do', wanted(15, 50), { ...empty, overview }, [{ kind: 'free', server: 'two', count: 15 }]],
    [
      'an old overview says nothing',
      wanted(1, null),
      { ...empty, overview: { ...overview, asOf: NOON - 7 * MINUTE } },
      null,
    ],
    ['one that the overview omits is unknown', wanted(1, null, 'four'), { ...empty, overview }, null],
  ])('%s', (_what, condition, polled, expected) => {
    expect(read(condition, polled)).toEqual(expected);
  });
});

describe('duty', () => {
  const wanted = (duty: 'police' | 'medic' | 'chase', atLeast: number): Condition => ({
    kind: 'duty',
    duty,
    atLeast,
  });
  const files = withFiles({
    one: known(liveJson({ 1: { cop: true }, 2: { cop: true, isChased: false }, 3: { isChased: true } })),
    two: known(liveJson({ 4: { cop: true } })),
  });

  /** Four players of the later generation, and these chases. */
  const chasing = (...cs: readonly unknown[]) => ({ ...named('a', 'b', 'c', 'd'), cs });
  const chases = (...cs: readonly unknown[]) => withFiles({ one: known(chasing(...cs)) });
  const unreadable = () => {
    const file = liveJson({ 1: {}, 2: { cop: false } });
    return withFiles({ one: known({ ...file, players: { ...file.players, 3: { cop: 'perhaps' } } }) });
  };

  test.each([
    ['is counted over all servers', wanted('police', 3), files, [{ kind: 'police', count: 3 }]],
    ['is nobody', wanted('medic', 0), files, [{ kind: 'medic', count: 0 }]],
    ['is somebody', wanted('police', 0), files, []],
    [
      'is not known from files that do not tell it',
      wanted('medic', 0),
      withFiles({ one: known(named('a')) }),
      null,
    ],
    [
      'is not known while a file is old',
      wanted('medic', 0),
      withFiles({ one: known(liveJson()), two: known(liveJson(), MINUTE) }),
      null,
    ],
    ['is not known without any file', wanted('medic', 0), empty, null],
    [
      'is enough beside a server that reports none',
      wanted('police', 2),
      withFiles({ one: known(liveJson({ 1: { cop: true }, 2: { cop: true } })), two: known(named('a')) }),
      [{ kind: 'police', count: 2 }],
    ],
    [
      'is not enough as far as it is reported',
      wanted('police', 2),
      withFiles({ one: known(liveJson({ 1: { cop: true } })), two: known(named('a')) }),
      [],
    ],
    [
      'is not known to be nobody beside a server that reports none',
      wanted('police', 0),
      withFiles({ one: known(liveJson({ 1: { cop: false } })), two: known(named('a')) }),
      null,
    ],
    [
      'is enough beside a file that is old',
      wanted('police', 2),
      withFiles({
        one: known(liveJson({ 1: { cop: true }, 2: { cop: true } })),
        two: known(liveJson(), MINUTE),
      }),
      [{ kind: 'police', count: 2 }],
    ],
    [
      'is the police in a chase of the later generation',
      wanted('police', 2),
      withFiles({ one: known(chasing({ su: { u: 1 }, co: [{ u: 2 }, { u: 3 }] })) }),
      [{ kind: 'police', count: 2 }],
    ],
    [
      'is a chase of the later generation',
      wanted('chase', 1),
      withFiles({ one: known(chasing({ su: { u: 1 }, co: [] })) }),
      [{ kind: 'chase', count: 1 }],
    ],
    ['is no chase where the list is empty', wanted('chase', 0), chases(), [{ kind: 'chase', count: 0 }]],
    ['is not known to be no police where nobody is chased', wanted('police', 0), chases(), null],
    ['is not known to be no medics where chases are listed', wanted('medic', 0), chases(), null],
    ['is not known of medics where chases are listed', wanted('medic', 1), chases(), null],
    ['is not yet police where nobody is chased', wanted('police', 1), chases(), []],
    ['is not known to be too little while a chase is unreadable', wanted('police', 1), chases('?'), null],
    ['is not known to be nobody while a flag is unreadable', wanted('police', 0), unreadable(), null],
    ['is not known to be too little while a flag is unreadable', wanted('police', 2), unreadable(), null],
    ['of another kind is known while a flag is unreadable', wanted('chase', 1), unreadable(), []],
    [
      'is not known to be too little beside a file that is old',
      wanted('police', 2),
      withFiles({ one: known(liveJson({ 1: { cop: true } })), two: known(liveJson(), MINUTE) }),
      null,
    ],
  ])('%s', (_what, condition, polled, expected) => {
    expect(read(condition, polled)).toEqual(expected);
  });
});

describe('a car', () => {
  const wanted = (below: number | null): Condition => ({ kind: 'car', vin: 'AB12C', below });
  const car = (changes: object = {}) => ({ car: { record: vehicle(changes), asOf: NOON } });
  const sale = { kind: 'sale', vin: 'AB12C', type: 'XRT', price: 56_000 };

  test.each([
    ['on sale', wanted(null), car(), [sale]],
    ['cheap enough', wanted(56_001), car(), [sale]],
    ['not below its price', wanted(56_000), car(), []],
    ['without a price is not below any', wanted(56_001), car({ marketPrice: 0 }), []],
    ['at a price that cannot be read', wanted(56_001), car({ marketPrice: 'ask me' }), null],
    ['of which nobody can read whether it is on sale', wanted(null), car({ isOnMarket: 'maybe' }), null],
    ['not on sale', wanted(null), car({ isOnMarket: false }), []],
    ['of which the service does not say it', wanted(null), car({ isOnMarket: null }), null],
  ])('%s', (_what, condition, more, expected) => {
    expect(read(condition, empty, more)).toEqual(expected);
  });
});

describe('my car and licence', () => {
  const wanted: Condition = { kind: 'mine', player: 'k3nny', below: 50 };
  const until = (days: number) => Math.round((NOON + days * DAY) / 1000);
  const own = (cars: unknown, licenses: unknown) => ({
    profile: { record: driver({ cars, licenses }), asOf: NOON },
  });

  test.each([
    [
      'worn below the limit',
      own([{ vin: 'A1', condition: 49.9 }, { vin: 'A2', condition: 50 }, { vin: 'A3' }], []),
      ['condition A1'],
    ],
    [
      'about to expire',
      own(
        [],
        [
          { name: 'A', validUntil: until(7) },
          { name: 'B', validUntil: until(8) },
          { name: 'C', validUntil: 0 },
        ],
      ),
      ['licence A'],
    ],
    [
      'about to expire within a day, said once each',
      own([], [{ name: 'A', validUntil: until(0.5) }]),
      ['licence A', 'licence A'],
    ],
    [
      'already expired or revoked',
      own(
        [],
        [
          { name: 'A', validUntil: until(-1) },
          { name: 'B', validUntil: until(1), revoked: true },
        ],
      ),
      [],
    ],
    ['not sent at all', own(null, null), null],
  ])('%s', (_what, more, expected) => {
    const news = read(wanted, empty, more);
    expect(
      news?.map((one) => `${one.kind} ${'vin' in one ? one.vin : 'name' in one ? one.name : ''}`) ?? null,
    ).toEqual(expected);
  });
});
