/**
 * The cost of a store of answers as it grows to its limit: time of a write, time of a start and space on the disk, by size:
 * `npm run bench -- store`.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../src/store/sqlite/database.ts';
import { storeFormat } from '../../src/store/sqlite/format.ts';
import { sqliteAdapter } from '../../src/store/sqlite/keyv-adapter.ts';
import { prepareFile } from '../../src/store/sqlite/prepare-file.ts';

const MB = 1024 * 1024;
/** A record of a large garage. */
const ANSWER = 'x'.repeat(50_000);
const format = storeFormat('');
const DAY = 24 * 3600_000;

console.log('limit, MB   write p50, ms   p99, ms   start, ms   on the disk, MB   memory, MB');
for (const limit of [10, 20, 40, 64]) {
  const folder = mkdtempSync(join(tmpdir(), 'pitwall-bench-'));
  const file = join(folder, 'store.sqlite');
  prepareFile(file, format).close();
  const before = process.memoryUsage().rss;
  const database = openDatabase(file, { durable: false });
  const adapter = sqliteAdapter(database, 'answers', { maxRows: 5000, maxBytes: limit * MB });
  const times: number[] = [];
  // Once over the limit and half of it again, so that most writes evict.
  for (let index = 0; index * ANSWER.length < limit * MB * 1.5; index += 1) {
    const begun = performance.now();
    await adapter.set(`${index}`, ANSWER, DAY);
    times.push(performance.now() - begun);
  }
  const memory = process.memoryUsage().rss - before;
  const bytes = ['', '-wal', '-shm'].reduce((sum, end) => sum + statSync(file + end).size, 0);
  database.close();
  const begun = performance.now();
  prepareFile(file, format).close();
  const start = performance.now() - begun;
  rmSync(folder, { recursive: true });
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.floor(sorted.length * share)] ?? Number.NaN).toFixed(2);
  console.log(
    `${String(limit).padStart(9)}${at(0.5).padStart(16)}${at(0.99).padStart(10)}${start.toFixed(0).padStart(12)}${(bytes / MB).toFixed(1).padStart(18)}${(memory / MB).toFixed(1).padStart(13)}`,
  );
}
