/** How far a live file reports each kind of duty, and of whom. */
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { createClient } from '../../../src/service/client.ts';
import { live } from '../../../src/service/endpoints.ts';
import { drivingPlayers } from '../../../src/service/models/live-status.ts';
import { createTransport } from '../../../src/service/transport/transport.ts';
import { countTurns } from '../../support/turns.ts';
import { key, places } from '../loopback.ts';
import { readLive, second } from '../read-as.ts';

const all = {
  ...{ siren: 'all', med: 'all', caution: 'all', tow: 'all' },
  ...{ cop: 'all', isChased: 'all', isJoining: 'all', hazard: 'all' },
};
const none = Object.fromEntries(Object.keys(all).map((flag) => [flag, 'none']));

/** Ann (connection 5), Bob (7), Cid (9), and what else the file holds. */
function readLater(more: object = {}) {
  const ps = { 5: { u: 5, un: 'Ann' }, 7: { un: 'Bob' }, 9: { u: '9', un: 'Cid' } };
  return readLive({ t: second, n: 'One', ps, ...more });
}

/** The names of those with a flag set. */
function names({ record }: Awaited<ReturnType<typeof readLive>>, flag: 'cop' | 'isChased') {
  return record.players.flatMap((player) => (player[flag] === true ? [player.username] : []));
}

describe('chases of the later generation', () => {
  test('name suspect and police by their connections', async () => {
    const reading = await readLater({ cs: [{ su: { u: 5 }, co: [{ u: '7' }, { u: 9 }] }] });
    expect(names(reading, 'isChased')).toEqual(['Ann']);
    expect(names(reading, 'cop')).toEqual(['Bob', 'Cid']);
    expect(reading.record.duty).toEqual({ ...none, cop: 'some', isChased: 'all' });
    expect(reading.drift).toEqual([]);
  });

  test('report their own kinds of duty also while there is none', async () => {
    for (const cs of [[], {}])
      expect((await readLater({ cs })).record.duty).toEqual({ ...none, cop: 'some', isChased: 'all' });
  });

  test('are not reported where they are absent', async () => {
    expect((await readLater()).record.duty).toEqual(none);
    expect((await readLater({ cs: null })).record.duty).toEqual(none);
  });

  const one = { su: { u: 5 }, co: [{ u: 7 }] };

  // Duty is unclear, never few, if a chase is lost.
  test.each([
    ['of which one is unreadable', [one, { su: 'Bob' }], ['Ann'], ['Bob'], ['unclear', 'unclear']],
    ['that are all unreadable', ['?', { co: [{ u: 7 }] }], [], [], ['unclear', 'unclear']],
    ['that are no list', 'none', [], [], ['unclear', 'unclear']],
    ['of whose police one is lost', [{ ...one, co: [{ u: 7 }, 'Cid'] }], ['Ann'], ['Bob'], ['some', 'all']],
    ['without police', [{ su: { u: 5 } }], ['Ann'], [], ['some', 'all']],
    ['of somebody who is not listed', [{ ...one, su: { u: 6 } }], [], ['Bob'], ['unclear', 'unclear']],
  ])('%s cost no more than themselves', async (_what, cs, chased, police, [cop, isChased]) => {
    const reading = await readLater({ cs });
    expect(reading.record.players).toHaveLength(3);
    expect(names(reading, 'isChased')).toEqual(chased);
    expect(names(reading, 'cop')).toEqual(police);
    expect(reading.record.duty).toEqual({ ...none, cop, isChased });
  });
});

