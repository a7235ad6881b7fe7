import { once } from 'node:events';
import { createServer as createSocketServer, type Socket } from 'node:net';
import { inspect } from 'node:util';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { Dispatcher, MockAgent } from 'undici';
import { afterEach, describe, expect, test } from 'vitest';
import { ServiceError } from '../../../src/base/errors.ts';
import { createClient, type Service } from '../../../src/service/client.ts';
import { chatStatus, live, options, overview, profile } from '../../../src/service/endpoints.ts';
import { createTransport } from '../../../src/service/transport/transport.ts';
import { listenOnFreePort } from '../../support/listen.ts';
import { answerJson, key, type Loopback, places, startLoopback } from '../loopback.ts';

const open: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const opened of open.splice(0)) await opened.close();
});

async function serve(...settings: Parameters<typeof startLoopback>): Promise<Loopback> {
  const loopback = await startLoopback(...settings);
  open.push(loopback);
  return loopback;
}

/** A server below HTTP. */
async function serveSocket(answer: (socket: Socket) => void): Promise<string> {
  const server = createSocketServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => answer(socket));
  });
  const port = await listenOnFreePort(server);
  open.push({
    close: async () => {
      server.close();
      await once(server, 'close');
    },
  });
  return `127.0.0.1:${port}`;
}

function clientFor(url: string, seconds = 8): Service {
  const transport = createTransport({ url, key, seconds });
  open.unshift(transport);
  return createClient({ layer: transport.layer, places });
}

async function failureOf(asked: Promise<unknown>): Promise<ServiceError> {
  const outcome: unknown = await asked.then(
    (answer) => answer,
    (error: unknown) => error,
  );
  if (!(outcome instanceof ServiceError)) throw new Error(`no ServiceError: ${inspect(outcome)}`);
  expect(inspect(outcome, { depth: Number.POSITIVE_INFINITY, showHidden: true })).not.toContain('sEcReT');
  return outcome;
}

const alice = { username: 'alice' };

test('that a file is unchanged is no answer to who has none', async () => {
  const { service } = await serve((_request, response) => response.writeHead(304).end());
  expect((await failureOf(service.get(live, { server: 'one' }))).fault).toBe('bad-response');
});

test('an answer may hold any number of lists side by side', async () => {
  const { service } = await serve(answerJson({ username: 'alice', lists: Array(200).fill([]) }));
  expect((await service.get(profile, alice)).record.username).toBe('alice');
});

describe('a connection', () => {
  test('that is refused has certainly not spent anything', async () => {
    const closed = await serve(answerJson({}));
    await closed.close();
    open.length = 0;
    const error = await failureOf(clientFor(closed.url).get(profile, alice));
    expect(error).toMatchObject({ fault: 'unavailable', sent: 'no', transient: false });
  });

  test('to a name that does not exist has certainly not spent anything', async () => {
    const error = await failureOf(clientFor('https://nowhere.invalid').get(profile, alice));
    expect(error).toMatchObject({ fault: 'unavailable', sent: 'no' });
  });

  test('to something that does not speak TLS has certainly not spent anything', async () => {
    const { url } = await serve(answerJson({}));
    const error = await failureOf(clientFor(url.replace('http:', 'https:')).get(profile, alice));
    expect(error).toMatchObject({ fault: 'unavailable', sent: 'no' });
  });

  test.for([
    ['CERT_HAS_EXPIRED', 'no'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'no'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'no'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'no'],
    ['UND_ERR_CONNECT_TIMEOUT', 'no'],
    ['EAI_AGAIN', 'no'],
    ['ECONNRESET', 'maybe'],
    ['EPROTO', 'maybe'],
    ['ETIMEDOUT', 'maybe'],
    ['SOMETHING_NEW', 'maybe'],
  ] as const)('that fails with %s spent: %s', async ([code, sent]) => {
    const agent = new MockAgent();
    open.push(agent);
    agent.disableNetConnect();
    agent
      .get('https://data.example')
      .intercept({ path: () => true })
      .replyWithError(Object.assign(new Error(`https://data.example/?key=${key}`), { code, key }));
    const { layer } = createTransport({ url: 'https://data.example', key, dispatcher: agent });
    const error = await failureOf(createClient({ layer, places }).get(profile, alice));
    expect(error).toMatchObject({ fault: 'unavailable', sent, transient: code === 'ECONNRESET' });
  });

  test('that drops before the answer may have been counted, and may be tried again', async () => {
    const { service } = await serve((request) => request.socket.destroy());
    expect(await failureOf(service.get(profile, alice))).toMatchObject({
      fault: 'unavailable',
      sent: 'maybe',
      transient: true,
    });
  });

  test('that drops within the answer was counted, and may be tried again', async () => {
    const { service } = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': '1000', 'x-ratelimit-remaining': '12' });
      response.write('{"username":', () => response.socket?.destroy());
    });
    const error = await failureOf(service.get(profile, alice));
    expect(error).toMatchObject({ fault: 'unavailable', sent: 'yes', transient: true });
    expect(error.rate?.remaining).toBe(12);
  });

  test('is kept and used again', async () => {
    const { service, connections } = await serve(answerJson({ username: 'alice' }));
    for (let asked = 0; asked < 5; asked += 1) await service.get(profile, alice);
    // The second question may come before the first connection is known to be free.
    expect(connections()).toBeLessThanOrEqual(2);
  });

  test('is closed once what is under way has ended', async () => {
    const { url } = await serve((_request, response) => {
      setImmediate(() => response.end('{"username":"alice"}'));
    });
    const transport = createTransport({ url, key });
    const asked = createClient({ layer: transport.layer, places }).get(profile, alice);
    await transport.close();
    await expect(asked).resolves.toMatchObject({ record: { username: 'alice' } });
    const late = createClient({ layer: transport.layer, places }).get(profile, alice);
    expect(await failureOf(late)).toMatchObject({ fault: 'unavailable', sent: 'no' });
  });
});

