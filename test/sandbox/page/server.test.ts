import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { expect } from 'vitest';
import { WebSocket } from 'ws';
import { test } from './support/page-test.ts';

/** `fetch` would not let a test name another host. */
async function get(url: string, path: string, host?: string): Promise<{ status: number; policy: string }> {
  const { port } = new URL(url);
  const sent = request({ port, path, ...(host === undefined ? {} : { headers: { host } }) }).end();
  const [response] = await once(sent, 'response');
  response.resume();
  return { status: response.statusCode, policy: String(response.headers['content-security-policy']) };
}

async function outcome(socket: WebSocket): Promise<string> {
  const opened = once(socket, 'message').then(([data]) => String(JSON.parse(String(data)).type));
  const refused = once(socket, 'unexpected-response').then(([, response]) => String(response.statusCode));
  const result = await Promise.race([opened, refused]);
  socket.on('error', () => {}).terminate();
  return result;
}

test('serves its own files and nothing else of the disk', async ({ url }) => {
  for (const path of ['/', '/main.js', '/layout.css', '/icon.svg'])
    expect(await get(url, path), path).toMatchObject({ status: 200 });
  for (const path of [
    '/tsconfig.json',
    '/main.ts',
    '/../server.ts',
    '/%2e%2e/server.ts',
    '/client/main.ts',
    '//etc/passwd',
  ])
    expect(await get(url, path), path).toMatchObject({ status: 404 });
});

test("forbids foreign addresses but the chat's pictures, and markup from text", async ({ url, chat }) => {
  const { policy } = await get(url, '/');
  const pictures = `img-src 'self' ${new URL(chat.apiUrl).origin};`;
  expect(policy).toContain(pictures);
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("require-trusted-types-for 'script'");
  expect(policy.replace(pictures, '')).not.toMatch(/unsafe|https?:|\*/);
});

test('answers only under the names of this machine', async ({ url }) => {
  const { port } = new URL(url);
  expect(await get(url, '/', `localhost:${port}`)).toMatchObject({ status: 200 });
  expect(await get(url, '/', `rebound.example:${port}`)).toMatchObject({ status: 404 });
});

test('opens a socket for its own page only', async ({ url }) => {
  const address = url.replace('http', 'ws');
  expect(await outcome(new WebSocket(address, { origin: url.slice(0, -1) }))).toBe('snapshot');
  expect(await outcome(new WebSocket(address, { origin: 'http://elsewhere.example' }))).toBe('403');
  expect(await outcome(new WebSocket(address))).toBe('403');
});

test('serves on when whoever was refused a socket is gone at once', async ({ url }) => {
  const { port, host } = new URL(url);
  for (let times = 0; times < 20; times += 1) {
    const socket = connect(Number(port), '127.0.0.1');
    const key = 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==';
    socket.write(
      `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: upgrade\r\nUpgrade: websocket\r\n${key}\r\n\r\n`,
    );
    await once(socket, 'data');
    socket.resetAndDestroy();
    await once(socket, 'close');
  }
  expect(await get(url, '/')).toMatchObject({ status: 200 });
});

test('hangs up on an invalid request, and keeps serving', async ({ url, chat }) => {
  for (const nonsense of [
    '{',
    '[]',
    '{"id":1,"action":{"type":"say","channelId":"1","content":""}}',
    'null',
  ]) {
    const socket = new WebSocket(url.replace('http', 'ws'), { origin: url.slice(0, -1) });
    await once(socket, 'open');
    socket.send(nonsense);
    const [code] = await once(socket, 'close');
    expect(code, nonsense).toBe(1007);
  }
  expect(chat.said).toEqual([]);
  expect(await get(url, '/')).toMatchObject({ status: 200 });
});
