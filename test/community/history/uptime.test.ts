/** When servers and the data service were up, by the recorder over the real poll, on virtual time. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '../../../src/base/duration.ts';
import { DATA_SERVICE, judgeAvailability } from '../../../src/community/history/availability.ts';
import type { Outage, Run } from '../../../src/community/history/history.ts';
import { createRunLog } from '../../../src/community/history/run-log.ts';
import { addRuns, outagesIn, runsIn } from '../../../src/community/history/runs.ts';
import { live } from '../../../src/service/endpoints.ts';
import type { Facts } from '../../../src/service/models/facts.ts';
import { startLoopback } from '../../service/loopback.ts';
import { mulberry32 } from '../../sim/simulation.ts';
import { liveFile, servers } from '../../support/records.ts';
import { type RecordedHistory, recordedHistory, START } from './support/recorded-history.ts';

const NOW = START + HOUR;

function facts(
  files: Partial<
    Record<'one' | 'two' | 'three' | 'four', number | Partial<NonNullable<Facts['live']['one']>>>
  >,
  overview: object | null = null,
): Facts {
  const fileOf = (name: keyof typeof files) => {
    const given = files[name];
    if (given === undefined) return null;
    return { record: liveFile(), asOf: NOW, ...(typeof given === 'number' ? { asOf: NOW - given } : given) };
  };
  return {
    overview: overview === null ? null : { record: servers(overview), asOf: NOW - 30 * SECOND },
    live: { one: fileOf('one'), two: fileOf('two'), three: fileOf('three'), four: fileOf('four') },
    chat: null,
  };
}

/** Files of One and Two that move, beside an overview that was last read so long ago. */
const read = (age: number, overview: object): Facts => ({
  ...facts({ one: 1000, two: 1000 }),
  overview: { record: servers(overview), asOf: NOW - age },
});

/** In the order of the names, as "one up" or "one down 300", with the seconds since when. */
const said = (given: Facts, ...down: readonly string[]) =>
  [...judgeAvailability(given, (name) => down.includes(name), NOW)]
    .map(
      ([name, { isUp, since }]) => `${name || 'service'} ${isUp ? 'up' : `down ${(NOW - since) / SECOND}`}`,
    )
    .toSorted();

describe('what is polled says', () => {
  test.each<readonly [string, Facts, readonly string[], readonly string[]]>([
    ['nothing, since the start', facts({}), [], []],
    ['that files that move are up', facts({ one: 2000, two: 9000 }), ['one up', 'service up', 'two up'], []],
    [
      'that one which stands still while others move is down',
      facts({ one: 2000, two: 300_000 }),
      ['one up', 'service up', 'two down 300'],
      [],
    ],
    [
      'nothing yet of one that may only be late',
      facts({ one: 40_000, two: 60_000 }),
      ['one up', 'service up'],
      [],
    ],
    [
      'that the service does not answer where nothing moves',
      facts({ one: 300_000, two: 310_000 }),
      ['service down 300'],
      [],
    ],
    [
      'the same whatever an older overview says',
      facts({ one: 300_000 }, { one: { online: false } }),
      ['service down 300'],
      [],
    ],
    [
      'that a server is down, by the overview',
      facts({ one: 1000, two: 1000 }, { one: { online: false }, events: { online: true } }),
      ['events up', 'one down 0', 'service up', 'two up'],
      [],
    ],
    [
      'that a server is down although the overview lists it',
      facts({ one: 1000, two: 300_000 }, { two: { online: true } }),
      ['one up', 'service up', 'two down 300'],
      [],
    ],
    [
      'nothing of one that the overview called offline, while that cannot be read: its file moves as it did before',
      read(10 * MINUTE, { one: { online: false }, two: { online: true } }),
      ['service up', 'two up'],
      ['one'],
    ],
    [
      'that it is up by its file once the overview was not read for an hour',
      read(HOUR + SECOND, { one: { online: false } }),
      ['one up', 'service up', 'two up'],
      ['one'],
    ],
    [
      'that one is up which an old overview called offline for a moment',
      read(10 * MINUTE, { one: { online: false } }),
      ['one up', 'service up', 'two up'],
      [],
    ],
    [
      'that one is up again which was down by its file, whatever becomes of the overview',
      read(10 * MINUTE, { one: { online: true } }),
      ['one up', 'service up', 'two up'],
      ['one'],
    ],
    ['nothing of a file that was never there', facts({ one: 1000 }), ['one up', 'service up'], []],
    [
      'that one which was down before a restart, and is not there, still is',
      facts({ one: 1000 }),
      ['one up', 'service up', 'two down 0'],
      ['two'],
    ],
    [
      'that a quiet file without a time is up',
      facts({ one: 1000, two: { asOf: NOW - 20 * MINUTE, clockless: true } }),
      ['one up', 'service up', 'two up'],
      [],
    ],
    [
      'that one without a time that cannot be read is down',
      facts({ one: 1000, two: { asOf: NOW - 20 * MINUTE, clockless: true, unread: 'unavailable' } }),
      ['one up', 'service up', 'two down 1200'],
      [],
    ],
    [
      'that it does not answer, without live files',
      { ...facts({}), overview: { record: servers({}), asOf: NOW - 20 * MINUTE } },
      ['service down 1200'],
      [],
    ],
    [
      'nothing of a server without a name, which is not the service',
      facts({ one: 1000 }, { '': { online: false } }),
      ['one up', 'service up'],
      [],
    ],
    ['still that it does not answer, after a restart', facts({}), ['service down 0'], [DATA_SERVICE]],
  ])('%s', (_what, given, expected, down) => {
    expect(said(given, ...down)).toEqual(expected.toSorted());
  });
});

