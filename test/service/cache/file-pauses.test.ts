/** How long the keyless files wait when their server asks for it: over the real transport, polled every two seconds. */
import Keyv from 'keyv';
import { MockAgent } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { createCache } from '../../../src/service/cache/cache.ts';
import { createClient } from '../../../src/service/client.ts';
import { live } from '../../../src/service/endpoints.ts';
import { createTransport } from '../../../src/service/transport/transport.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { key, places } from '../loopback.ts';

const url = 'https://data.example';
const POLL_EVERY_S = 2;
const MINUTE_S = 60;

/** The seconds of half an hour at which a file is requested. */
async function requestTimes(status: number, headers: Readonly<Record<string, string>>) {
  const agent = new MockAgent();
  onTestFinished(() => agent.close());
  agent.disableNetConnect();
  const clock = createManualClock();
  clock.pass(Date.UTC(2026, 10, 28));
  const begun = clock.now();
  const times: number[] = [];
  agent
    .get(url)
    .intercept({ path: () => true })
    .reply(() => {
      times.push((clock.now() - begun) / 1000);
      return { statusCode: status, data: '', responseOptions: { headers } };
    })
    .persist();
  const { layer } = createTransport({ url, key, dispatcher: agent, clock });
  const cached = createCache({ keyv: new Keyv({ throwOnErrors: true }), shared: false, clock })(layer);
  const { get } = createClient({ layer: cached, places });
  for (let second = 0; second < 30 * MINUTE_S; second += POLL_EVERY_S) {
    await expect(get(live, { server: 'one' }, { priority: 'background' })).rejects.toThrow();
    clock.pass(POLL_EVERY_S * 1000);
  }
  return times;
}

const at = (second: number): string => new Date(Date.UTC(2026, 10, 28) + second * 1000).toUTCString();

test.each([
  ['429 with seconds', 429, { 'retry-after': '120' }, 120],
  ['429 with a date', 429, { date: at(0), 'retry-after': at(300) }, 300],
  ['503 with seconds', 503, { 'retry-after': '120' }, 120],
  ['429 with a day', 429, { 'retry-after': '86400' }, 600],
  ['429 with a date in the past', 429, { date: at(0), 'retry-after': at(-300) }, 60],
  [
    '429 with a date that no calendar has',
    429,
    { date: at(0), 'retry-after': 'Tue, 31 Nov 2026 00:00:00 GMT' },
    60,
  ],
  ['429 with nonsense', 429, { 'retry-after': 'soon' }, 60],
  ['429 with less than nothing', 429, { 'retry-after': '-5' }, 60],
  ['429 with nothing', 429, {}, 60],
] as const)('a file that answers %s is requested again after that, ten minutes at most', async (...row) => {
  const [, status, headers, seconds] = row;
  const times = await requestTimes(status, headers);
  expect(times).toEqual(Array.from({ length: 1800 / seconds }, (_, turn) => turn * seconds));
});

test('a file that only fails is requested at each poll', async () => {
  expect(await requestTimes(503, {})).toHaveLength(900);
});
