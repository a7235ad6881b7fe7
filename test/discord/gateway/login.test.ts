/** How a shard's connection begins and comes back, with a gateway that can be unkind. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, Socket } from 'node:net';
import { GatewayDispatchEvents, PermissionFlagsBits } from 'discord.js';
import { test as base, describe, expect, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { createLog } from '../../../src/base/log.ts';
import { createConnection } from '../../../src/discord/connection.ts';
import { shardOf } from '../../../src/store/shards/shard.ts';
import { listenOnFreePort } from '../../support/listen.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { type ScriptedGateway, startScriptedGateway } from '../../support/scripted-gateway.ts';

const ME = '100000000000000001';
const shards = [{ id: 0, count: 1 }];
const [first, second] = ['200000000000000001', '200000000000000002'] as const;

/** Its one channel has the same id. */
const guild = (id: string) => ({
  id,
  name: 'A guild',
  owner_id: '1',
  preferred_locale: 'en-US',
  system_channel_id: null,
  joined_at: '2026-01-01T00:00:00Z',
  unavailable: false,
  roles: [{ id, permissions: String(PermissionFlagsBits.Administrator) }],
  members: [{ user: { id: ME }, roles: [] }],
  channels: [{ id, type: 0, permission_overwrites: [] }],
});

const readyWith = (...ids: readonly string[]) => ({
  session_id: 's',
  resume_gateway_url: 'ws://127.0.0.1:1',
  user: { id: ME },
  application: { id: '3' },
  guilds: ids.map((id) => ({ id, unavailable: true })),
});

const test = base.extend<{
  /** Begins a connection; it and its gateway end with the test. */
  start: (
    prepare?: (gateway: ScriptedGateway) => void,
    connected?: typeof shards,
  ) => ReturnType<typeof startConnection>;
}>({
  start: async ({ task: _ }, use) => {
    await using open = new AsyncDisposableStack();
    await use((prepare = () => {}, connected = shards) => startConnection(open, prepare, connected));
  },
});

async function startConnection(
  open: AsyncDisposableStack,
  prepare: (gateway: ScriptedGateway) => void,
  connected: typeof shards,
) {
  const gateway = await startScriptedGateway();
  prepare(gateway);
  const clock = createManualClock();
  const lines: string[] = [];
  const connection = createConnection({
    token: 'none',
    apiUrl: gateway.apiUrl,
    clock,
    log: createLog({ level: 'debug', secrets: [], stream: { write: (line) => lines.push(line) } }),
  });
  open.defer(async () => {
    await connection.close();
    await gateway.close();
  });
  const isConnected = gateway.connected();
  const connecting = connection.connect(connected).catch((error: unknown) => error);
  await isConnected;
  return { gateway, clock, connection, connecting, lines };
}

/** Rejections that nobody waits for, which the process logs, until the end of the test. */
function catchRejections(): unknown[] {
  const rejections: unknown[] = [];
  const others = process.listeners('unhandledRejection');
  process
    .removeAllListeners('unhandledRejection')
    .on('unhandledRejection', (error) => rejections.push(error));
  onTestFinished(() => {
    process.removeAllListeners('unhandledRejection');
    for (const other of others) process.on('unhandledRejection', other);
  });
  return rejections;
}