describe('an answer', () => {
  test('that never begins ends in time', async () => {
    const { service } = await serve(() => {}, { seconds: 0.1 });
    const error = await failureOf(service.get(profile, alice));
    expect(error).toMatchObject({ fault: 'unavailable', sent: 'maybe', transient: false });
  });

  test('that comes drop by drop ends in time too', async () => {
    const { service } = await serve(
      (_request, response) => {
        response.writeHead(200);
        const drip = setInterval(() => response.write(' '), 10);
        response.on('close', () => clearInterval(drip));
      },
      { seconds: 0.2 },
    );
    const error = await failureOf(service.get(profile, alice));
    expect(error).toMatchObject({ fault: 'unavailable', sent: 'yes', transient: false });
    expect(error.detail).toBe('no answer in time');
  });

  test('to a handshake that is never answered ends in time', async () => {
    const host = await serveSocket(() => {});
    const error = await failureOf(clientFor(`https://${host}`, 0.1).get(profile, alice));
    expect(error).toMatchObject({ fault: 'unavailable', transient: false });
  });

  test('to a question that waits for its connection ends in time', async () => {
    class NeverConnected extends Dispatcher {
      override dispatch(): boolean {
        return true;
      }
    }
    const dispatcher = new NeverConnected();
    const { layer } = createTransport({ url: 'https://data.example', key, dispatcher, seconds: 0.05 });
    const error = await failureOf(createClient({ layer, places }).get(profile, alice));
    expect(error).toMatchObject({ fault: 'unavailable', sent: 'maybe', transient: false });
  });

  test.for([
    ['a profile', 1024, (service: Service) => service.get(profile, alice)],
    ['a live file', 512, (service: Service) => service.get(live, { server: 'two' })],
    ['the overview', 1024, (service: Service) => service.get(overview, {})],
  ] as const)('as %s is read up to %d KiB, and beyond is a fault of the service', async ([, most, ask]) => {
    const bodyOf = (size: number): string => {
      const pad = 'x'.repeat(size);
      return JSON.stringify({ username: 'alice', players: { 1: { un: 'alice' } }, online: true, pad });
    };
    let size = most * 1024 - 200;
    let packed = false;
    const { service } = await serve((_request, response) => {
      if (packed) response.setHeader('content-encoding', 'gzip');
      response.end(packed ? gzipSync(bodyOf(size)) : bodyOf(size));
    });
    await expect(ask(service)).resolves.toHaveProperty('record');
    size = most * 1024;
    for (packed of [false, true])
      expect(await failureOf(ask(service))).toMatchObject({
        ...{ fault: 'bad-response', sent: 'yes', transient: false, isMissing: false },
        detail: expect.stringContaining(`more than ${most} KiB`),
      });
  });

  test('without an end is cut off', async () => {
    let written = 0;
    const { service } = await serve((_request, response) => {
      const more = (): void => {
        if (response.destroyed) return;
        written += 65_536;
        response.write('x'.repeat(65_536), more);
      };
      more();
    });
    expect(await failureOf(service.get(profile, alice))).toMatchObject({ fault: 'bad-response' });
    expect(written).toBeLessThan(32 * 1024 * 1024);
  });

  test.for([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['BR', brotliCompressSync],
  ] as const)('may be packed as %s', async ([encoding, pack]) => {
    const { service } = await serve((_request, response) => {
      response.setHeader('content-encoding', encoding).end(pack('{"username":"alice"}'));
    });
    await expect(service.get(profile, alice)).resolves.toMatchObject({ record: { username: 'alice' } });
  });

  /** A good answer, but for so many MiB of spaces. */
  const padded = (mib: number) => Buffer.from('{"username":"alice"}'.padEnd(mib * 1024 * 1024));
  test.for([
    ['a bomb', 'gzip', gzipSync(padded(200))],
    ['another bomb', 'br', brotliCompressSync(padded(20))],
    ['cut off', 'gzip', gzipSync('{"username":"alice"}').subarray(0, 20)],
    ['not packed at all', 'gzip', Buffer.from('{"username":"alice"}')],
    ['packed in a way that we do not know', 'zstd', Buffer.from('{"username":"alice"}')],
    ['packed twice', 'gzip, gzip', gzipSync(gzipSync('{"username":"alice"}'))],
  ] as const)('that is %s is a bad one', async ([, encoding, body]) => {
    const { service } = await serve((_request, response) => {
      response.setHeader('content-encoding', encoding).end(body);
    });
    expect(await failureOf(service.get(profile, alice))).toMatchObject({
      fault: 'bad-response',
      sent: 'yes',
    });
  });

  test('of a failing service stays one however its body is packed', async () => {
    const { service } = await serve((_request, response) => {
      response.writeHead(503, { 'content-encoding': 'gzip' }).end('no gzip');
    });
    expect(await failureOf(service.get(profile, alice))).toMatchObject({
      fault: 'unavailable',
      transient: true,
    });
  });

  test('may begin with a byte order mark', async () => {
    const { service } = await serve((_request, response) => response.end('\uFEFF{"username":"alice"}'));
    await expect(service.get(profile, alice)).resolves.toMatchObject({ record: { username: 'alice' } });
  });

  test.for<[charset: string, nickname: string, body: Buffer]>([
    // What some servers say of every file.
    ['iso-8859-1', 'Zoë', Buffer.from('{"username":"alice","nickname":"Zoë"}')],
    ['ISO-8859-1', 'Zoë', Buffer.from('{"username":"alice","nickname":"Zoë"}', 'latin1')],
    ['"utf-16"', 'Zoë', Buffer.from('\uFEFF{"username":"alice","nickname":"Zoë"}', 'utf16le')],
    ['klingon', 'Zo\uFFFD', Buffer.from('{"username":"alice","nickname":"Zoë"}', 'latin1')],
  ])('is read as UTF-8, or where it cannot be, as %s', async ([charset, nickname, body]) => {
    const { service } = await serve((_request, response) =>
      response.setHeader('content-type', `application/json; charset=${charset}`).end(body),
    );
    await expect(service.get(profile, alice)).resolves.toMatchObject({ record: { nickname } });
  });

  test.for([
    'SSH-2.0-OpenSSH_9.6\r\n',
    'HTTP/1.1 200 OK\r\nX: \u0000\r\n\r\n',
    `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(70_000)}\r\n\r\n`,
  ])('that is not HTTP is a bad one: %#', async (bytes) => {
    const host = await serveSocket((socket) => socket.end(bytes));
    expect(await failureOf(clientFor(`http://${host}`).get(profile, alice))).toMatchObject({
      fault: 'bad-response',
      sent: 'maybe',
    });
  });

  test('that points elsewhere is not followed', async () => {
    const elsewhere = await serve(answerJson({ username: 'alice' }));
    const { service, requests } = await serve((request, response) => {
      response.writeHead(302, { location: elsewhere.url + request.url }).end();
    });
    expect(await failureOf(service.get(profile, alice))).toMatchObject({
      fault: 'bad-response',
      sent: 'yes',
    });
    expect(requests.length).toBe(1);
    expect(elsewhere.requests).toEqual([]);
  });
});

