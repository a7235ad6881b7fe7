/** What an operator reads of the data service in the log. */
import { mkdtempDisposableSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base, expect } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { readConfig } from '../../src/base/config.ts';
import { createLog } from '../../src/base/log.ts';
import type { BudgetSnapshot } from '../../src/service/budget/budget-snapshot.ts';
import { ledgerTables } from '../../src/service/budget/ledger/tables.ts';
import { profile } from '../../src/service/endpoints.ts';
import { openDataService } from '../../src/service/open-data-service.ts';
import { openStore } from '../../src/store/open.ts';
import { listenOnFreePort } from '../support/listen.ts';

interface Service {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: unknown;
  /** Requests that it has received. */
  requests: number;
  /** How far the clock is ahead, in ms. */
  ahead: number;
  ask(username: string): Promise<unknown>;
  budget(): Promise<BudgetSnapshot>;
  /** Of the log, with that text. */
  lines(text: string): number;
}

const test = base.extend<{ service: Service }>({
  service: async ({ task: _ }, use) => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'pitwall-service-'));
    await using resources = new AsyncDisposableStack();
    const server = createServer((_request, response) => {
      service.requests += 1;
      response.writeHead(service.status, { 'content-type': 'application/json', ...service.headers });
      response.end(JSON.stringify(service.body));
    });
    resources.defer(() => void server.close());
    const port = await listenOnFreePort(server);
    const STORE_URL = `sqlite://${join(folder.path, 'store.sqlite')}`;
    const { config } = readConfig({
      ...{ DISCORD_TOKEN: 'token', SERVICE_KEY: 'most-secret', STORE_URL },
      SERVICE_URL: `http://127.0.0.1:${port}`,
    });
    if (config === null) throw new Error('these settings can be used');
    const logged: string[] = [];
    const log = createLog({ level: 'info', secrets: [], stream: { write: (line) => logged.push(line) } });
    const service: Service = {
      ...{ status: 200, headers: {}, body: {}, requests: 0, ahead: 0 },
      budget: () => opened.ledger.snapshot(),
      ask: (username) => opened.service.get(profile, { username }).catch((error: unknown) => error),
      lines(text) {
        expect(logged.join()).not.toContain('most-secret');
        return logged.filter((line) => line.includes(text)).length;
      },
    };
    const clock = { ...systemClock, monotonic: () => systemClock.monotonic() + service.ahead };
    const runtime = { clock, log, resources };
    const store = await openStore(config.store, ledgerTables, { shards: 'auto', standBy() {} }, runtime);
    const opened = openDataService(config, store, {}, runtime);
    await use(service);
  },
});

test('a key that is refused is one line, and so is its acceptance', async ({ service }) => {
  service.status = 401;
  service.body = { error: 'API key not authorised' };
  await service.ask('ann');
  await service.ask('ben');
  expect(service.lines('refuses SERVICE_KEY')).toBe(1);
  service.status = 200;
  service.body = { username: 'ann', money: 1 };
  await service.ask('ann');
  await service.ask('ben');
  expect(service.lines('accepts SERVICE_KEY again')).toBe(1);
});

test("an address that is refused is called that, and the advice is the line's own", async ({ service }) => {
  service.status = 403;
  service.body = { error: 'This IP address is not allowed for this key' };
  await service.ask('ann');
  expect(service.lines(`"msg":"data service refuses this machine's address; npm run doctor`)).toBe(1);
  expect(service.lines('"stack"')).toBe(0);
});

test('logs an outage once after 15 seconds without an answer, and its end once', async ({ service }) => {
  await service.ask('ann');
  service.status = 503;
  await service.ask('ben');
  service.ahead = 14_000;
  await service.ask('cem');
  expect(service.lines('data service does not answer')).toBe(0);
  service.ahead = 15_100;
  for (const name of ['dan', 'eva']) await service.ask(name);
  expect(service.lines('data service does not answer')).toBe(1);
  expect(service.lines('data service answers again')).toBe(0);
  // It answers, if only that it knows nobody of that name.
  service.status = 404;
  service.body = { error: 'player not found' };
  for (const name of ['fay', 'gil']) await service.ask(name);
  expect(service.lines('data service answers again')).toBe(1);
});

test('a limit by its published message closes the key though its headers deny it', async ({ service }) => {
  await service.ask('ann');
  const { requests } = service;
  service.status = 403;
  service.body = { errorCode: 403, errorMessage: 'Rate limited exceeded' };
  const reset = Math.floor(Date.now() / 1000) + 3000;
  service.headers = {
    ...{ 'x-ratelimit-limit': '720/3600', 'x-ratelimit-remaining': '719' },
    'x-ratelimit-reset': `${reset}`,
  };
  for (const name of ['ben', 'cem', 'dan', 'eva', 'fay', 'gil', 'hal', 'ida'])
    expect(await service.ask(name)).toMatchObject({ fault: 'over-budget', refusal: 'limit' });
  expect(service.requests - requests).toBe(1);
  expect(service.lines('over its limit')).toBe(1);
  const { refusals, closedMs } = await service.budget();
  expect(refusals).toBe(1);
  expect(closedMs).toBeGreaterThan(50_000);
  expect(closedMs).toBeLessThanOrEqual(60_000);
  service.ahead = 61_000;
  service.status = 200;
  service.body = { username: 'jan', money: 1 };
  for (const name of ['jan', 'kim']) await service.ask(name);
  expect(service.lines('within its limit again')).toBe(1);
});

test('fields that cannot be read are one line a minute', async ({ service }) => {
  service.body = { username: 'ann', money: 'as much as one likes' };
  for (const name of ['ann', 'ben', 'cem']) await service.ask(name);
  expect(service.lines('unreadable fields')).toBe(1);
  service.ahead = 61_000;
  await service.ask('dan');
  expect(service.lines('unreadable fields')).toBe(2);
});
