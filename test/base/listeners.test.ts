import { expect, test } from 'vitest';
import { createListeners } from '../../src/base/listeners.ts';

test('a failing listener stops neither the caller nor another one, and is told once', async () => {
  const event = createListeners<[number]>();
  const [heard, failures]: [number[], unknown[]] = [[], []];
  const report = (error: unknown): void => void failures.push(error);
  event.listen(() => {
    throw new Error('at once');
  }, report);
  event.listen(async () => {
    await null;
    throw new Error('later');
  }, report);
  const rest = event.listen((value) => void heard.push(value), report);
  await event.call(1);
  await event.call(2);
  rest();
  await event.call(3);
  expect(heard).toEqual([1, 2]);
  expect(failures.map(String)).toEqual(['Error: at once', 'Error: later']);
});

test('resolves when the last listener is done', async () => {
  const event = createListeners<[]>();
  const done: string[] = [];
  event.listen(async () => {
    await null;
    done.push('slow');
  });
  event.listen(() => void done.push('quick'));
  await event.call();
  expect(done).toEqual(['quick', 'slow']);
});