// Beside each other: each of them waits five to fifteen seconds, which are the library's own.
describe('after a wait', { concurrent: true }, () => {
  test('a guild that does not come is waited for, and nothing is known of it meanwhile', async ({
    start,
  }) => {
    const { gateway, connection, connecting } = await start();
    await gateway.greet();
    gateway.send(GatewayDispatchEvents.Ready, readyWith(first, second));
    gateway.send(GatewayDispatchEvents.GuildCreate, guild(first));
    // The library's own fifteen seconds.
    expect(await connecting).toBeUndefined();
    expect(connection.access(first, first)).toEqual({ kind: 'open' });
    expect(connection.access(second, second)).toEqual({ kind: 'unavailable' });
    // It comes in the end.
    gateway.send(GatewayDispatchEvents.GuildCreate, guild(second));
    await vi.waitFor(() => expect(connection.access(second, second)).toEqual({ kind: 'open' }), 20_000);
  });

  test('a server left while disconnected is gone after the next login', async ({ start }) => {
    const { gateway, connection, connecting, lines } = await start();
    await gateway.greet();
    gateway.send(GatewayDispatchEvents.Ready, readyWith(first, second));
    for (const id of [first, second]) gateway.send(GatewayDispatchEvents.GuildCreate, guild(id));
    await connecting;
    const heard: string[] = [];
    connection.onAccess((id) => void heard.push(id));
    const again = gateway.connected();
    // An invalid sequence number: the session cannot be resumed.
    gateway.end(4007);
    await again;
    await gateway.greet();
    gateway.send(GatewayDispatchEvents.Ready, readyWith(first));
    await vi.waitFor(() => expect(heard).toEqual([first, second]), 20_000);
    expect(connection.stayedSince(second)).toBe(Number.POSITIVE_INFINITY);
    expect(connection.access(first, first)).toEqual({ kind: 'unavailable' });
    expect(connection.access(second, second)).toEqual({ kind: 'unknown-channel' });
    gateway.send(GatewayDispatchEvents.GuildCreate, guild(first));
    await vi.waitFor(() => expect(connection.access(first, first)).toEqual({ kind: 'open' }), 20_000);
    expect(connection.gatewayState()).toEqual({ shards: 1, ready: 1, guilds: 1, losses: 1, total: 1 });
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
      'connection to Discord lost; reconnecting',
      'reconnected to Discord',
    ]);
  });

  describe('a start of which Discord refuses one shard', () => {
    const all = [0, 1].map((id) => ({ id, count: 2 }));
    const guildIds = Array.from({ length: 100 }, (_, index) =>
      String((BigInt(1_000_000 + index) << 22n) + 7n),
    );

    test('takes none of its servers for left or new, and serves the others', async ({ start }) => {
      const { gateway, connection, connecting } = await start(({ refuseNext }) => refuseNext(), all);
      const came: string[] = [];
      connection.onGuild(
        async ({ id }) => void came.push(id),
        () => {},
      );
      const changed: string[] = [];
      connection.onAccess((id) => void changed.push(id));
      const { d } = JSON.parse(await gateway.greet());
      const isOwn = (id: string) => shardOf(id, 2).id === d.shard[0];
      const [own, others] = [guildIds.filter(isOwn), guildIds.filter((id) => !isOwn(id))];
      gateway.send(GatewayDispatchEvents.Ready, readyWith(...own));
      for (const id of own) gateway.send(GatewayDispatchEvents.GuildCreate, guild(id));
      expect(await connecting).toBeUndefined();
      expect([own.length, others.length]).toEqual([50, 50]);
      for (const id of own) expect(connection.access(id, id)).toEqual({ kind: 'open' });
      for (const id of others) {
        expect(connection.stayedSince(id)).toBeNull();
        expect(connection.access(id, id)).toEqual({ kind: 'unavailable' });
        expect(connection.audienceOf(id, id)).toBeNull();
      }
      expect(came).toEqual(own);
      expect(changed.filter((id) => others.includes(id))).toEqual([]);
      expect(connection.gatewayState()).toMatchObject({ shards: 1, ready: 1, guilds: 50, total: 2 });
      // The refused one is tried again, by itself.
      await gateway.connected();
      await gateway.greet();
      gateway.send(GatewayDispatchEvents.Ready, readyWith(...others));
      for (const id of others) gateway.send(GatewayDispatchEvents.GuildCreate, guild(id));
      await vi.waitFor(
        () => expect(connection.gatewayState()).toMatchObject({ shards: 2, guilds: 100 }),
        20_000,
      );
      for (const id of guildIds) expect(connection.access(id, id)).toEqual({ kind: 'open' });
    });
  });

  test('the line below the name is shown again after every login', async ({ start }) => {
    const { gateway, connection, connecting } = await start();
    connection.showStatus('3 driving');
    await gateway.greet();
    const shown = gateway.received();
    gateway.send(GatewayDispatchEvents.Ready, readyWith());
    await connecting;
    expect(await shown).toContain('3 driving');
    const again = gateway.connected();
    gateway.end(4007);
    await again;
    await gateway.greet();
    const shownAgain = gateway.received();
    gateway.send(GatewayDispatchEvents.Ready, readyWith());
    expect(await shownAgain).toContain('3 driving');
  });
});