describe('what is asked', () => {
  test('stands below the path of the address', async () => {
    const { url, requests } = await serve(answerJson([]));
    await clientFor(`${url}/api/v1/`).get(overview, {});
    expect(requests[0]).toMatch(/^\/api\/v1\/drivesim\/live\/status\?server=all&key=/);
  });

  test.for([
    '../x',
    'a&key=1',
    'a#b',
    '%2e%2e',
    'a?server=two',
    'a b',
    'a+b',
    'a=b;c',
    '../../json/status_one.json',
    'Ünïcode 名前',
    'http://other.example/',
    '__proto__',
  ])('as %s changes neither the path nor another parameter', async (username) => {
    const { service, requests } = await serve(answerJson([]));
    await service.get(options, { username });
    const asked = new URL(`http://data.example${requests[0]}`);
    expect(asked.pathname).toBe('/drivesim/profile/getopts');
    expect([...asked.searchParams]).toEqual([
      ['username', username],
      ['key', key],
    ]);
    expect(requests[0]).not.toContain('#');
  });

  test('changes nothing else whatever a person types', async () => {
    const { service, requests } = await serve(answerJson([]));
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1, maxLength: 64 }), async (username) => {
        const before = requests.length;
        const refused = await service.get(options, { username }).then(
          () => false,
          (error: unknown) => error instanceof TypeError,
        );
        if (refused) return requests.length === before;
        const asked = new URL(`http://data.example${requests.at(-1)}`);
        return (
          asked.pathname === '/drivesim/profile/getopts' &&
          [...asked.searchParams.keys()].join() === 'username,key' &&
          asked.searchParams.get('username') === username.trim() &&
          asked.searchParams.get('key') === key
        );
      }),
    );
  });

  test.for(['..', '.', ''])('with %j for a place is never sent', async (game) => {
    const { layer, requests } = await serve(answerJson([]));
    const { get } = createClient({ layer, places: { game, chatPath: 'a/../../b' } });
    expect(await failureOf(get(overview, {}))).toMatchObject({ sent: 'no' });
    expect(await failureOf(get(chatStatus, {}))).toMatchObject({ sent: 'no' });
    expect(requests).toEqual([]);
  });

  test('keeps a slash within its segment', async () => {
    const { layer, requests } = await serve(answerJson([]));
    await createClient({ layer, places: { game: 'a/b?c#d', chatPath: '' } }).get(overview, {});
    expect(requests[0]).toMatch(/^\/a%2Fb%3Fc%23d\/live\/status\?server=all&key=/);
  });

  test('of a live file holds no key', async () => {
    const { service, requests } = await serve(answerJson({ players: [] }));
    await service.get(live, { server: 'two' });
    expect(requests).toEqual(['/json/status_two.json']);
  });
});

