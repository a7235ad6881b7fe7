/** A file of version 2.0, whose chunks become rows while the bot works. */
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../../src/base/duration.ts';
import { StoreError } from '../../../src/base/errors.ts';
import { createListeners } from '../../../src/base/listeners.ts';
import { createLog } from '../../../src/base/log.ts';
import { convertNewest } from '../../../src/community/history/chunks.ts';
import { createForgetDriver } from '../../../src/community/history/forget-driver.ts';
import type { History } from '../../../src/community/history/history.ts';
import { allCoverage, createQuestions } from '../../../src/community/history/questions.ts';
import { startRecorder } from '../../../src/community/history/recorder.ts';
import { type Facts, noFacts } from '../../../src/service/models/facts.ts';
import type { HistoryStore } from '../../../src/store/history-store.ts';
import { historyFormat, migrateDatabase } from '../../../src/store/sqlite/format.ts';
import { openSqliteHistory } from '../../../src/store/sqlite/history.ts';
import { prepareFile } from '../../../src/store/sqlite/prepare-file.ts';
import { VirtualTime } from '../../sim/virtual-time.ts';
import { liveFile } from '../../support/records.ts';

/** The beginning of one of the 30 days that chunks were cut into. */
const BLOCK = 660 * 30 * DAY;
const NOW = BLOCK + 2 * DAY + 12 * HOUR;
const EARLIER = BLOCK - 30 * DAY;
const s = (ms: number): number => ms / 1000;
const day = (at: number): number => Math.floor(at / DAY) * DAY;
const tenDays = (at: number): number => Math.floor(at / (10 * DAY)) * 10 * DAY;

type Chunk = readonly [kind: string, key: string, start: number, content: unknown];

const stay = {
  ...{ driver: 'Ben', from: NOW - HOUR, seen: NOW, played: HOUR },
  ...{ duty: null, startKnown: true, holed: false },
};

/** Ann drove an hour on server Two as police in both blocks, and Ben one on One in the earlier; he is there again. */
const chunks: readonly Chunk[] = [
  ['sessions', 'ann', BLOCK, { driver: 'Ann', rows: [[s(DAY), 3600, 1, 4, 60, 3540]] }],
  ['sessions', 'ann', EARLIER, { driver: 'ANN', rows: [[s(DAY), 3600, 1, 5]] }],
  ['sessions', 'ben', EARLIER, { driver: 'Ben', rows: [[s(2 * DAY), 3600, 0, 2]] }],
  ['played-hour', '', BLOCK + DAY, [['Ann', 3540]]],
  ['played-day', '', BLOCK + DAY, [['Ann', 3540]]],
  ['played-block', '', BLOCK, [['Ann', 3540]]],
  [
    'played-block',
    '',
    EARLIER,
    [
      ['ANN', 3600],
      ['Ben', 3600],
    ],
  ],
  ['figures', '', BLOCK + DAY, [['Ann', s(BLOCK + DAY) + 60, 700, null, 1, 2, 3, 4]]],
  [
    'readings-other',
    'ann',
    tenDays(BLOCK + DAY),
    { driver: 'Ann', rows: [[s(BLOCK + DAY) + 60, 700, null, 1, 2, 3, 4]] },
  ],
  [
    'reading-ends',
    'ann',
    EARLIER,
    {
      driver: 'Ann',
      rows: [
        [s(EARLIER), 200],
        [s(BLOCK + DAY) + 60, 700, null, 1, 2, 3, 4],
      ],
    },
  ],
  ['offers', 'XRT', BLOCK, [['AAAA1', s(BLOCK + DAY), null, 5000]]],
  ['uptime', 'two', BLOCK, [0, s(DAY), 600, -300]],
  // Further sums were written before 2.0.
  [
    'minute',
    'two',
    NOW - 2 * HOUR,
    [
      [60, 1, 2, 2, 1, 0, 0, 1],
      [61, 1, 4, 4, 2],
    ],
  ],
  ['ten', 'two', day(NOW), [[11 * 6, 2, 6, 4, 3]]],
  [
    'hour',
    'two',
    tenDays(NOW),
    [
      [0, 60, 60, 1],
      [2, 45, 45, 1],
      [Math.floor((NOW - HOUR - tenDays(NOW)) / HOUR), 2, 6, 4, 3],
    ],
  ],
  ['hour', 'all', tenDays(EARLIER), [[Math.floor((EARLIER - tenDays(EARLIER)) / HOUR), 60, 60, 1]]],
  ['hour', 'all', tenDays(BLOCK), [[Math.floor((BLOCK - tenDays(BLOCK)) / HOUR), 60, 60, 1]]],
  [
    'recorder',
    '',
    day(NOW),
    { written: 5, names: true, servers: [{ server: 'one', at: NOW, stays: [stay] }], open: [] },
  ],
  // Of a version that nobody knows.
  ['moods', 'x', BLOCK, ['?']],
];

