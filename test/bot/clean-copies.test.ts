/** The process that deletes people from the copies of the store, and what becomes of its answers. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { cleanCopies } from '../../src/bot/clean-copies.ts';

const ANNA = '281474976710657001';

function clean(name: string, signal = new AbortController().signal) {
  const logged: { copy: string }[] = [];
  const log = { error: (line: { copy: string }) => void logged.push(line) };
  const cleaner = new URL(`./support/cleaners/${name}.ts`, import.meta.url);
  const done = cleanCopies(
    { copies: ['one', 'two'], ids: [ANNA] },
    { cleaner, log: z.any().parse(log), signal },
  );
  return { done, logged };
}

test('gets the ids in no argument, and nothing of the environment: no token, no key', async () => {
  const { done, logged } = clean('environment');
  await done;
  const got = JSON.parse(logged[0]?.copy ?? '');
  // Node itself names the channel to its parent.
  const own = ['NODE_CHANNEL_FD', 'NODE_CHANNEL_SERIALIZATION_MODE', 'NODE_UNIQUE_ID'];
  expect(got.environment.filter((name: string) => !own.includes(name))).toEqual([]);
  expect(got).toMatchObject({ arguments: [], count: [2, 1] });
});

test('rejects where a copy may be reached later, names it, and where the process ends', async () => {
  const busy = clean('busy');
  await expect(busy.done).rejects.toThrow('cannot be changed now');
  expect(busy.logged).toMatchObject([{ copy: 'busy' }]);
  await expect(clean('dead').done).rejects.toThrow('ended');
});

test('ends with the bot', async () => {
  const stopping = new AbortController();
  const { done } = clean('environment', stopping.signal);
  stopping.abort();
  await expect(done).rejects.toThrow();
});

test('starts no process where there is no copy', async () => {
  const signal = AbortSignal.abort();
  const cleaner = new URL('file:///nowhere');
  await cleanCopies({ copies: [], ids: [ANNA] }, { cleaner, log: z.any().parse({}), signal });
});
