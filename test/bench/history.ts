/**
 * A year of counts and 100 000 sessions in the history: how large the file is, and how long each question takes of the
 * 20 ms that it may: `npm run bench -- history`.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createQuestions } from '../../src/history/questions.ts';
import { createPast, seenPast } from '../../src/sandbox/service/world/past.ts';
import type { History } from '../../src/service/models/history.ts';
import { historyFile } from '../../src/store/sqlite/copies.ts';
import { openSqliteHistoryChunks } from '../../src/store/sqlite/history-chunks.ts';
import { writePast } from '../../src/tools/demo/write-past.ts';

const DAY = 24 * 3600_000;
const UNTIL = Date.UTC(2026, 2, 5, 21);
const SINCE = UNTIL - 365 * DAY;
const MB = 1024 * 1024;
const DRIVERS = 520;
const TIMES = 50;
/** In ms. */
const LIMIT = 20;

const drivers = Array.from({ length: DRIVERS }, (_driver, index) => `driver ${index}`);
const someone = { joined: SINCE, keenness: 0.4, rolesAt: () => ['civil', 'cop'] as const };
const { visits } = createPast(
  1,
  drivers.map(() => someone),
  SINCE,
  UNTIL,
);
const past = seenPast(visits, drivers, { seed: 1, since: SINCE, until: UNTIL });
const figures = {
  money: 1e6,
  driven_distance: 1e9,
  chases_won_cop: 5000,
  chases_won_robber: 5000,
  gaming_time_total: 1e8,
  gaming_time_cop: 1e7,
};

const folder = mkdtempSync(join(tmpdir(), 'pitwall-bench-'));
const store = join(folder, 'pitwall.sqlite');
const begun = performance.now();
await writePast(store, {
  ...{ past, offers: [], since: SINCE, until: UNTIL },
  records: drivers.map((username) => ({ username, joined: SINCE, figures })),
});
const written = performance.now() - begun;
const file = historyFile(store);
const bytes = statSync(file).size;
console.log(
  `${past.stays.length} sessions of ${DRIVERS} drivers: ${(bytes / MB).toFixed(1)} MB, written in ${written.toFixed(0)} ms`,
);

const chunks = openSqliteHistoryChunks(file);
const history = createQuestions({ chunks, clock: { now: () => UNTIL }, isHidden: () => false });
const counts = (days: number) => () => history.counts('all', { from: UNTIL - days * DAY, to: UNTIL });
const driver = (index: number): string => drivers[index % DRIVERS] ?? '';
const questions: Readonly<Record<string, (index: number) => ReturnType<History[keyof History]>>> = {
  'counts of 24 hours': counts(1),
  'counts of 7 days': counts(7),
  'counts of 30 days': counts(30),
  'counts of a year': counts(365),
  'hours of the week': () => history.week('all', 'Europe/Berlin'),
  'the same in half hours': () => history.week('all', 'Asia/Kolkata'),
  'ten sessions of a driver': (index) => history.driver(driver(index), 10),
  'usual hours of a driver': (index) => history.usualHours(driver(index), 'Europe/Berlin'),
  'an earlier reading': (index) => history.earlierReading(driver(index)),
  'most playtime of a week': () => history.top('playtime', 'week'),
  'most playtime of all': () => history.top('playtime', 'all'),
  'most money of a month': () => history.top('money', 'month'),
  'most distance of all': () => history.top('distance', 'all'),
};
console.log('question                    first, ms   p50, ms   worst, ms   p50 of the limit');
for (const [question, ask] of Object.entries(questions)) {
  const times: number[] = [];
  for (let index = 0; index < TIMES; index += 1) {
    const asked = performance.now();
    await ask(index);
    times.push(performance.now() - asked);
  }
  const sorted = times.toSorted((a, b) => a - b);
  const median = sorted[Math.floor(TIMES / 2)] ?? Number.NaN;
  const cells = [times[0], median, sorted.at(-1)].map((ms, index) =>
    (ms ?? Number.NaN).toFixed(2).padStart([12, 10, 12][index] ?? 0),
  );
  console.log(`${question.padEnd(25)}${cells.join('')}${(median / LIMIT).toFixed(2).padStart(19)}`);
}
chunks.close();
rmSync(folder, { recursive: true });
