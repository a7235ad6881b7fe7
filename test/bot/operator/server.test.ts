import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { test as base, describe, expect } from 'vitest';
import { StartError } from '../../../src/base/errors.ts';
import { servePages } from '../../../src/bot/operator/server.ts';
import { listenOnFreePort } from '../../support/listen.ts';

const here = { host: '127.0.0.1', port: 0 };
/** For clients that are slow on purpose; a busy machine takes longer for others. */
const PATIENCE = 100;
/** Bytes; more than the buffers on the way take. */
const LONG = 20_000_000;

const test = base.extend<{
  /** What pages threw. */
  failures: unknown[];
  server: Awaited<ReturnType<typeof servePages>>;
  /** The same with little patience. */
  hasty: Awaited<ReturnType<typeof servePages>>;
}>({
  failures: async ({ task: _ }, use) => use([]),
  server: async ({ failures }, use) => {
    const server = await served(failures);
    await use(server);
    await server.close();
  },
  hasty: async ({ failures }, use) => {
    const server = await served(failures, PATIENCE);
    await use(server);
    await server.close();
  },
});

function served(failures: unknown[], patience?: number): Promise<Awaited<ReturnType<typeof servePages>>> {
  const pages: Parameters<typeof servePages>[1] = {
    '/page': () => ({ status: 200, type: 'text/plain', body: 'päge' }),
    '/long': () => ({ status: 200, type: 'text/plain', body: 'x'.repeat(LONG) }),
    '/failing': () => ({ status: 503, type: 'text/plain', body: 'no' }),
    '/broken': () => {
      throw new Error('the reason');
    },
  };
  return servePages(here, pages, (error) => failures.push(error), patience);
}

function ask(
  { port }: Awaited<ReturnType<typeof servePages>>,
  path: string,
  method = 'GET',
): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}${path}`, { method });
}

interface Talk {
  /** All that comes until the connection is closed. */
  readonly got: Promise<string>;
  end(): void;
}

/** Sends each part a little after the one before, until the connection is closed. */
function talk({ port }: Awaited<ReturnType<typeof servePages>>, ...parts: readonly string[]): Talk {
  const socket = connect(port, '127.0.0.1');
  const { promise, resolve } = Promise.withResolvers<string>();
  let got = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    got += text;
  });
  const waiting = [...parts];
  const sending = setInterval(() => {
    const part = waiting.shift();
    if (part !== undefined && socket.writable) socket.write(part);
  }, PATIENCE / 10);
  // Being cut off is not an error here.
  socket.on('error', () => {});
  socket.on('close', () => {
    clearInterval(sending);
    resolve(got);
  });
  return { got: promise, end: () => socket.destroy() };
}

describe('a page', () => {
  test('comes with its status and type, and is never kept', async ({ server }) => {
    const page = await ask(server, '/page?with=query');
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/plain');
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(await page.text()).toBe('päge');
    expect((await ask(server, '/failing')).status).toBe(503);
  });

  test('comes to HEAD without its body', async ({ server }) => {
    const page = await ask(server, '/page', 'HEAD');
    expect(page.headers.get('content-length')).toBe('5');
    expect(await page.text()).toBe('');
  });

  test.for(['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])('is not for %s', async (method, { server }) => {
    const page = await ask(server, '/page', method);
    expect(page.status).toBe(405);
    expect(page.headers.get('allow')).toBe('GET, HEAD');
  });

  test.for(['/', '/page/', '/PAGE', '/page/../failing/x', '/toString', '/__proto__', '//page'])(
    '%s is none',
    async (path, { server }) => {
      expect((await ask(server, path)).status).toBe(404);
    },
  );

  test('that throws gives 500 without the reason, which is reported', async ({ server, failures }) => {
    const page = await ask(server, '/broken');
    expect(page.status).toBe(500);
    expect(await page.text()).not.toContain('the reason');
    expect(failures).toEqual([new Error('the reason')]);
  });
});

describe('a client', () => {
  test.for([
    ['says nothing', []],
    ['stops within its headers', ['GET /page HTTP/1.1\r\nHost: x\r\nX-Slow: ']],
    ['sends its headers letter by letter', ['GET /page HTTP/1.1\r\nX: ', ...'x'.repeat(10_000)]],
  ] as const)('that %s is cut off without a page', async ([, parts], { hasty }) => {
    expect(await talk(hasty, ...parts).got).not.toContain('200 OK');
  });

  test('that does not read its page is cut off within it', async ({ hasty }) => {
    const socket = connect(hasty.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write('GET /long HTTP/1.1\r\nHost: x\r\n\r\n');
    // Much longer than it may stand still.
    await pause(50 * PATIENCE);
    let got = 0;
    socket.on('data', (data) => {
      got += data.length;
    });
    await once(socket, 'close');
    expect(got).toBeLessThan(LONG);
  });

  test('with too many headers is refused', async ({ server }) => {
    const { got } = talk(server, `GET /page HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(10_000)}\r\n\r\n`);
    expect(await got).toMatch(/^HTTP\/1\.1 431 /);
  });

  test('that does not speak HTTP is refused', async ({ server }) => {
    expect(await talk(server, '\u0016\u0003\u0001 hello\r\n\r\n').got).toMatch(/^HTTP\/1\.1 400 /);
  });

  test('gets one answer, after which the connection is closed', async ({ server }) => {
    const request = 'GET /page HTTP/1.1\r\nHost: x\r\n\r\n';
    expect((await talk(server, request + request).got).match(/HTTP\/1\.1 200/g)).toHaveLength(1);
  });

  test('beyond the 32nd is turned away until one of the others has gone', async () => {
    const server = await servePages(
      here,
      { '/page': () => ({ status: 200, type: 'text/plain', body: '' }) },
      () => {},
    );
    const idle = Array.from({ length: 32 }, () => talk(server));
    await expect(ask(server, '/page')).rejects.toThrow();
    for (const { end } of idle) end();
    await expect
      .poll(() =>
        ask(server, '/page').then(
          ({ status }) => status,
          () => null,
        ),
      )
      .toBe(200);
    await server.close();
  });
});

describe('the port', () => {
  test('that another program has stops the start with a line that says so', async () => {
    const other = createServer();
    const port = await listenOnFreePort(other);
    const start = servePages({ ...here, port }, {}, () => {});
    await expect(start).rejects.toThrow(StartError);
    await expect(start).rejects.toThrow(/^HTTP_PORT: .*another program has it/);
    // That may be the process before, which is still ending.
    await expect(start).rejects.toMatchObject({ exitCode: 75 });
    other.close();
    await once(other, 'close');
  });

  test('of an address that this machine does not have is refused as well', async () => {
    // Reserved for documentation, so nobody has it.
    const start = servePages({ host: '192.0.2.1', port: 0 }, {}, () => {});
    await expect(start).rejects.toThrow(/^HTTP_PORT: .*no such address/);
    await expect(start).rejects.toMatchObject({ exitCode: 78 });
  });

  test('is free again once the server is closed, whatever is under way', async () => {
    const requested = Promise.withResolvers<void>();
    const pages = {
      '/endless': () => {
        requested.resolve();
        return new Promise<never>(() => {});
      },
    };
    const server = await servePages(here, pages, () => {}, 3_600_000);
    const left = talk(server, 'GET /endless HTTP/1.1\r\nHost: x\r\n\r\n');
    await requested.promise;
    await server.close();
    await left.got;
    await expect(ask(server, '/endless')).rejects.toThrow();
  });
});
