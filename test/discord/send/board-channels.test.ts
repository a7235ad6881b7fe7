import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { createLog } from '../../../src/base/log.ts';
import { createConnection } from '../../../src/discord/connection.ts';
import { createBoardChannels } from '../../../src/discord/send/board-channels.ts';
import { listenOnFreePort } from '../../support/listen.ts';

/** What is answered first; anything after it is taken. */
interface First {
  readonly status: number;
  readonly body: string;
  readonly type?: string;
}

/** An address that answers so, and the tokens that it has been asked with. */
async function discord({ status, body, type = 'application/json' }: First) {
  const tokens: (string | undefined)[] = [];
  const server = createServer(({ headers }, answer) => {
    tokens.push(headers.authorization);
    if (tokens.length === 1) answer.writeHead(status, { 'Content-Type': type }).end(body);
    else answer.writeHead(200, { 'Content-Type': 'application/json' }).end('{"id":"1"}');
  });
  const port = await listenOnFreePort(server);
  onTestFinished(() => void server.close());
  return { tokens, apiUrl: `http://127.0.0.1:${port}/api` };
}

const unauthorised: First = { status: 401, body: '{"code":0,"message":"401: Unauthorized"}' };
const place = { channelId: '7', messageId: '8' };
const message = { embeds: [{ title: 'x' }], components: [] } as const;

function boardChat(apiUrl: string): ReturnType<typeof createBoardChannels> {
  const log = createLog({ level: 'silent', secrets: [] });
  const guilds = createConnection({ token: 'secret', apiUrl, log });
  onTestFinished(() => guilds.close());
  return createBoardChannels({ guilds, token: 'secret', apiUrl });
}

test('a 401 to one request does not silence the next one', async () => {
  const { tokens, apiUrl } = await discord(unauthorised);
  const chat = boardChat(apiUrl);
  expect(await chat.edit(place, message)).toEqual({ kind: 'too-fast', retryAfter: 15_000, counted: true });
  expect(await chat.edit(place, message)).toEqual({ kind: 'ok' });
  expect(tokens).toEqual(['Bot secret', 'Bot secret']);
});

test('a topic that may not be read is refused as that, and nothing is written', async () => {
  const { tokens, apiUrl } = await discord({
    status: 403,
    body: '{"code":50001,"message":"Missing Access"}',
  });
  const chat = boardChat(apiUrl);
  expect(await chat.changeTopic('7', () => expect.unreachable())).toEqual({ kind: 'forbidden' });
  expect(tokens).toHaveLength(1);
});

test('nor does it silence the rest of the bot', async () => {
  const { tokens, apiUrl } = await discord(unauthorised);
  const log = createLog({ level: 'silent', secrets: [] });
  const connection = createConnection({ token: 'secret', apiUrl, log });
  await expect(connection.rest.get('/users/@me')).rejects.toMatchObject({ status: 401 });
  await new Promise(setImmediate);
  expect(await connection.rest.get('/users/@me')).toEqual({ id: '1' });
  expect(tokens).toEqual(['Bot secret', 'Bot secret']);
  await connection.close();
});

test.for<[First, object]>([
  [
    { status: 403, body: '<html>', type: 'text/html' },
    { kind: 'too-fast', counted: true },
  ],
  [{ status: 404, body: '<html>', type: 'text/html' }, { kind: 'lost' }],
  [
    { status: 403, body: '', type: 'text/plain' },
    { kind: 'too-fast', counted: true },
  ],
  [{ status: 403, body: '{"code":50001,"message":"Missing Access"}' }, { kind: 'forbidden' }],
  [{ status: 403, body: '{"code":60003,"message":"Two factor is required"}' }, { kind: 'two-factor' }],
  [{ status: 404, body: '{"code":10008,"message":"Unknown Message"}' }, { kind: 'unknown-message' }],
  ...[200_000, 200_001, 240_000].map((code): [First, object] => [
    { status: 400, body: `{"code":${code},"message":"Blocked"}` },
    { kind: 'blocked', why: `400, code ${code}` },
  ]),
  ...[20_028, 30_038, 40_062].map((code): [First, object] => [
    { status: 400, body: `{"code":${code},"message":"Later"}` },
    { kind: 'too-fast', retryAfter: 15_000, counted: false },
  ]),
])('only Discord itself says what a board may do: %j', async ([first, refusal]) => {
  const { apiUrl } = await discord(first);
  expect(await boardChat(apiUrl).edit(place, message)).toMatchObject(refusal);
});