test('an answer reports the budget by its headers', async () => {
  const { layer } = await serve((_request, response) => {
    response.writeHead(200, {
      date: 'Mon, 01 Jan 2024 12:00:00 GMT',
      'x-ratelimit-limit': '720/3600',
      'x-ratelimit-remaining': '719',
      'x-ratelimit-reset': '1704106800',
    });
    response.end('[]');
  });
  const rates: unknown[] = [];
  const told = createClient({
    places,
    layer: async (call) => {
      const fetched = await layer(call);
      rates.push(fetched.rate);
      return fetched;
    },
  });
  await told.get(overview, {});
  expect(rates).toEqual([
    {
      limit: 720,
      windowSeconds: 3600,
      remaining: 719,
      reset: 1_704_106_800,
      date: Date.UTC(2024, 0, 1, 12),
      retryAfter: null,
    },
  ]);
});

describe('the age of a live file', () => {
  const DAY = 86_400_000;
  const SERVED = Date.UTC(2026, 0, 1, 12);
  const ours = { now: () => SERVED + 5 * DAY };

  /** How old our clock takes a file to be that its service made so many milliseconds before it served it. */
  async function ageOf(before: number, headers: Record<string, string> = {}): Promise<number> {
    const { service } = await serve(
      (_request, response) => {
        response.setHeaders(new Map(Object.entries({ date: new Date(SERVED).toUTCString(), ...headers })));
        response.end(JSON.stringify({ server: 'One', time: SERVED - before, players: {} }));
      },
      { clock: ours },
    );
    const { asOf } = await service.get(live, { server: 'one' });
    return ours.now() - asOf;
  }

  test("is reported by the service's own clocks, however far ours is off", async () => {
    expect(await ageOf(0)).toBe(0);
    expect(await ageOf(90_000)).toBe(90_000);
  });

  test('is never negative', async () => {
    expect(await ageOf(-60_000)).toBe(0);
  });

  test('counts for how long something on the way has kept it', async () => {
    expect(await ageOf(1000, { age: '30' })).toBe(31_000);
    let age = '90';
    const { service } = await serve(
      (_request, response) => response.setHeader('age', age).end('{"username":"alice"}'),
      { clock: ours },
    );
    // A profile does not say when it was true.
    expect(ours.now() - (await service.get(profile, alice)).asOf).toBe(90_000);
    age = '9'.repeat(300);
    expect(ours.now() - (await service.get(profile, alice)).asOf).toBe(366 * DAY);
  });
});

