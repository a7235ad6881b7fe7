/** What an operator reads of the data service in the log. */
import { once } from 'node:events';
import { mkdtempDisposableSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base, expect } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { readConfig } from '../../src/base/config.ts';
import { createLog } from '../../src/base/log.ts';
import { ledgerTables } from '../../src/service/budget/ledger/sqlite-statements.ts';
import { profile } from '../../src/service/endpoints.ts';
import { openDataService } from '../../src/service/open-data-service.ts';
import { openStore } from '../../src/store/open.ts';

interface Service {
  status: number;
  body: unknown;
  /** How far the clock is ahead, in ms. */
  ahead: number;
  ask(username: string): Promise<unknown>;
  /** Of the log, with that text. */
  lines(text: string): number;
}

const test = base.extend<{ service: Service }>({
  service: async ({ task: _ }, use) => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'pitwall-service-'));
    await using resources = new AsyncDisposableStack();
    const server = createServer((_request, response) => {
      response.writeHead(service.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(service.body));
    }).listen(0, '127.0.0.1');
    resources.defer(() => void server.close());
    await once(server, 'listening');
    const address = server.address();
    const port = address === null || typeof address === 'string' ? 0 : address.port;
    const STORE_URL = `sqlite://${join(folder.path, 'store.sqlite')}`;
    const { config } = readConfig({
      ...{ DISCORD_TOKEN: 'token', SERVICE_KEY: 'most-secret', STORE_URL },
      SERVICE_URL: `http://127.0.0.1:${port}`,
    });
    if (config === null) throw new Error('these settings can be used');
    const logged: string[] = [];
    const log = createLog({ level: 'info', secrets: [], stream: { write: (line) => logged.push(line) } });
    const clock = { ...systemClock, monotonic: () => systemClock.monotonic() + service.ahead };
    const runtime = { clock, log, resources };
    const store = await openStore(config.store, ledgerTables, runtime);
    const opened = openDataService(config, store, {}, runtime);
    const service: Service = {
      ...{ status: 200, body: {}, ahead: 0 },
      ask: (username) => opened.service.get(profile, { username }).catch((error: unknown) => error),
      lines(text) {
        expect(logged.join()).not.toContain('most-secret');
        return logged.filter((line) => line.includes(text)).length;
      },
    };
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

test('fields that cannot be read are one line a minute', async ({ service }) => {
  service.body = { username: 'ann', money: 'as much as one likes' };
  for (const name of ['ann', 'ben', 'cem']) await service.ask(name);
  expect(service.lines('unreadable fields')).toBe(1);
  service.ahead = 61_000;
  await service.ask('dan');
  expect(service.lines('unreadable fields')).toBe(2);
});
