/**
 * A year of a community with a million sessions: what each question and each duty takes of the event loop, over a file
 * and over a Redis, and how large it is: `npm run bench -- history [sessions]`. Processor time is that of the loop's own
 * thread, which also watches while it waits for Redis or for another thread; a block is the longest part of it in which
 * nothing else had its turn.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { systemClock } from '../../src/base/clock.ts';
import { lastWeekFacts } from '../../src/features/alerts/digest.ts';
import { createForgetDriver } from '../../src/history/forget-driver.ts';
import { kinds } from '../../src/history/kinds.ts';
import { pastChunks } from '../../src/history/past.ts';
import { createQuestions } from '../../src/history/questions.ts';
import { createRecording } from '../../src/history/recorder.ts';
import { type Facts, noFacts } from '../../src/service/models/facts.ts';
import { LiveServer, LiveStatus } from '../../src/service/models/live-status.ts';
import type { ChunkChange, HistoryChunks } from '../../src/store/history-chunks.ts';
import { openSqliteHistoryChunks } from '../../src/store/sqlite/history-chunks.ts';
import { prepareHistory } from '../../src/store/sqlite/prepare-file.ts';
import { createCommunity, driverName } from '../history/support/community.ts';
import { redisPlace } from '../store/support.ts';
import { hasRedis } from '../support/requirements.ts';

const [, , SESSIONS = '1000000', WRITE_TO] = process.argv;
const DRIVERS = 5000;
/** Sessions of one driver, and of the whole community at once. */
const MOST = Math.min(5000, Number(SESSIONS) / 10);
const ONLINE = 50;
const DAY = 24 * 3600_000;
const MINUTE = 60_000;
const MB = 1024 * 1024;
const UNTIL = Date.UTC(2026, 2, 5, 21, 0, 7);
const SINCE = UNTIL - 365 * DAY;
const TIMES = 9;

if (WRITE_TO === undefined) await measure();
else await writeYear(WRITE_TO);

/** In a process of its own, whose memory is not measured. */
async function writeYear(file: string): Promise<void> {
  const size = {
    seed: 1,
    drivers: DRIVERS,
    sessions: Number(SESSIONS),
    since: SINCE,
    until: UNTIL,
    most: MOST,
  };
  const community = createCommunity(size);
  const runs = LiveServer.options.map((name) => ({ name, isUp: true, from: SINCE, to: UNTIL }));
  prepareHistory(file).close();
  const chunks = openSqliteHistoryChunks(file);
  await chunks.write(await pastChunks({ ...community, underWay: [], offers: [], runs }));
  chunks.close();
  console.log(`${community.sessions.length} sessions of ${DRIVERS} drivers in a year`);
}

async function measure(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'pitwall-bench-'));
  const file = join(folder, 'history.sqlite');
  const heapLimit = '--max-old-space-size=8192';
  execFileSync(process.execPath, [heapLimit, import.meta.filename, SESSIONS, file], { stdio: 'inherit' });
  const opening = await cost(async () => prepareHistory(file).close());
  const chunks = openSqliteHistoryChunks(file);
  console.log(`a file of ${(statSync(file).size / MB).toFixed(1)} MB`);
  print('opening it', [opening]);
  const copied = hasRedis ? await copyOf(chunks) : null;
  try {
    await measureStore(chunks);
    if (copied === null) return;
    console.log('\nin a Redis');
    await measureStore(copied.chunks);
  } finally {
    chunks.close();
    rmSync(folder, { recursive: true });
    await copied?.end();
  }
}

async function copyOf(chunks: HistoryChunks) {
  const place = await redisPlace();
  const opened = await place.open();
  const names = ['minute', 'ten', 'hour', 'sessions', 'played-hour', 'played-day', 'played-block'];
  for (const kind of [...names, 'figures', 'readings-other', 'reading-ends', 'uptime']) {
    const all: ChunkChange[] = [...(await chunks.readKind(kind, 0, UNTIL))];
    while (all.length > 0) await opened.history.write(all.splice(0, 500));
  }
  return { chunks: opened.history, end: place.end };
}