describe('a connection that is given up', () => {
  test('before Discord has greeted it ends when it does, without a login', async ({ start }) => {
    const { gateway, clock, connection, connecting } = await start();
    const ended = connection.close();
    await clock.timer(1000);
    clock.pass(1000);
    await ended;
    expect(await connecting).toBeInstanceOf(Error);
    expect(await gateway.greetUnanswered()).toBe(1000);
    expect(gateway.connections()).toBe(1);
  });

  test('after its login and before the answer ends with the answer', async ({ start }) => {
    const { gateway, clock, connection, connecting } = await start();
    await gateway.greet();
    const ended = connection.close();
    await clock.timer(1000);
    clock.pass(1000);
    await ended;
    expect(await connecting).toBeInstanceOf(Error);
    const closed = gateway.closed();
    gateway.send(GatewayDispatchEvents.Ready, readyWith(first));
    expect(await closed).toBe(1000);
  });

  test.for([
    ['resume its session', 4000],
    ['log in again', 4007],
  ] as const)('while it waits to %s does not come back', async ([, code], { start }) => {
    const { gateway, clock, connection, connecting } = await start();
    await gateway.greet();
    gateway.send(GatewayDispatchEvents.Ready, { ...readyWith(), resume_gateway_url: gateway.url });
    await connecting;
    gateway.end(code);
    await expect.poll(() => connection.gatewayState().losses).toBe(1);
    const ended = connection.close();
    await clock.timer(1000);
    clock.pass(1000);
    await ended;
    // The library connects again after half a second.
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(gateway.connections()).toBe(1);
  });
});

test('a first connection that fails is tried again', async ({ start }) => {
  const { gateway, connection, connecting } = await start(({ refuseNext }) => refuseNext());
  await gateway.greet();
  gateway.send(GatewayDispatchEvents.Ready, readyWith(first));
  gateway.send(GatewayDispatchEvents.GuildCreate, guild(first));
  expect(await connecting).toBeUndefined();
  expect(connection.access(first, first)).toEqual({ kind: 'open' });
});

test('a connection that Discord no longer hears ends within a second', async ({ start }) => {
  const { gateway, clock, connection, connecting } = await start();
  await gateway.greet();
  gateway.send(GatewayDispatchEvents.Ready, readyWith());
  await connecting;
  gateway.freeze();
  const closed = connection.close();
  // The library waits half a minute for Discord to confirm it.
  await clock.timer(1000);
  clock.pass(1000);
  await closed;
});

test('a dispatch that cannot be read at a login is a line, and the others are applied', async ({ start }) => {
  const { gateway, connection, connecting, lines } = await start();
  await gateway.greet();
  gateway.send(GatewayDispatchEvents.Ready, readyWith(first, second));
  gateway.send(GatewayDispatchEvents.GuildCreate, guild(first));
  const role = { id: '5', permissions: '8', colors: null };
  gateway.send(GatewayDispatchEvents.GuildRoleCreate, { guild_id: first, role });
  gateway.send(GatewayDispatchEvents.ChannelDelete, { id: first, guild_id: first });
  gateway.send(GatewayDispatchEvents.GuildCreate, guild(second));
  expect(await connecting).toBeUndefined();
  expect(connection.access(first, first)).toEqual({ kind: 'unknown-channel' });
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 'warn', t: 'GUILD_ROLE_CREATE' }]);
});

test.for([
  ['a greeting without data', { op: 10 }],
  ['a login without data', { op: 0, s: 1, t: 'READY' }],
  ['a login without guilds', { op: 0, s: 1, t: 'READY', d: { ...readyWith(), guilds: undefined } }],
  ['an end of the session without data', { op: 9 }],
] as const)(
  '%s is a rejection that nobody waits for, and the login after it counts',
  async ([, message], { start }) => {
    const rejections = catchRejections();
    const { gateway, connection, connecting } = await start();
    await gateway.greet();
    gateway.say(message);
    gateway.send(GatewayDispatchEvents.Ready, readyWith(first));
    gateway.send(GatewayDispatchEvents.GuildCreate, guild(first));
    expect(await connecting).toBeUndefined();
    expect(connection.access(first, first)).toEqual({ kind: 'open' });
    await expect.poll(() => rejections).toMatchObject([{ name: 'TypeError' }]);
  },
);

test('a dispatch without a kind is left out', async ({ start }) => {
  const { gateway, connection, connecting } = await start();
  await gateway.greet();
  gateway.say({ op: 0, s: 1, d: {} });
  gateway.send(GatewayDispatchEvents.Ready, readyWith(first));
  gateway.send(GatewayDispatchEvents.GuildCreate, guild(first));
  expect(await connecting).toBeUndefined();
  expect(connection.access(first, first)).toEqual({ kind: 'open' });
});

test('being thrown out of a server is told to whoever follows its permissions', async ({ start }) => {
  const { gateway, connection, connecting } = await start();
  await gateway.greet();
  gateway.send(GatewayDispatchEvents.Ready, readyWith(first));
  gateway.send(GatewayDispatchEvents.GuildCreate, guild(first));
  await connecting;
  const heard: string[] = [];
  connection.onAccess((id) => void heard.push(id));
  gateway.send(GatewayDispatchEvents.GuildDelete, { id: first });
  await expect.poll(() => heard).toEqual([first]);
  expect(connection.access(first, first)).toEqual({ kind: 'unknown-channel' });
});

