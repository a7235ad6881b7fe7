import { setImmediate as settled } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createMutex } from '../../src/base/mutex.ts';

test('work for one key waits for what came before it, and for nothing else', async () => {
  const inTurn = createMutex();
  const events: string[] = [];
  const first = Promise.withResolvers<void>();
  const one = inTurn('a', async () => {
    events.push('one begins');
    await first.promise;
    events.push('one ends');
    return 1;
  });
  const two = inTurn('a', async () => {
    events.push('two');
    return 2;
  });
  await inTurn('b', async () => void events.push('other key'));
  await settled();
  expect(events).toEqual(['one begins', 'other key']);
  first.resolve();
  expect([await one, await two]).toEqual([1, 2]);
  expect(events).toEqual(['one begins', 'other key', 'one ends', 'two']);
});

test('work that comes when the first has ended waits for the second', async () => {
  const inTurn = createMutex();
  const events: string[] = [];
  const second = Promise.withResolvers<void>();
  const one = inTurn('a', async () => {});
  const two = inTurn('a', () => second.promise.then(() => void events.push('two')));
  await one;
  const three = inTurn('a', async () => void events.push('three'));
  await settled();
  second.resolve();
  await Promise.all([two, three]);
  expect(events).toEqual(['two', 'three']);
});

test('a failure is that of its caller alone', async () => {
  const inTurn = createMutex();
  const why = new Error('away');
  const failing = inTurn('a', () => Promise.reject(why));
  const next = inTurn('a', async () => 'done');
  await expect(failing).rejects.toBe(why);
  expect(await next).toBe('done');
});