function fileOf(written: readonly Chunk[]) {
  const folder = mkdtempSync(join(tmpdir(), 'pitwall-chunks-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'pitwall.history.sqlite');
  {
    using database = new DatabaseSync(file);
    migrateDatabase(database, { ...historyFormat, migrations: historyFormat.migrations.slice(0, 1) });
    const insert = database.prepare('INSERT INTO chunks VALUES (?, ?, ?, ?)');
    for (const [kind, key, start, content] of written)
      insert.run(kind, key, start, typeof content === 'string' ? content : JSON.stringify(content));
  }
  return { folder, file };
}

function opened(file: string) {
  prepareFile(file, historyFormat).close();
  const store = openSqliteHistory(file);
  onTestFinished(() => store.close());
  return store;
}

const historyOf = (store: HistoryStore): History =>
  createQuestions({ store, clock: { now: () => NOW }, isHidden: () => false, coverage: allCoverage });

const never = new AbortController().signal;

async function convert(store: HistoryStore): Promise<void> {
  const rest = await convertNewest(store, NOW, never);
  await rest();
}

async function left(store: HistoryStore): Promise<number> {
  return (await store.read({ parts: ['SELECT * FROM chunks'], values: [] })).length;
}

async function expectAll(store: HistoryStore): Promise<void> {
  const history = historyOf(store);
  const session = { server: 'two', startKnown: true, endKnown: true };
  const ann = await history.driver('ann', 9);
  expect(ann?.driver).toBe('Ann');
  expect(ann?.sessions).toEqual([
    {
      ...{ ...session, from: BLOCK + DAY, to: BLOCK + DAY + HOUR, played: HOUR - MINUTE },
      duty: { police: HOUR - MINUTE, medic: 0, tow: 0 },
    },
    {
      ...{ ...session, from: EARLIER + DAY, to: EARLIER + DAY + HOUR, played: HOUR },
      ...{ duty: { police: 0, medic: 0, tow: 0 }, startKnown: false },
    },
  ]);
  const ben = await history.driver('ben', 9);
  expect(ben?.sessions).toEqual([
    {
      ...{ server: 'one', from: EARLIER + 2 * DAY, to: EARLIER + 2 * DAY + HOUR, played: HOUR },
      ...{ duty: null, startKnown: true, endKnown: false },
    },
  ]);
  expect(ben?.current).toMatchObject({ from: NOW - HOUR, to: NOW, server: 'one' });
  const values = async (subject: 'playtime' | 'money', span: 'week' | 'all') =>
    (await history.top(subject, span)).rows.map(({ driver, value }) => [driver, value]);
  expect(await values('playtime', 'week')).toEqual([['Ann', HOUR - MINUTE]]);
  expect(await values('playtime', 'all')).toEqual([
    ['Ann', 2 * HOUR - MINUTE],
    ['Ben', HOUR],
  ]);
  expect(await values('money', 'all')).toEqual([['Ann', 500]]);
  const reading = {
    at: BLOCK + DAY + MINUTE,
    figures: {
      ...{ money: 700, chases_won_cop: 1, chases_won_robber: 2 },
      ...{ gaming_time_total: 3, gaming_time_cop: 4 },
    },
  };
  expect(await history.readings('ann', { from: 0, to: NOW })).toEqual([reading]);
  expect(await history.offers(['xrt'])).toEqual([
    { vin: 'AAAA1', model: 'XRT', at: BLOCK + DAY, gone: null, price: 5000 },
  ]);
  expect((await history.uptime('two', { from: 0, to: NOW })).runs).toEqual([
    { from: BLOCK, to: BLOCK + DAY, isUp: true },
    { from: BLOCK + DAY + 10 * MINUTE, to: BLOCK + DAY + 15 * MINUTE, isUp: false },
  ]);
  const minutes = await history.counts('two', { from: NOW - DAY, to: NOW });
  expect(minutes.points).toEqual([
    { at: NOW - HOUR, known: MINUTE, drivers: 2, most: 2, police: 1 },
    { at: NOW - HOUR + MINUTE, known: MINUTE, drivers: 4, most: 4, police: 2 },
  ]);
  const hours = await history.counts('two', { from: NOW - 300 * DAY, to: NOW });
  expect(hours.points.map(({ drivers, known }) => [drivers, known / MINUTE])).toEqual([
    [1, 60],
    [1, 45],
    [3, 2],
  ]);
  const first = tenDays(NOW);
  // Of an hour that is partly known, the missing part lies next to the gap before it.
  expect(hours.holes.slice(0, 1)).toEqual([{ from: first + HOUR, to: first + 2 * HOUR + 15 * MINUTE }]);
  expect(ann?.since).toBe(EARLIER);
}

test('all kinds become rows, and the file is copied first', async () => {
  const { file, folder } = fileOf(chunks);
  const store = opened(file);
  await convert(store);
  expect(await left(store)).toBe(0);
  await expectAll(store);
  const copies = readdirSync(folder).filter((name) => /^pitwall\.\d.*\.history\.sqlite$/.test(name));
  expect(copies).toHaveLength(1);
  // A start after a kill makes no other one.
  await store.earlier?.makeCopy(NOW + HOUR);
  const copy = openSqliteHistory(join(folder, copies[0] ?? ''));
  expect(await left(copy)).toBe(chunks.length);
  copy.close();
  expect(readdirSync(folder).filter((name) => name.includes('unfinished'))).toEqual([]);
});

test('a kill after any step leaves nothing undone, and nothing done twice', async () => {
  const { file } = fileOf(chunks);
  let isWhole = false;
  for (let kill = 1; !isWhole; kill += 1) {
    const { file: other } = fileOf([]);
    copyFileSync(file, other);
    let writes = 0;
    {
      const store = opened(other);
      const killed: HistoryStore = {
        ...store,
        write(work) {
          writes += 1;
          if (writes === kill) throw new StoreError('killed');
          return store.write(work);
        },
      };
      await convert(killed).catch(() => {});
    }
    isWhole = writes < kill;
    const store = opened(other);
    await convert(store);
    expect(await left(store), `${kill}`).toBe(0);
    await expectAll(store);
  }
});

test('what is not converted yet is missing, and said to be', async () => {
  const { file } = fileOf(chunks);
  const store = opened(file);
  const rest = await convertNewest(store, NOW, never);
  const history = historyOf(store);
  const ann = await history.driver('ann', 9);
  expect(ann?.sessions).toHaveLength(1);
  expect(ann?.since).toBe(BLOCK);
  await rest();
  expect((await history.driver('ann', 9))?.since).toBe(EARLIER);
});

test('where no copy can be made, chunks stay as they are, and what is new is recorded', async () => {
  const { file } = fileOf(chunks);
  const store = opened(file);
  const time = new VirtualTime(NOW);
  const makeCopy = () => Promise.reject(new StoreError('the disk is full'));
  const facts: { -readonly [Fact in keyof Facts]: Facts[Fact] } = { ...noFacts };
  let changed = (): void => {};
  const poll = {
    facts,
    isReady: () => true,
    hurry() {},
    watch(_kinds: unknown, listener: () => void) {
      changed = listener;
      return () => {};
    },
  };
  const errors: unknown[] = [];
  const log = { ...createLog({ level: 'silent', secrets: [] }), error: (told: unknown) => errors.push(told) };
  const resources = new AsyncDisposableStack();
  startRecorder(
    {
      history: { ...store, earlier: { hasTables: true, makeCopy } },
      ...{ isHidden: () => false, isLinked: () => false, holds: () => true },
      lookUps: { observed() {}, take: () => null, written() {} },
      dataService: { poll, observations: createListeners() },
    },
    { clock: time.clock, log, resources },
  );
  for (let reading = 0; reading < 30; reading += 1) {
    await time.pass(10_000);
    facts.live = { ...facts.live, one: { record: liveFile(), asOf: time.clock.now() } };
    changed();
  }
  await time.until(resources.disposeAsync());
  expect(errors).toHaveLength(1);
  expect(await left(store)).toBe(chunks.length);
  const { points } = await historyOf(store).counts('one', { from: NOW, to: NOW + HOUR });
  expect(points.length).toBeGreaterThan(2);
});

test('a chunk that cannot be read counts as empty', async () => {
  const { file } = fileOf(chunks.map(([kind, key, start]) => [kind, key, start, '[["Ann'] as const));
  const store = opened(file);
  await convert(store);
  expect(await left(store)).toBe(0);
  expect(await historyOf(store).driver('ann', 9)).toBeNull();
});

test('no byte of a forgotten driver is left in chunks, of a copy too', async () => {
  const broken: Chunk = ['figures', '', BLOCK + 2 * DAY, '[["Ann'];
  const { file, folder } = fileOf([...chunks, broken]);
  const copy = join(folder, 'pitwall.2026-01-01T00-00-00Z.history.sqlite');
  copyFileSync(file, copy);
  const store = opened(file);
  // Killed in between: some of it is rows already.
  await convertNewest(store, NOW, never);
  const forget = createForgetDriver({
    store,
    copies: () => [{ name: 'the copy', open: () => openSqliteHistory(copy) }],
    unreached: (_name, error) => expect.unreachable(String(error)),
    deleted() {},
  });
  expect(await forget('ANN')).toEqual([]);
  for (const path of [file, copy]) expect(readFileSync(path, 'latin1')).not.toMatch(/ann\b/i);
  const restored = opened(copy);
  await convert(restored);
  expect(await historyOf(restored).driver('ann', 9)).toBeNull();
  expect((await historyOf(restored).driver('ben', 9))?.sessions).toHaveLength(1);
});
