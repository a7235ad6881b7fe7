import { expect, test } from 'vitest';
import { withRequestCount } from '../../../src/discord/rest/make-request.ts';
import { createRequestCount } from '../../../src/discord/rest/request-count.ts';
import { VirtualTime } from '../../sim/virtual-time.ts';

const SECOND = 1000;
const refused = new Error('404');
const lost = new Error('ECONNRESET');

function counting() {
  const time = new VirtualTime(0);
  return { time, count: createRequestCount(time.clock) };
}

test('a request counts while it is under way and for a second after its answer', async () => {
  const { time, count } = counting();
  const { promise, resolve } = Promise.withResolvers<string>();
  const asked = count.during(() => promise);
  await time.pass(5 * SECOND);
  expect(count.now()).toBe(1);
  resolve('answer');
  expect(await asked).toBe('answer');
  await time.pass(999);
  expect(count.now()).toBe(1);
  await time.pass(1);
  expect(count.now()).toBe(0);
});

test.for([
  ['that is refused as long as one that is answered', refused, SECOND],
  ['without an answer for longer, since it may arrive together with later ones', lost, 10 * SECOND],
] as const)('one counts %s', async ([, error, counts]) => {
  const { time, count } = counting();
  const asked = count.during(() => Promise.reject(error), {
    refusalOf: (thrown) => (thrown === refused ? 404 : null),
  });
  await expect(asked).rejects.toBe(error);
  await time.pass(counts - 1);
  expect(count.now()).toBe(1);
  await time.pass(1);
  expect(count.now()).toBe(0);
});

test('each request is counted by how it ended', async () => {
  const { clock } = new VirtualTime(0);
  const ended: string[] = [];
  const count = createRequestCount(clock, (result) => ended.push(result));
  for (const status of [200, 204, 401, 403, 404, 429, 502])
    await count.during(async () => status, { statusOf: (answer) => answer });
  await count.during(() => Promise.reject(lost)).catch(() => {});
  expect(ended).toEqual(['ok', 'ok', 'unauthorised', 'refused', 'refused', 'limited', 'failed', 'lost']);
  expect(count.results.get('refused')).toBe(2);
});

test('answers to interactions do not count', async () => {
  const { count } = counting();
  const makeRequest = withRequestCount(() => new Promise(() => {}), count);
  void makeRequest('https://discord.com/api/v10/interactions/123/token/callback', {});
  void makeRequest('https://discord.com/api/v10/webhooks/123/token/messages/@original', {});
  expect(count.now()).toBe(0);
  void makeRequest('https://discord.com/api/v10/channels/123/messages', {});
  expect(count.now()).toBe(1);
});