test('a clock that is set forward or back makes no outage', () => {
  let now = NOW;
  const log = createRunLog(new Map(), { now: () => now });
  const read = (seconds: number, age: number) => {
    now += seconds * SECOND;
    const live = { ...facts({ one: 0 }).live, one: { record: liveFile(), asOf: now - age } };
    log.read({ overview: null, chat: null, live });
  };
  for (const set of [90, -3600, 110]) {
    for (let time = 0; time < 12; time += 1) read(10, 2000);
    read(set, 2000 + set * SECOND);
    for (let time = 0; time < 12; time += 1) read(10, 2000);
  }
  const all = [...log.take(), ...log.open().values()];
  expect(all.filter(({ isUp }) => !isUp)).toEqual([]);
});

test('a server whose clock is 90 seconds behind is up while its file moves', async () => {
  let now = NOW;
  let stopped = Number.POSITIVE_INFINITY;
  const clock = { now: () => now };
  const { service, close } = await startLoopback(
    ({ url }, response) => {
      const isTwo = url?.includes('two') ?? false;
      response.setHeader('date', new Date(now).toUTCString());
      const time = isTwo ? now : Math.min(now, stopped) - 90 * SECOND;
      response.end(JSON.stringify({ server: isTwo ? 'Two' : 'One', time: time / SECOND, players: {} }));
    },
    { clock },
  );
  onTestFinished(close);
  const log = createRunLog(new Map(), clock);
  const pass = async (minutes: number) => {
    for (const end = now + minutes * MINUTE; now < end; now += 10 * SECOND) {
      const [one, two] = await Promise.all(
        (['one', 'two'] as const).map((server) => service.get(live, { server })),
      );
      if (one !== undefined && two !== undefined)
        log.read({ overview: null, chat: null, live: { one, two, three: null, four: null } });
    }
    return log.open().get('one');
  };
  expect(await pass(10)).toMatchObject({ isUp: true });
  stopped = now;
  expect(await pass(10)).toMatchObject({ isUp: false, from: stopped });
});

const run = (from: number, to: number, isUp: boolean): Run => ({
  from: from * MINUTE,
  to: to * MINUTE,
  isUp,
});
const outages = (...runs: readonly Run[]) =>
  outagesIn(runs).map(({ from, until, to }: Outage) => [from, until, to].map((at) => at && at / MINUTE));

describe('an outage', () => {
  test.each<readonly [string, readonly Run[], readonly (readonly (number | null)[])[]]>([
    ['ends when the server is up', [run(1, 10, true), run(10, 15, false), run(15, 30, true)], [[10, 15, 15]]],
    ['lasts until it does', [run(1, 10, true), run(10, 15, false)], [[10, 15, null]]],
    [
      'ended at the latest when the server was seen up again',
      [run(10, 15, false), run(22, 30, true)],
      [[10, 15, 22]],
    ],
    [
      'goes on over a restart of the bot',
      [run(10, 15, false), run(22, 30, false), run(30, 31, true)],
      [[10, 30, 30]],
    ],
    [
      'does not go on over a night without readings',
      [run(10, 15, false), run(600, 610, false)],
      [
        [10, 15, 600],
        [600, 610, null],
      ],
    ],
  ])('%s', (_what, runs, expected) => {
    expect(outages(...runs)).toEqual(expected);
  });
});

test('a server that is up and down all the time has a bound, and keeps its newest runs', async () => {
  const { store } = recordedHistory();
  const runs = Array.from({ length: 3500 }, (_, index) => ({
    ...{ name: 'one', isUp: index % 2 === 0 },
    ...{ from: START + index * MINUTE, to: START + (index + 1) * MINUTE },
  }));
  await store.write(() => addRuns(runs, store));
  const span = { from: START, to: START + 3500 * MINUTE };
  expect(await runsIn(span, { name: 'one', open: undefined }, store)).toEqual(
    runs.slice(-3000).map(({ name: _, ...run }) => run),
  );
});

