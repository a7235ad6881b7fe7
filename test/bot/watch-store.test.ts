import { expect, test } from 'vitest';
import { StoreError } from '../../src/base/errors.ts';
import { createLog } from '../../src/base/log.ts';
import { watchStore } from '../../src/bot/watch-store.ts';
import { createManualClock } from '../support/manual-clock.ts';

test('reports a store that takes nothing new within 15 seconds, once, and its return', async () => {
  const clock = createManualClock();
  const lines: string[] = [];
  const log = createLog({ level: 'info', secrets: [], stream: { write: (line) => lines.push(line) } });
  await using resources = new AsyncDisposableStack();
  let full = false;
  const checkWrites = async (): Promise<void> => {
    if (full) throw new StoreError('the disk of the store is full', { trouble: 'full' });
  };
  const health = watchStore({ checkWrites, historyTrouble: null }, { clock, log, resources });
  const quarterMinute = async (): Promise<void> => {
    await clock.timer(15_000);
    clock.pass(15_000);
    await new Promise((resolve) => setImmediate(resolve));
  };
  await quarterMinute();
  expect(health()).toEqual({ writes: null, history: null });
  full = true;
  await quarterMinute();
  expect(health().writes).toBe('the disk of the store is full');
  await quarterMinute();
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/"level":"error".*the disk of the store is full.*"msg":"nothing can be stored"/);
  full = false;
  await quarterMinute();
  expect(health().writes).toBeNull();
  expect(lines).toHaveLength(2);
});
