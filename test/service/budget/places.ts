import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { type Clock, systemClock as clock } from '../../../src/base/clock.ts';
import type { Ledger } from '../../../src/service/budget/ledger/ledger.ts';
import { openLedger } from '../../../src/service/budget/ledger/open.ts';
import { ledgerDatabase } from '../../support/ledger-database.ts';
import { createRedis, type RedisServer, TestClient } from '../../support/redis.ts';
import { hasRedis } from '../../support/requirements.ts';

/** Where one ledger is stored. */
export interface Place extends AsyncDisposable {
  /** Another handle on the same ledger, as another process would have it. */
  open(): Promise<Ledger>;
  /** Moves the ledger's own clock forward. */
  elapse(ms: number): Promise<void>;
  /** For a process of its own. */
  readonly address: string;
  /** What is never spent. */
  readonly headroom: number;
}

export function embedded(): Place {
  const folder = mkdtempSync(join(tmpdir(), 'budget-'));
  const file = join(folder, 'ledger.sqlite');
  const opened: Ledger[] = [];
  let elapsed = 0;
  const shifted: Clock = {
    ...clock,
    now: () => clock.now() + elapsed,
    monotonic: () => clock.monotonic() + elapsed,
  };
  ledgerDatabase(file).close();
  return {
    open: async () => {
      const ledger = openLedger({ kind: 'sqlite', file }, shifted);
      opened.push(ledger);
      return ledger;
    },
    elapse: async (ms) => {
      elapsed += ms;
    },
    address: `file:${file}`,
    headroom: 0,
    [Symbol.asyncDispose]: async () => {
      for (const ledger of opened) await ledger.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** A Redis of the test file's own, where there is one to be had. */
export interface SharedPlaces {
  readonly redis: () => RedisServer;
  connect(): Promise<TestClient>;
  /** A ledger with a name of its own, so that tests may run at the same time. */
  shared(): Place & { readonly name: string };
}

/** To be called once in a test file; the server lives as long as the file. */
export function useRedis(): SharedPlaces {
  let redis: RedisServer;
  const clients: TestClient[] = [];

  beforeAll(async () => {
    if (!hasRedis) return;
    redis = await createRedis();
    await redis.start();
  });
  afterAll(async () => {
    if (!hasRedis) return;
    for (const client of clients) client.close();
    await redis.end();
  });

  async function connect(): Promise<TestClient> {
    const client = new TestClient(redis.port);
    clients.push(client);
    await client.ready();
    return client;
  }

  return {
    redis: () => redis,
    connect,
    shared: () => {
      const prefix = randomUUID();
      return {
        name: `${prefix}:budget`,
        open: async () => openLedger({ kind: 'redis', connection: await connect(), prefix }, clock),
        elapse: async (ms) => {
          await (await connect()).command('HINCRBY', `{${prefix}:budget}:state`, 'offset', String(ms));
        },
        address: `redis:${redis.port}/${prefix}`,
        headroom: 4,
        [Symbol.asyncDispose]: async () => {},
      };
    },
  };
}