async function measureStore(chunks: HistoryChunks): Promise<void> {
  const history = createQuestions({ chunks, clock: { now: () => UNTIL }, isHidden: () => false });
  const pastAt = (at: number) => createQuestions({ chunks, clock: { now: () => at }, isHidden: () => false });
  const counts = (days: number) => () => history.counts('all', { from: UNTIL - days * DAY, to: UNTIL });
  const driver = (index: number): string => driverName((index * 7) % DRIVERS);
  const seen = (name: string) =>
    Promise.all([history.driver(name, 10), history.usualHours(name, 'Europe/Berlin')]);
  const monday = UNTIL - (UNTIL % (7 * DAY)) + 4 * DAY - 7 * DAY;
  const questions: Readonly<Record<string, (index: number) => Promise<unknown>>> = {
    '/history, 24 hours': counts(1),
    '/history, 7 days': counts(7),
    '/history, 30 days': counts(30),
    'counts of a year': counts(365),
    '/busy': () => history.week('all', 'Europe/Berlin'),
    '/busy in half hours': () => history.week('all', 'Asia/Kolkata'),
    '/seen': (index) => seen(driver(index + 1)),
    '/seen, the driver with the most sessions': () => seen(driverName(0)),
    'an earlier reading (/profile)': (index) => history.earlierReading(driver(index)),
    'time online of a week (/top, /profile)': () => history.top('playtime', 'week'),
    'time online of a month (/top, /roles)': () => history.top('playtime', 'month'),
    'time online of all (/top)': () => history.top('playtime', 'all'),
    'money of a week': () => history.top('money', 'week'),
    'money of a month': () => history.top('money', 'month'),
    'distance of all': () => history.top('distance', 'all'),
    '/uptime, a year': () => history.uptime('one', { from: SINCE, to: UNTIL }),
    'the weekly digest': () => lastWeekFacts(pastAt, 'Europe/Berlin', monday),
  };
  console.log(`${'CPU in ms:'.padEnd(46)}median     worst   longest block   MB allocated`);
  for (const [question, ask] of Object.entries(questions)) {
    const costs: Cost[] = [];
    for (let index = 0; index < TIMES; index += 1) costs.push(await cost(() => ask(index)));
    print(question, costs);
  }

  let now = UNTIL;
  const clock = { ...systemClock, now: () => now, monotonic: () => now };
  print('what is deleted every hour', [
    await cost(async () => {
      for (const [kind, { block, keep }] of Object.entries(kinds))
        await chunks.prune(kind, now - keep - block);
      await chunks.evict(64 * MB);
    }),
  ]);
  const recording = await createRecording({ chunks, clock, isHidden: () => false });
  const minutes: Cost[] = [];
  for (let minute = 0; minute < 12; minute += 1) {
    const readings = [1, 2, 3, 4, 5, 6].map((place) => factsAt(now + (place * MINUTE) / 6, minute));
    minutes.push(
      await cost(async () => {
        for (const facts of readings) {
          now += MINUTE / 6;
          recording.read(facts);
          await turn();
        }
        await recording.write([], false);
      }),
    );
  }
  print(`a minute of recording, ${4 * ONLINE} drivers online`, minutes);
  const forget = createForgetDriver({ chunks, copies: () => [], unreached: () => {}, deleted: () => {} });
  print('/forget-me, the driver with the most sessions', [await cost(() => forget(driverName(0)))]);
  print('a month is deleted', [
    await cost(async () => {
      for (const kind of ['sessions', 'played-block', 'hour']) await chunks.prune(kind, SINCE + 30 * DAY);
    }),
  ]);
  print('about a quarter is deleted to free space', [await cost(() => chunks.evict(40 * MB))]);
}

/** Each minute one driver of each server leaves, and another one comes. */
function factsAt(at: number, minute: number): Facts {
  const file = (place: number) => {
    const players = Array.from({ length: ONLINE }, (_, index) => [
      index,
      { un: driverName(place * 900 + minute + index), cop: index % 5 === 0, med: false, tow: false },
    ]);
    const record = LiveStatus.parse({ server: 's', time: at / 1000, players: Object.fromEntries(players) });
    return { record, asOf: at };
  };
  return { ...noFacts, live: { one: file(0), two: file(1), three: file(2), four: file(3) } };
}

interface Cost {
  /** Of the loop's own thread, in ms. */
  readonly cpu: number;
  readonly block: number;
  readonly bytes: number;
}

function threadCpu(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

async function cost(work: () => Promise<unknown>): Promise<Cost> {
  let isOver = false;
  let block = 0;
  // Each of its own turns takes next to nothing, so that the time between two of them is that of the work.
  const watching = (async () => {
    for (let last = threadCpu(); ; ) {
      await turn();
      const now = threadCpu();
      block = Math.max(block, now - last);
      last = now;
      if (isOver) return;
    }
  })();
  await turn();
  const heap = process.memoryUsage().heapUsed;
  const begun = threadCpu();
  await work();
  const cpu = threadCpu() - begun;
  const bytes = process.memoryUsage().heapUsed - heap;
  isOver = true;
  await watching;
  return { cpu, block, bytes };
}

function print(what: string, costs: readonly Cost[]): void {
  const cpu = costs.map((each) => each.cpu).toSorted((a, b) => a - b);
  const most = (of: (cost: Cost) => number): number => Math.max(...costs.map(of));
  const cells = [
    (cpu[Math.floor(cpu.length / 2)] ?? Number.NaN).toFixed(1).padStart(7),
    most((each) => each.cpu)
      .toFixed(1)
      .padStart(10),
    most(({ block }) => block)
      .toFixed(1)
      .padStart(16),
    (most(({ bytes }) => bytes) / MB).toFixed(1).padStart(15),
  ];
  console.log(what.padEnd(45) + cells.join(''));
}