describe('jobs of the later generation', () => {
  const jobs = ({ record }: Awaited<ReturnType<typeof readLive>>) =>
    record.players.flatMap(({ username, job }) => (job === null ? [] : [[username, job]]));

  test('name their drivers by connections', async () => {
    const reading = await readLater({
      ms: [
        { s: 4, lt: '^3Bus^8 - Harbour', ps: [5, '9'] },
        { s: 5, lt: 'Delivery', ps: { 0: 7 } },
      ],
    });
    expect(jobs(reading)).toEqual([
      ['Ann', '^3Bus^8 - Harbour'],
      ['Bob', 'Delivery'],
      ['Cid', '^3Bus^8 - Harbour'],
    ]);
    expect(reading.record.hasUnreadableJobs).toBe(false);
    expect(reading.drift).toEqual([]);
  });

  test.each([{}, { ms: null }, { ms: [] }, { ms: {} }])('are none in %j', async (more) => {
    const reading = await readLater(more);
    expect([jobs(reading), reading.record.hasUnreadableJobs, reading.drift]).toEqual([[], false, []]);
  });

  test.each([
    ['no list', 'none', []],
    ['without a text', [{ ps: [7] }, { lt: 'Bus', ps: [5] }], [['Ann', 'Bus']]],
    ['without drivers', [{ lt: 'Delivery' }, { lt: 'Bus', ps: [5] }], [['Ann', 'Bus']]],
    ['all unreadable', ['Bus', 5], []],
  ])('that are %s cost no more than themselves', async (_what, ms, expected) => {
    const reading = await readLater({ ms });
    expect(reading.record.players).toHaveLength(3);
    expect([jobs(reading), reading.record.hasUnreadableJobs]).toEqual([expected, true]);
  });

  test('of somebody who is not listed are nobody’s', async () => {
    const reading = await readLater({ ms: [{ lt: 'Bus', ps: [6] }] });
    expect([jobs(reading), reading.record.hasUnreadableJobs]).toEqual([[], false]);
  });
});

test.each(Object.keys(all))('an unreadable flag leaves its own kind of duty unclear: %s', async (flag) => {
  const { record, drift } = await readLive({
    ...{ time: second, server: 'One' },
    players: { 1: { [flag]: 'perhaps' }, 2: { [flag]: true } },
  });
  expect(record.duty).toEqual({ ...all, [flag]: 'unclear' });
  expect(record.players.map((player) => Reflect.get(player, flag))).toEqual([{ unreadable: true }, true]);
  expect(drift).toEqual([`live ${flag}`]);
});

test('an empty server reports all duty, in either generation', async () => {
  expect((await readLive({ time: second, players: {} })).record.duty).toEqual(all);
  expect((await readLive({ t: second, ps: [] })).record.duty).toEqual(all);
});

test.each([
  ['somebody drives: those with a car on the track', { 5: { un: 'Ann', p: '3' }, 7: { un: 'Bob' } }, ['Ann']],
  ['somebody has a car: they drive it', { 5: { un: 'Ann' }, 7: { un: 'Bob', v: 'AB12C' } }, ['Bob']],
  ['no car is named: all, since the file may not report cars', { 5: { un: 'Ann' } }, ['Ann']],
  ['nobody is there', {}, []],
])('who drives where %s', async (_what, ps, drivers) => {
  const { record } = await readLive({ t: second, n: 'One', ps });
  expect(drivingPlayers(record.players).map(({ username }) => username)).toEqual(drivers);
});

test.each(['players', 'ps'])(
  'lets others have the event loop while it reads new drivers of %s',
  async (name) => {
    const drivers = Array.from({ length: 200 }, (_, index) => [index + 1, { un: `new ${name} ${index}` }]);
    const body = JSON.stringify({ [name]: Object.fromEntries(drivers) });
    const dispatcher = {
      request: async () => ({ statusCode: 200, headers: {}, body: Readable.from([Buffer.from(body)]) }),
    };
    const { layer } = createTransport({
      url: 'http://service.example',
      key,
      dispatcher: dispatcher as never,
    });
    const turns = countTurns();
    const { record } = await createClient({ places, layer }).get(live, { server: 'two' });
    expect(record.players).toHaveLength(200);
    expect(turns()).toBeGreaterThanOrEqual(199);
  },
);

test('reads an unreadable driver in slices, once', async () => {
  let reads = 0;
  const driver = {
    get cop() {
      reads += 1;
      return 'perhaps';
    },
  };
  const drift: string[] = [];
  const { get } = createClient({
    places,
    onDrift: (_, fields) => drift.push(...fields),
    async layer(call) {
      const body = { time: second, players: { 1: driver, 2: [driver], 3: { un: 'Ann' } } };
      await call.prepare?.(body);
      const readsInSlices = reads;
      const record = call.pickUsedPart(body);
      expect([readsInSlices > 0, reads]).toEqual([true, readsInSlices]);
      return { body: record, asOf: 1, stale: null, rate: null };
    },
  });
  const { record } = await get(live, { server: 'one' });
  expect(record.players.map(({ username, cop }) => [username, cop])).toEqual([
    [null, { unreadable: true }],
    ['Ann', null],
  ]);
  expect(drift.toSorted()).toEqual(['cop', 'player']);
});
