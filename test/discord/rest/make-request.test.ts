import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { DefaultRestOptions, DiscordAPIError, REST, type ResponseLike } from 'discord.js';
import { test as base, expect } from 'vitest';
import { createMakeRequest } from '../../../src/discord/rest/make-request.ts';
import { listenOnFreePort } from '../../support/listen.ts';

interface Stage {
  /** The origin of a server that answers as the test says, and the requests that it got. */
  readonly server: { origin: string; answer: (socket: Socket, request: string) => void; requests: string[] };
}

const test = base.extend<Stage>({
  server: async ({ task: _ }, use) => {
    const sockets = new Set<Socket>();
    const tcp: Server = createServer((socket) => {
      sockets.add(socket);
      let request = '';
      socket.on('error', () => {});
      socket.on('data', (chunk) => {
        request += chunk.toString('latin1');
        if (!isWhole(request)) return;
        server.requests.push(request);
        server.answer(socket, request);
        request = '';
      });
    });
    const port = await listenOnFreePort(tcp);
    const server: Stage['server'] = {
      origin: `http://127.0.0.1:${port}`,
      answer: (socket) => void socket.write(NO_CONTENT),
      requests: [],
    };
    await use(server);
    for (const socket of sockets) socket.destroy();
    tcp.close();
    await once(tcp, 'close');
  },
});

const NO_CONTENT = 'HTTP/1.1 204 No Content\r\n\r\n';

/** Its body too: one chunk that says its end, or as long as it says. */
function isWhole(request: string): boolean {
  const [head = '', ...body] = request.split('\r\n\r\n');
  if (/transfer-encoding: chunked/i.test(head)) return request.endsWith('0\r\n\r\n');
  return body.join('\r\n\r\n').length >= Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
}