test('a connection that ends while it is made fails without ending the process', async () => {
  const silent = createTcpServer();
  const session_start_limit = { total: 1000, remaining: 1000, reset_after: 0, max_concurrency: 1 };
  const answer = { url: `ws://127.0.0.1:${await listenOnFreePort(silent)}`, shards: 1, session_start_limit };
  const http = createServer((_, response) =>
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer)),
  );
  const connection = createConnection({
    token: 'none',
    apiUrl: `http://127.0.0.1:${await listenOnFreePort(http)}/api`,
    log: createLog({ level: 'silent', secrets: [] }),
  });
  const arrived = once(silent, 'connection');
  connection.connect(shards).catch(() => {});
  const [socket] = z.tuple([z.instanceof(Socket)]).parse(await arrived);
  const uncaught: unknown[] = [];
  const others = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException').on('uncaughtException', (error) => uncaught.push(error));
  onTestFinished(() => {
    process.removeAllListeners('uncaughtException');
    for (const other of others) process.on('uncaughtException', other);
  });
  await connection.close();
  const gone = once(socket, 'close');
  socket.resetAndDestroy();
  await gone;
  http.closeAllConnections();
  await Promise.all([once(silent.close(), 'close'), once(http.close(), 'close')]);
  // Nothing tells that the other side has noticed.
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(uncaught).toEqual([]);
});

describe('a start while Discord is away', () => {
  async function answering(answer: (response: ServerResponse) => void) {
    const http = createServer((_request, response) => {
      // The bot compares its clock with this date, and its clock here is not that of today.
      response.sendDate = false;
      answer(response);
    });
    const port = await listenOnFreePort(http);
    const clock = createManualClock();
    const lines: string[] = [];
    const connection = createConnection({
      token: 'none',
      apiUrl: `http://127.0.0.1:${port}/api`,
      clock,
      log: createLog({ level: 'debug', secrets: [], stream: { write: (line) => lines.push(line) } }),
    });
    onTestFinished(async () => {
      await connection.close();
      http.closeAllConnections();
      http.close();
    });
    return { clock, connection, lines: () => lines.map((line) => JSON.parse(line)) };
  }
  const gatewayBot = JSON.stringify({
    url: 'ws://127.0.0.1:1',
    shards: 3,
    session_start_limit: { total: 1000, remaining: 1000, reset_after: 0, max_concurrency: 1 },
  });

  test('waits fifteen seconds with one line, and ends with a reason that may pass', async () => {
    const { clock, connection, lines } = await answering((response) => response.writeHead(503).end());
    const both = Promise.allSettled([connection.gateway(), connection.application()]);
    await expect.poll(lines).toHaveLength(1);
    clock.pass(15_000);
    for (const each of await both)
      expect(each).toMatchObject({
        reason: {
          name: 'StartError',
          exitCode: 75,
          message: expect.stringContaining('Discord cannot be reached (status 503)'),
        },
      });
    expect(lines()).toMatchObject([{ msg: 'Discord cannot be reached; the start waits', why: 'status 503' }]);
  });

  test('the same where Discord takes the question and says nothing', async () => {
    const { clock, connection, lines } = await answering(() => {});
    const asked = expect(connection.gateway()).rejects.toMatchObject({ name: 'StartError', exitCode: 75 });
    await clock.timer(15_000);
    clock.pass(15_000);
    await asked;
    expect(lines()).toEqual([]);
  });

  test('ends with the setting to correct where its address is not that of Discord', async () => {
    const { connection } = await answering((response) => response.writeHead(404).end('not here'));
    for (const ask of [connection.gateway, connection.application])
      await expect(ask()).rejects.toMatchObject({
        ...{ name: 'StartError', exitCode: 78 },
        message: expect.stringMatching('^DISCORD_API_URL: '),
      });
  });

  test('goes on as soon as Discord is back', async () => {
    let isBack = false;
    const { clock, connection, lines } = await answering((response) => {
      if (isBack) response.writeHead(200, { 'Content-Type': 'application/json' }).end(gatewayBot);
      else response.writeHead(503).end();
    });
    const asked = connection.gateway();
    await expect.poll(lines).toHaveLength(1);
    isBack = true;
    clock.pass(1000);
    expect(await asked).toMatchObject({ shards: 3 });
  });
});