/** Server Two is always there. */
function withServerTwo(): RecordedHistory {
  const past = recordedHistory();
  past.two.drivers = [];
  return past;
}

/** Of server One, in minutes since the start: "0-10 up". */
async function runs({ history }: RecordedHistory, server: string | null = 'one'): Promise<readonly string[]> {
  const known = await history.uptime(server, { from: START, to: START + 40 * DAY });
  return known.runs.map(
    ({ from, to, isUp }) =>
      `${Math.round((from - START) / MINUTE)}-${Math.round((to - START) / MINUTE)} ${isUp ? 'up' : 'down'}`,
  );
}

async function outage(
  { time, one }: RecordedHistory,
  ms: number,
  how: 'stopped' | 'gone' = 'stopped',
): Promise<void> {
  if (how === 'gone') one.gone = true;
  else one.stoppedAt = time.clock.now();
  await time.pass(ms);
  one.gone = false;
  one.stoppedAt = null;
}

describe('a server', () => {
  test.each(['stopped', 'gone'] as const)(
    'whose file is %s for ten minutes was down for ten minutes',
    async (how) => {
      const here = withServerTwo();
      await here.start();
      await here.time.pass(20 * MINUTE);
      await outage(here, 10 * MINUTE, how);
      await here.time.pass(30 * MINUTE);
      expect(await runs(here)).toEqual(['0-20 up', '20-30 down', '30-60 up']);
      expect(await runs(here, 'two')).toEqual(['0-60 up']);
    },
  );

  test('that the overview calls offline is down, while somebody polls it', async () => {
    const here = withServerTwo();
    const process = await here.start();
    onTestFinished(process.watchAsBoard());
    here.overview = { one: { online: true }, events: { online: true } };
    await here.time.pass(20 * MINUTE);
    here.overview = { one: { online: true }, events: { online: false } };
    await here.time.pass(10 * MINUTE);
    here.overview = { one: { online: true }, events: { online: true } };
    await here.time.pass(10 * MINUTE);
    expect(await runs(here, 'events')).toEqual([
      expect.stringMatching(/^0-2[01] up$/),
      expect.stringMatching(/^2[01]-3[01] down$/),
      expect.stringMatching(/^3[01]-40 up$/),
    ]);
    expect(await runs(here)).toEqual(['0-40 up']);
  });

  test('that the overview calls offline has one outage, even if it is unreadable a while', async () => {
    const here = withServerTwo();
    const process = await here.start();
    onTestFinished(process.watchAsBoard());
    here.overview = { one: { online: true } };
    await here.time.pass(20 * MINUTE);
    here.overview = { one: { online: false } };
    await here.time.pass(10 * MINUTE);
    here.overview = null;
    await here.time.pass(10 * MINUTE);
    here.overview = { one: { online: false } };
    await here.time.pass(10 * MINUTE);
    here.overview = { one: { online: true } };
    await here.time.pass(10 * MINUTE);
    const { outages: all } = await here.history.uptime('one', { from: START, to: START + DAY });
    expect(all.map(({ from, to }) => Math.round(((to ?? 0) - from) / MINUTE))).toEqual([30]);
  });

  test.each([
    [
      'down',
      (here: RecordedHistory): unknown => (here.file.down = true),
      (here: RecordedHistory): unknown => (here.file.down = false),
    ],
    [
      'frozen',
      (here: RecordedHistory): unknown => (here.file.frozenAt = here.time.clock.now()),
      (here: RecordedHistory): unknown => (here.file.frozenAt = null),
    ],
  ])('is not called down while the service is %s', async (_how, begin, end) => {
    const here = withServerTwo();
    await here.start();
    await here.time.pass(20 * MINUTE);
    for (let round = 0; round < 3; round += 1) {
      begin(here);
      await here.time.pass(10 * MINUTE);
      end(here);
      await here.time.pass(10 * MINUTE);
    }
    for (const server of ['one', 'two'])
      expect((await runs(here, server)).filter((each) => !each.endsWith('up'))).toEqual([]);
    expect((await runs(here, null)).filter((each) => each.endsWith('down'))).toEqual([
      '20-30 down',
      '40-50 down',
      '60-70 down',
    ]);
  });

  test('that is down tells boards since when; one that is up is not among them', async () => {
    const here = withServerTwo();
    const process = await here.start();
    await here.time.pass(20 * MINUTE);
    expect(await here.history.offlineSince()).toEqual(new Map());
    here.one.gone = true;
    await here.time.pass(10 * MINUTE);
    process.kill();
    await here.time.pass(4 * MINUTE);
    await here.start();
    await here.time.pass(4 * MINUTE);
    const since = await here.history.offlineSince();
    expect([...since.keys()]).toEqual(['one']);
    expect((since.get('one') ?? 0) - START).toBeLessThan(20 * MINUTE + 10 * SECOND);
    here.one.gone = false;
    await here.time.pass(2 * MINUTE);
    expect(await here.history.offlineSince()).toEqual(new Map());
  });

  test('stays down across a kill of the recorder; unknown time counts as nothing', async () => {
    const here = withServerTwo();
    const first = await here.start();
    const second = await here.start();
    await here.time.pass(20 * MINUTE);
    here.one.gone = true;
    await here.time.pass(5 * MINUTE);
    first.kill();
    await here.time.pass(10 * MINUTE);
    await second.stop();
    await here.time.pass(20 * MINUTE);
    here.one.gone = false;
    await here.start();
    await here.time.pass(10 * MINUTE);
    expect(await runs(here)).toEqual(['0-20 up', '20-35 down', '55-65 up']);
    const { outages: all } = await here.history.uptime('one', { from: START, to: START + DAY });
    expect(all).toEqual(
      [{ from: START + 20 * MINUTE, until: START + 35 * MINUTE, to: START + 55 * MINUTE }].map((one) =>
        expect.objectContaining({
          from: expect.closeTo(one.from, -5),
          until: expect.closeTo(one.until, -5),
          to: expect.closeTo(one.to, -5),
        }),
      ),
    );
  });
});

