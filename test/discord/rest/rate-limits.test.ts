import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { RateLimitError, REST } from 'discord.js';
import { test as base, describe, expect } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { createMakeRequest } from '../../../src/discord/rest/make-request.ts';
import { createRequestCount } from '../../../src/discord/rest/request-count.ts';
import { createRestOnce } from '../../../src/discord/rest/rest-once.ts';
import { listenOnFreePort } from '../../support/listen.ts';

type Headers = Readonly<Record<string, string>>;

interface Discord {
  readonly origin: string;
  /** What every request gets. */
  answer: { status: number; headers: Headers };
  requests: number;
}

const test = base.extend<{ readonly discord: Discord }>({
  discord: async ({ task: _ }, use) => {
    const http = createServer((_request: IncomingMessage, response: ServerResponse) => {
      discord.requests += 1;
      response.writeHead(discord.answer.status, {
        'Content-Type': 'application/json',
        ...discord.answer.headers,
      });
      response.end('{}');
    });
    const port = await listenOnFreePort(http);
    const discord: Discord = {
      origin: `http://127.0.0.1:${port}`,
      answer: { status: 429, headers: {} },
      requests: 0,
    };
    await use(discord);
    http.closeAllConnections();
    http.close();
  },
});

const restOnce = ({ origin }: Discord) =>
  createRestOnce({
    token: 'token',
    apiUrl: origin,
    timeoutMs: 5000,
    requests: createRequestCount(systemClock),
  });

/** How long the library would wait after each of these requests, in ms; null: it got an answer. */
async function waits(discord: Discord, asked: readonly Asked[]): Promise<readonly (number | null)[]> {
  const all: (number | null)[] = [];
  // They live as long as the bot does; each library of its own would wait for the first refusal.
  const makeRequest = createMakeRequest(discord.origin);
  for (const [method, route] of asked) {
    const rest = new REST({ api: discord.origin, makeRequest, rejectOnRateLimit: () => true, retries: 0 });
    try {
      await rest[method](route, { auth: false });
      all.push(null);
    } catch (error) {
      if (!(error instanceof RateLimitError)) throw error;
      all.push(error.retryAfter);
    }
  }
  return all;
}

type Asked = readonly ['post' | 'patch', `/${string}`];

const CALLBACK: Asked = ['post', '/interactions/100000000000000001/token/callback'];
const EDIT: Asked = ['patch', '/webhooks/100000000000000001/token/messages/@original'];
const BOARD: Asked = ['patch', '/channels/100000000000000001/messages/100000000000000002'];

const unusable: readonly Headers[] = [
  {},
  ...['', '0', '0.000', '-5', 'NaN', 'Infinity', '1e400', '0x10', 'soon', '9'.repeat(30)].map((value) => ({
    'Retry-After': value,
  })),
  { 'Retry-After': 'Wed, 21 Oct 2026 07:28:00 GMT' },
];

describe('a 429 that says no wait', () => {
  test.for(
    [CALLBACK, EDIT, BOARD].flatMap((asked) =>
      unusable.flatMap((headers) => [
        [asked, headers] as const,
        [asked, { ...headers, 'X-RateLimit-Global': 'true' }] as const,
        [asked, { ...headers, 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset-After': '0' }] as const,
        [asked, { ...headers, 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset-After': '1e400' }] as const,
      ]),
    ),
  )('is waited for a second, then for two, then for four: %j', async ([asked, headers], { discord }) => {
    discord.answer = { status: 429, headers };
    const waited = await waits(discord, [asked, asked, asked]);
    for (const [index, wait] of waited.entries()) {
      // The library adds 50 ms, and counts some waits from the arrival of the headers.
      expect(wait).toBeGreaterThan(1000 * 2 ** index - 50);
      expect(wait).toBeLessThanOrEqual(1000 * 2 ** index + 100);
    }
  });

  test('on the edit of a board holds it for seconds, whatever else the answer says', async ({ discord }) => {
    const rest = restOnce(discord);
    discord.answer = {
      status: 429,
      headers: { 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset-After': '1e400' },
    };
    const refused = await rest(...BOARD);
    expect(refused).toMatchObject({ kind: 'too-fast', counted: true });
    expect(refused.kind === 'too-fast' && refused.retryAfter).toBeLessThan(1100);
  });
});

test('an answer whose limit ends never is the last one for no time at all', async ({ discord }) => {
  discord.answer = {
    status: 200,
    headers: { 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset-After': '1e400' },
  };
  const rest = restOnce(discord);
  for (let edit = 0; edit < 3; edit += 1) expect(await rest(...BOARD)).toMatchObject({ kind: 'answered' });
  expect(discord.requests).toBe(3);
});

describe('the wait', () => {
  /** The headers that a REST client reads of the answer to a request. */
  async function read(
    makeRequest: ReturnType<typeof createMakeRequest>,
    discord: Discord,
    answer: Discord['answer'],
    path = '/a',
  ) {
    discord.answer = answer;
    const { headers } = await makeRequest(discord.origin + path, { method: 'PATCH' });
    return [headers.get('Retry-After'), headers.get('X-RateLimit-Reset-After')];
  }

  test('that Discord names is kept, up to a day, and no shorter than a second', async ({ discord }) => {
    const told = (retry: string, reset?: string) =>
      read(createMakeRequest(discord.origin), discord, {
        status: 429,
        headers: {
          'Retry-After': retry,
          ...(reset === undefined ? {} : { 'X-RateLimit-Reset-After': reset }),
        },
      });
    expect(await told('7')).toEqual(['7', null]);
    expect(await told('86400')).toEqual(['86400', null]);
    expect(await told('86401')).toEqual(['1', null]);
    expect(await told('0.3', '0.25')).toEqual(['1', '1']);
    expect(await told('3', '2.75')).toEqual(['3', '2.75']);
    expect(await told('0', '2.75')).toEqual(['2.75', '2.75']);
  });

  test('doubles up to a minute while only 429s come, each request for itself', async ({ discord }) => {
    const makeRequest = createMakeRequest(discord.origin);
    const refusal = { status: 429, headers: {} };
    for (const wait of ['1', '2', '4', '8', '16', '32', '60', '60'])
      expect(await read(makeRequest, discord, refusal)).toEqual([wait, null]);
    expect(await read(makeRequest, discord, refusal, '/b')).toEqual(['1', null]);
    await read(makeRequest, discord, { status: 200, headers: {} });
    expect(await read(makeRequest, discord, refusal)).toEqual(['1', null]);
  });

  test('forgets the request refused longest ago, once a thousand others were refused', async ({
    discord,
  }) => {
    const makeRequest = createMakeRequest(discord.origin);
    const refusal = { status: 429, headers: {} };
    await read(makeRequest, discord, refusal);
    for (let other = 0; other < 1000; other += 1)
      await read(makeRequest, discord, refusal, `/others/${other}`);
    expect(await read(makeRequest, discord, refusal)).toEqual(['1', null]);
  });

  test('of an answer that is no 429 is its limit alone', async ({ discord }) => {
    const headers = { 'Retry-After': '5', 'X-RateLimit-Reset-After': '5' };
    const makeRequest = createMakeRequest(discord.origin);
    expect(await read(makeRequest, discord, { status: 503, headers })).toEqual([null, '5']);
  });
});
