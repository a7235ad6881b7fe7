import { expect, test } from 'vitest';
import { ServiceError, StoreError } from '../../src/base/errors.ts';
import { createLog } from '../../src/base/log.ts';
import { watchStore } from '../../src/bot/watch-store.ts';
import { createManualClock } from '../support/manual-clock.ts';

const full = new StoreError('the disk of the store is full', { trouble: 'full' });

/** A store that is watched; `failures`: how many of the next writes fail. */
function watched(level: 'debug' | 'warn' = 'debug') {
  const clock = createManualClock();
  const lines: string[] = [];
  const log = createLog({ level, secrets: [], stream: { write: (line) => lines.push(line) } });
  const disk = { failures: 0 };
  const checkWrites = async (): Promise<void> => {
    disk.failures -= 1;
    if (disk.failures >= 0) throw full;
  };
  const resources = new AsyncDisposableStack();
  const watch = watchStore({ checkWrites, historyTrouble: null }, { clock, log, resources });
  const pass = async (ms: number): Promise<void> => {
    await clock.timer(ms);
    clock.pass(ms);
    await new Promise((resolve) => setImmediate(resolve));
  };
  /** The log since the last call: levels and messages. */
  const logged = () => lines.splice(0).map((line) => JSON.parse(line));
  return { ...watch, loud: log, disk, pass, logged };
}

test('reports a store that takes nothing new within 15 seconds, once, and its return', async () => {
  const { health, disk, pass, logged } = watched();
  await pass(15_000);
  expect(health()).toEqual({ writes: null, history: null });
  disk.failures = 4;
  for (const untilNext of [15_000, 14_000]) {
    await pass(untilNext);
    await pass(1000);
    expect(health().writes).toBe('the disk of the store is full');
  }
  const why = 'the disk of the store is full';
  expect(logged()).toMatchObject([{ level: 'error', msg: 'nothing can be stored', why }]);
  await pass(14_000);
  expect(health().writes).toBeNull();
  expect(logged()).toMatchObject([{ level: 'info', msg: 'what is new can be stored again' }]);
});

test('a store that is back within a second is no outage', async () => {
  const { health, disk, pass, logged } = watched();
  await pass(15_000);
  disk.failures = 1;
  await pass(15_000);
  await pass(1000);
  expect([health().writes, logged()]).toEqual([null, []]);
});

test('what fails by an outage is a debug line after that of the outage', async () => {
  const { log, disk, pass, logged } = watched();
  await pass(15_000);
  disk.failures = 9;
  log.error({ err: full }, 'roles failed');
  log.child({ id: '1' }).warn({ err: full }, 'store failed');
  const unstored = new ServiceError('store-away', { endpoint: 'profile', sent: 'no' });
  log.warn({ err: unstored }, 'the data service had no answer');
  log.error({ err: new TypeError('a bug') }, 'alerts failed');
  await pass(1000);
  await pass(1000);
  expect(logged()).toMatchObject([
    { level: 'error', msg: 'alerts failed' },
    { level: 'error', msg: 'nothing can be stored' },
    { level: 'debug', msg: 'roles failed' },
    { level: 'debug', msg: 'store failed', id: '1' },
    { level: 'debug', msg: 'the data service had no answer' },
  ]);
});

test('each line has the fields of its log, and of the logs that this one is a child of', async () => {
  const { log, logged } = watched();
  const answer = log.child({ id: '1' });
  answer.error({ err: new TypeError('a bug') }, 'bug');
  answer.child({ command: 'car' }).warn({ tries: 2 }, 'slow answer');
  answer.info({}, 'interaction');
  log.warn({}, 'alone');
  expect(logged()).toEqual([
    expect.objectContaining({ level: 'error', msg: 'bug', id: '1' }),
    expect.objectContaining({ level: 'warn', msg: 'slow answer', id: '1', command: 'car', tries: 2 }),
    expect.objectContaining({ level: 'info', msg: 'interaction', id: '1' }),
    expect.not.objectContaining({ id: '1' }),
  ]);
});

test('follows the level of the log that it is made from', async () => {
  const { log, loud, disk, pass, logged } = watched('warn');
  await pass(15_000);
  disk.failures = 9;
  const report = async (msg: string) => {
    log.warn({ err: full }, msg);
    await pass(1000);
    return logged().map((line) => line.msg);
  };
  expect(await report('quiet')).toEqual(['nothing can be stored']);
  loud.level = 'debug';
  expect(await report('shown')).toEqual(['shown']);
});

test('what fails as an outage ends is a debug line, too', async () => {
  const { log, health, disk, pass, logged } = watched();
  await pass(15_000);
  disk.failures = 2;
  await pass(15_000);
  await pass(1000);
  expect(health().writes).not.toBeNull();
  logged();
  log.error({ err: full }, 'roles failed');
  await new Promise((resolve) => setImmediate(resolve));
  expect(logged()).toMatchObject([
    { level: 'info', msg: 'what is new can be stored again' },
    { level: 'debug', msg: 'roles failed' },
  ]);
});

test('an error of the store without an outage keeps its level', async () => {
  const { log, pass, logged } = watched();
  await pass(15_000);
  log.warn({ err: new StoreError('another process has taken over') }, 'roles failed');
  await new Promise((resolve) => setImmediate(resolve));
  expect(logged()).toMatchObject([{ level: 'warn', msg: 'roles failed' }]);
});