test('an outage of the data service is told while it lasts, and is one over restarts', async () => {
  const here = withServerTwo();
  const first = await here.start();
  await here.time.pass(20 * MINUTE);
  here.file.down = true;
  await here.time.pass(10 * MINUTE);
  expect((await runs(here, null)).at(-1)).toBe('20-30 down');
  await here.time.pass(90 * MINUTE);
  expect((await runs(here, null)).at(-1)).toBe('20-120 down');
  first.kill();
  await here.time.pass(MINUTE);
  await here.start();
  await here.time.pass(79 * MINUTE);
  here.file.down = false;
  await here.time.pass(5 * MINUTE);
  const { outages: all } = await here.history.uptime(null, { from: START, to: START + DAY });
  expect(all).toHaveLength(1);
  // A file that was never there is read once a minute.
  expect(((all[0]?.to ?? 0) - (all[0]?.from ?? 0)) / MINUTE).toBeCloseTo(180.5, 0);
});

test('thirty days with known outages give the share of the known time', async () => {
  const here = withServerTwo();
  const random = mulberry32(7);
  const clock = { now: () => here.time.clock.now() };
  let log = createRunLog(new Map(), clock);
  let [down, unknown] = [0, 0];
  /** Since when server One stands still, and since when nothing moves. */
  let [stopped, frozen]: (number | null)[] = [null, null];
  let isRunning = true;
  const end = START + 30 * DAY;

  async function pass(ms: number): Promise<void> {
    for (const until = Math.min(end, clock.now() + ms); clock.now() < until; ) {
      await here.time.pass(15 * SECOND);
      const at = frozen ?? clock.now();
      const file = (asOf: number) => ({ record: liveFile(), asOf });
      const live = { one: file(Math.min(stopped ?? at, at)), two: file(at), three: null, four: null };
      if (isRunning) log.read({ live, overview: null, chat: null });
    }
    const runs = log.take().filter(({ name }) => name === 'one');
    await here.store.write(() => addRuns(runs, here.store));
  }

  for (let day = 0; day < 30; day += 1) {
    const midnight = START + day * DAY;
    await pass(Math.floor(random() * 8) * HOUR + MINUTE);
    for (const length of [Math.floor(3 + random() * 60) * MINUTE, Math.floor(2 + random() * 8) * MINUTE]) {
      stopped = clock.now();
      await pass(length);
      stopped = null;
      down += length;
      await pass(3 * HOUR);
    }
    if (day % 7 === 0) frozen = clock.now();
    isRunning = day % 5 !== 1;
    const away = frozen !== null || !isRunning ? 40 * MINUTE : 0;
    unknown += away;
    await pass(away);
    // As another process would go on.
    if (!isRunning) log = createRunLog(log.open(), clock);
    [frozen, isRunning] = [null, true];
    await pass(midnight + DAY - clock.now());
  }

  const span = { from: START, to: end };
  const known = await runsIn(span, { name: 'one', open: log.open().get('one') }, here.store);
  const lengthOf = (of: readonly Run[]) => of.reduce((sum, { from, to }) => sum + to - from, 0);
  const share = lengthOf(known.filter(({ isUp }) => isUp)) / lengthOf(known);
  const all = 30 * DAY - unknown;
  expect(Math.abs(share - (all - down) / all)).toBeLessThan(0.001);
  expect(lengthOf(known) / all).toBeCloseTo(1, 2);
  expect(outagesIn(known)).toHaveLength(60);
});
