import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { type Clock, systemClock as clock } from '../../../src/base/clock.ts';
import { createLog } from '../../../src/base/log.ts';
import type { Ledger } from '../../../src/service/budget/ledger/ledger.ts';
import { openLedger } from '../../../src/service/budget/ledger/open.ts';
import { ledgerTables } from '../../../src/service/budget/ledger/tables.ts';
import { openPostgresStores } from '../../../src/store/postgres/open.ts';
import { ledgerDatabase, openLedgerFile } from '../../support/ledger-database.ts';
import { ownRange } from '../../support/own-range.ts';
import {
  createDatabase,
  createPostgres,
  type PostgresServer,
  type TestDatabase,
} from '../../support/postgres.ts';
import { hasPostgres } from '../../support/requirements.ts';

/** Where one ledger is stored. */
export interface Place extends AsyncDisposable {
  /** Another handle on the same ledger, as another process would have it. */
  open(): Promise<Ledger>;
  /** Moves the ledger's own clock forward. */
  elapse(ms: number): Promise<void>;
  /** For a process of its own, as a setting. */
  readonly address: string;
  /** What is never spent. */
  readonly headroom: number;
}

export async function embedded(): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'budget-'));
  const file = join(folder, 'ledger.sqlite');
  const opened: ReturnType<typeof openLedgerFile>[] = [];
  let elapsed = 0;
  const shifted: Clock = {
    ...clock,
    now: () => clock.now() + elapsed,
    monotonic: () => clock.monotonic() + elapsed,
  };
  ledgerDatabase(file).close();
  return {
    open: async () => {
      const handle = openLedgerFile(file, shifted);
      opened.push(handle);
      return handle.ledger;
    },
    elapse: async (ms) => {
      elapsed += ms;
    },
    address: `sqlite://${file}`,
    headroom: 0,
    [Symbol.asyncDispose]: async () => {
      for (const { close } of opened) close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** A ledger in a database of its own, in this server or in that of the run. */
export async function shared(server?: PostgresServer): Promise<Place & Pick<TestDatabase, 'query'>> {
  const { address, url, query, drop } = await createDatabase(server);
  const log = createLog({ level: 'silent', secrets: [] });
  const open = () => openPostgresStores(address, { clock, log, ...ownRange() }, ledgerTables);
  const opened = [await open()];
  return {
    async open() {
      const stores = await open();
      opened.push(stores);
      return openLedger(stores, clock);
    },
    // The clock of all, since the wall of the last reading is earlier then.
    elapse: async (ms) => {
      await query(
        `UPDATE pitwall.budget_state
         SET reading = jsonb_set(reading::jsonb, '{wall}', to_jsonb((reading::jsonb->>'wall')::float8 - $1))::text`,
        [ms],
      );
    },
    address: url,
    headroom: 4,
    query,
    [Symbol.asyncDispose]: async () => {
      for (const { close } of opened) await close();
      await drop();
    },
  };
}

/** A server that the tests of a file may stop; to be called once. */
export function usePostgres(): () => PostgresServer {
  let server: PostgresServer;
  beforeAll(async () => {
    if (!hasPostgres) return;
    server = createPostgres();
    await server.start();
  });
  afterAll(async () => {
    if (hasPostgres) await server.end();
  });
  return () => server;
}
