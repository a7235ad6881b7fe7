/**
 * What a picture costs: time until the first one and for each, its bytes, how long other work waits, and memory of the
 * bot's process and of the one that draws.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { systemClock as clock } from '../../src/base/clock.ts';
import { createLog } from '../../src/base/log.ts';
import type { Chart } from '../../src/pictures/chart.ts';
import { createPictures } from '../../src/pictures/pictures.ts';
import { polishWeek, weekOfLines } from '../pictures/support/charts.ts';

const PICTURES = 20;
const painter = new URL('../../src/pictures/painter.ts', import.meta.url);
const log = createLog({ level: 'warn', secrets: [] });

/** Megabytes of one process that no other has (Linux). */
function privateMemory(pid: number | string): string {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const kilobytes = [...text.matchAll(/^Private_\w+:\s+(\d+)/gm)].reduce(
    (sum, [, each]) => sum + Number(each),
    0,
  );
  return `${(kilobytes / 1024).toFixed(0)} MB`;
}

function children(): readonly string[] {
  const own = `/proc/${process.pid}/task`;
  return readdirSync(own).flatMap((thread) =>
    readFileSync(`${own}/${thread}/children`, 'utf8').split(' ').filter(Boolean),
  );
}

async function timed<T>(work: () => Promise<T>): Promise<{ readonly ms: number; readonly result: T }> {
  const begun = performance.now();
  const result = await work();
  return { ms: performance.now() - begun, result };
}

const memoryBefore = privateMemory('self');
const pictures = createPictures({ painter, clock, log });
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
for (const [name, chart] of [
  ['lines', weekOfLines()],
  ['heat map', polishWeek()],
] satisfies [string, Chart][]) {
  const first = await timed(() => pictures.draw(chart));
  const many = await timed(async () => {
    for (let count = 0; count < PICTURES; count += 1) await pictures.draw(chart);
  });
  if (first.result === null) throw new Error('no picture was drawn');
  const [begin, each] = [first.ms, many.ms / PICTURES].map((ms) => `${ms.toFixed(0)} ms`);
  console.log(`${name}: ${first.result.length} bytes; first ${begin}, then ${each} each`);
}
delay.disable();
const [child = ''] = children();
console.log(`other work waited at most ${(delay.max / 1e6).toFixed(0)} ms`);
console.log(
  `memory: bot ${memoryBefore} before, ${privateMemory('self')} while it draws; drawing process ${privateMemory(child)}`,
);
pictures.close();
