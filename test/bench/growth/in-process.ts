/** What parts of the bot cost by themselves, in this process. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Keyv from 'keyv';
import { systemClock } from '../../../src/base/clock.ts';
import { SECOND } from '../../../src/base/duration.ts';
import { openRecentNames } from '../../../src/command-kit/names/recent-names.ts';
import { createGuildDrivers } from '../../../src/community/accounts/guild-drivers.ts';
import { drivers, people } from '../../../src/community/accounts/people.ts';
import { allCoverage, createQuestions } from '../../../src/community/history/questions.ts';
import { changeDocuments } from '../../../src/store/change.ts';
import { openDatabase } from '../../../src/store/sqlite/database.ts';
import { storeFormat } from '../../../src/store/sqlite/format.ts';
import { openSqliteHistory } from '../../../src/store/sqlite/history.ts';
import { prepareFile } from '../../../src/store/sqlite/prepare-file.ts';
import { createSqliteSql } from '../../../src/store/sqlite/sql.ts';
import { createEntries } from '../../../src/store/tables/entries.ts';
import { driverName } from '../../community/history/support/community.ts';
import { sqlitePlace } from '../../store/support.ts';
import { costOf } from '../cost.ts';
import type { Costs } from './growing.ts';

const MiB = 1024 * 1024;
const DAY = 24 * 3600 * SECOND;
/** In ms. */
const LONG = 80;
const OFTEN = 512;

/** Processor time of one time of many, in ms: the system counts it in steps of some ms. */
export async function each(work: (time: number) => unknown): Promise<number> {
  let done = 0;
  for (let times = 1; ; times *= 2) {
    const { cpu } = await costOf(async () => {
      for (const end = done + times; done < end; done += 1) await work(done);
    });
    if (cpu >= LONG || times >= OFTEN) return cpu / times;
  }
}

/** As suggestions know them. */
export async function names(count: number): Promise<Costs> {
  const store = new Keyv();
  const options = { now: Date.now, failed, limits: { names: count, characters: Number.MAX_SAFE_INTEGER } };
  const recentNames = await openRecentNames(store, options);
  const players = Array.from({ length: count }, (_, index) => `Driver_${(index * 7919) % 1_000_003}`);
  const before = heapUsed();
  const learning = await costOf(() => recentNames.learn({ players, vins: [] }, 0));
  const memory = heapUsed() - before;
  const search = await each((time) => recentNames.players(`driver_${time % 100}`));
  const inside = await each((time) => recentNames.players(`r_${time % 1000}`));
  const near = await each((time) => recentNames.playersNear(`Drvier_${time}`));
  const saving = await costOf(recentNames.save);
  const reading = await costOf(() => openRecentNames(store, options));
  return {
    'MiB of heap': memory / MiB,
    'CPU ms to learn them': learning.cpu,
    'CPU ms, a beginning': search,
    'CPU ms, a middle': inside,
    'CPU ms, a slip': near,
    'CPU ms to save them': saving.cpu,
    'ms at once of it': saving.block,
    'CPU ms to read them': reading.cpu,
  };
}

/** People who have linked a driver, where each is a member; then one of them links another one. */
export async function links(count: number): Promise<Costs> {
  const place = await sqlitePlace();
  const store = await place.open();
  const person = (index: number): string => `${281_474_976_710_000 + index}`;
  const since = Date.UTC(2026, 1, 1);
  await changeDocuments(store.documents, async (transaction) => {
    for (let index = 0; index < count; index += 1) {
      const [id, username] = [person(index), `driver ${index}`];
      const link = { username, since, hidden: false, unwatched: false, proved: since };
      await transaction.read(people, id);
      transaction.write(people, id, { link, corrections: {}, timeZone: null });
      await transaction.read(drivers, username);
      transaction.write(drivers, username, { owner: id, corrected: {} });
    }
  });
  const known = createGuildDrivers(store.documents, () => false);
  const first = await costOf(() => known.in('1'));
  const linking = await each((time) =>
    store.links.set(person(time % count), { username: `other ${time}`, since: since + time }),
  );
  const later = await each(async (time) => {
    await store.links.set(person(time % count), { username: `another ${time}`, since: since + time });
    await known.in('1');
  });
  await place.end();
  return {
    'CPU ms, all read': first.cpu,
    'CPU ms a new link': linking,
    'CPU ms, all after a new link': later,
  };
}

/** The cache of answers, up to a store of so many MiB. */
export async function store(size: number): Promise<Costs> {
  const answer = 'x'.repeat(50_000);
  const folder = mkdtempSync(join(tmpdir(), 'pitwall-bench-'));
  const file = join(folder, 'store.sqlite');
  const format = storeFormat('');
  prepareFile(file, format).close();
  const database = openDatabase(file, { durable: false });
  const adapter = createEntries(createSqliteSql(database, systemClock), 'answers', {
    maxRows: 5000,
    maxBytes: size * MiB,
  });
  const write = (index: number) => adapter.set(`${index}`, answer, DAY);
  for (let index = 0; index * answer.length < size * MiB; index += 1) await write(index);
  // It is full, so that many of these evict.
  const writing = await each((index) => write(index + 10_000));
  database.close();
  const opening = await each(() => prepareFile(file, format).close());
  rmSync(folder, { recursive: true });
  return { 'CPU ms to write it anew': (writing * size * MiB) / answer.length, 'CPU ms to open it': opening };
}

/** A year of so many sessions: some of what commands ask of it. */
export async function sessions(count: number): Promise<Costs> {
  const folder = mkdtempSync(join(tmpdir(), 'pitwall-bench-'));
  const file = join(folder, 'history.sqlite');
  const script = join(import.meta.dirname, 'write-year.ts');
  // In a process of its own, whose heap holds a million of them.
  execFileSync(process.execPath, ['--max-old-space-size=8192', script, `${count}`, file]);
  const bytes = statSync(file).size;
  const store = openSqliteHistory(file);
  const now = Date.UTC(2026, 2, 5, 21, 0, 7);
  const history = createQuestions({
    store,
    clock: { now: () => now },
    isHidden: () => false,
    coverage: allCoverage,
  });
  const questions: Readonly<Record<string, (time: number) => Promise<unknown>>> = {
    '/history of 30 days': () => history.counts('all', { from: now - 30 * DAY, to: now }),
    '/busy': () => history.week('all', 'Europe/Berlin'),
    '/seen': (time) => history.driver(driverName(time), 10),
    '/top of a month': () => history.top('playtime', 'month'),
  };
  const costs: Record<string, number> = { 'MiB of the file': bytes / MiB };
  for (const [question, ask] of Object.entries(questions)) {
    costs[`CPU ms, ${question}`] = await each(ask);
    costs[`ms at once, ${question}`] = (await costOf(() => ask(0))).block;
  }
  store.close();
  rmSync(folder, { recursive: true });
  return costs;
}

function heapUsed(): number {
  // Twice: what the first one finds out of use may have held more.
  globalThis.gc?.();
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

function failed(error: unknown): never {
  throw error;
}