describe('a live file whose clock is not the one of the web server', () => {
  const MINUTE = 60_000;
  const HOUR = 60 * MINUTE;
  const SERVED = Date.UTC(2026, 0, 1, 12);

  /** How old the file is taken to be at each reading; `written`: when it was, by a clock that is `off`, in ms. */
  async function agesOf(readings: readonly { readonly at: number; readonly written: number; off: number }[]) {
    let now = SERVED;
    let time = SERVED;
    const { service } = await serve(
      (_request, response) => {
        response.setHeader('date', new Date(now).toUTCString());
        response.end(JSON.stringify({ server: 'One', time, players: {} }));
      },
      { clock: { now: () => now } },
    );
    const ages: number[] = [];
    for (const { at, written, off } of readings) {
      now = SERVED + at;
      time = SERVED + written + off;
      ages.push(now - (await service.get(live, { server: 'one' })).asOf);
    }
    return ages;
  }

  test.for([3 * HOUR, 20 * MINUTE, 90_000, 31_000])(
    'is of now while it moves on, and old once it stands still: %i ms',
    async (off) => {
      const moving = [0, 2000, 4000, 30 * MINUTE].map((at) => ({ at, written: at, off: -off }));
      const still = [1, 5].map((minutes) => ({
        at: (30 + minutes) * MINUTE,
        written: 30 * MINUTE,
        off: -off,
      }));
      expect(await agesOf([...moving, ...still])).toEqual([off, 0, 0, 0, MINUTE, 5 * MINUTE]);
    },
  );

  test('is old by as much as that may be by its way here', async () => {
    const moving = [0, 2000, 4000].map((at) => ({ at, written: at, off: -20_000 }));
    expect(await agesOf(moving)).toEqual([20_000, 20_000, 20_000]);
  });

  test('that is ahead hides no file that stands still', async () => {
    const ahead = { written: 2000, off: 3 * HOUR };
    const readings = [{ ...ahead, at: 0, written: 0 }, ...[2000, MINUTE].map((at) => ({ ...ahead, at }))];
    expect(await agesOf(readings)).toEqual([0, 0, MINUTE - 2000]);
  });

  test('is believed again once it has been set, and where it only catches up', async () => {
    const right = [0, 2000].map((at) => ({ at: 4000 + at, written: 4000 + at, off: 0 }));
    const wrong = [0, 2000].map((at) => ({ at, written: at, off: -HOUR }));
    expect(await agesOf([...wrong, ...right])).toEqual([HOUR, 0, 0, 0]);
    const catching = [0, 1, 2].map((step) => ({ at: 2000 * step, written: 0, off: (step - 60) * MINUTE }));
    expect(await agesOf(catching)).toEqual([60, 59, 58].map((age, step) => age * MINUTE + 2000 * step));
  });
});