const json = (status: string, body: string, headers = ''): string =>
  `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

type MakeRequest = ReturnType<typeof createMakeRequest>;

/** All that a REST client may ask of a response. */
async function seen(makeRequest: MakeRequest, url: string, init: Parameters<MakeRequest>[1] = {}) {
  const tried = await settled(makeRequest(url, init));
  if ('error' in tried) return tried;
  const response: ResponseLike = tried.value;
  const { status, ok, statusText, headers, bodyUsed } = response;
  return {
    ...{ status, ok, statusText, bodyUsed, text: await settled(response.text()) },
    headers: ['Content-Type', 'Retry-After', 'Via', 'X-RateLimit-Scope', 'X-RateLimit-Reset-After'].map(
      (name) => [headers.get(name), headers.has(name)],
    ),
  };
}

/** The value, or the name of the error; the code of one without a name of its own. */
async function settled<T>(promise: Promise<T>): Promise<{ value: T } | { error: string }> {
  try {
    return { value: await promise };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { error: error.name === 'Error' && 'code' in error ? String(error.code) : error.name };
  }
}

/** Discord's, and what breaks them; written piece by piece. */
const answers: Record<string, (socket: Socket) => void> = {
  nothing: (socket) => void socket.write(NO_CONTENT),
  JSON: (socket) => void socket.write(json('200 OK', '{"emoji":"🏁"}')),
  'JSON in two pieces': (socket) => {
    const bytes = Buffer.from(json('200 OK', '{"emoji":"🏁"}'));
    // Within a letter.
    socket.write(bytes.subarray(0, -4));
    setImmediate(() => socket.write(bytes.subarray(-4)));
  },
  'chunks, and no length': (socket) =>
    void socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n'),
  'an early hint': (socket) =>
    void socket.write(`HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${json('200 OK', '[1]')}`),
  'a rate limit': (socket) =>
    void socket.write(
      json(
        '429 Too Many Requests',
        '{"retry_after":1}',
        'Retry-After: 1\r\nvia: 1.1 google\r\nX-RateLimit-Scope: shared\r\nx-ratelimit-reset-after: 1.5\r\nSet-Cookie: a=b\r\nSet-Cookie: c=d\r\n',
      ),
    ),
  'an outage': (socket) => void socket.write('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n'),
  'an end before the headers': (socket) => void socket.destroy(),
  'an end within the body': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{"a"');
    setImmediate(() => socket.destroy());
  },
  'no HTTP': (socket) => void socket.write('SSH-2.0-OpenSSH\r\n\r\n'),
};

test.for(Object.keys(answers))('%s is read as by the library itself', async (name, { server }) => {
  server.answer = answers[name] ?? (() => {});
  const url = `${server.origin}/api/v10/gateway?with=query`;

  const ours = await seen(createMakeRequest(server.origin), url);
  expect(ours).toEqual(await seen(DefaultRestOptions.makeRequest, url));
});

test('sends what the library sends, in a path and in a body', async ({ server }) => {
  const url = `${server.origin}/api/v10/interactions/1/token%3A/callback?with_response=false`;
  const init = {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"a":"🏁"}',
  } as const;

  await seen(createMakeRequest(server.origin), url, init);
  await seen(DefaultRestOptions.makeRequest, url, init);

  const [ours, theirs] = server.requests;
  expect(ours).toBe(theirs);
});

test('takes the address of a proxy as it is written', async ({ server }) => {
  const capitals = server.origin.replace('http://127.0.0.1', 'HTTP://user@LOCALHOST');
  const written = `${capitals}/discord/api`;
  const rest = new REST({ api: written, makeRequest: createMakeRequest(written) });
  await rest.get('/gateway', { auth: false });
  expect(server.requests[0]).toMatch(/^GET \/discord\/api\/v10\/gateway HTTP/);
});

test('uploads a file', async ({ server }) => {
  const rest = new REST({ api: server.origin, makeRequest: createMakeRequest(server.origin) });
  await rest.post('/channels/1/messages', {
    auth: false,
    body: { content: 'A picture' },
    files: [{ name: 'chart.png', data: Buffer.from('PNG') }],
  });

  expect(server.requests[0]).toMatch(/content-type: multipart\/form-data; boundary=/i);
  expect(server.requests[0]).toMatch(/filename="chart.png".*PNG.*"content":"A picture"/s);
});

test('ends with the reason of an abort: before, while it waits, and within the body', async ({ server }) => {
  const makeRequest = createMakeRequest(server.origin);
  const url = `${server.origin}/api/v10/gateway`;
  const reason = new Error('over');
  await expect(makeRequest(url, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  expect(server.requests).toEqual([]);

  const waiting = new AbortController();
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  server.answer = (socket) => {
    socket.on('close', close);
    waiting.abort(reason);
  };
  await expect(makeRequest(url, { signal: waiting.signal })).rejects.toBe(reason);
  // Nobody waits for its response: its connection is of no use.
  await closed;

  const reading = new AbortController();
  server.answer = (socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{"a"');
  const response = await makeRequest(url, { signal: reading.signal });
  reading.abort(reason);
  await expect(response.json()).rejects.toBe(reason);
});

test('does not wait for a connection after an abort', async ({ server }) => {
  // It never answers the handshake.
  const silent = server.origin.replace('http:', 'https:');
  const shaking = Promise.withResolvers<void>();
  server.answer = () => shaking.resolve();
  const connecting = new AbortController();
  const response = createMakeRequest(silent)(`${silent}/late`, { signal: connecting.signal });
  await shaking.promise;
  const reason = new Error('over');
  connecting.abort(reason);
  await expect(response).rejects.toBe(reason);
});

test('sends nothing over a connection that comes after an abort', async ({ server }) => {
  const makeRequest = createMakeRequest(server.origin);
  const connecting = new AbortController();
  const late = makeRequest(`${server.origin}/late`, { signal: connecting.signal });
  connecting.abort(new Error('over'));
  await expect(late).rejects.toThrow('over');

  // The next one uses the connection that the first asked for.
  expect((await makeRequest(`${server.origin}/next`, {})).status).toBe(204);
  expect(server.requests.map((request) => request.split(' ')[1])).toEqual(['/next']);
});

test('a REST client repeats a broken request and reads an error of Discord through it', async ({
  server,
}) => {
  const rest = new REST({ api: server.origin, makeRequest: createMakeRequest(server.origin) });
  let tries = 0;
  server.answer = (socket) => {
    tries += 1;
    if (tries === 1) socket.resetAndDestroy();
    else socket.write(json('404 Not Found', '{"code":10008,"message":"Unknown Message"}'));
  };
  const asked = rest.get('/channels/1/messages/2', { auth: false });
  await expect(asked).rejects.toThrow(DiscordAPIError);
  await expect(asked).rejects.toMatchObject({ code: 10008, status: 404 });
  expect(tries).toBe(2);
});
