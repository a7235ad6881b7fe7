/** Both kinds of store behind one door, for tests of what they have in common. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Clock, systemClock as clock } from '../../src/base/clock.ts';
import { createLog, type Log } from '../../src/base/log.ts';
import { sql } from '../../src/base/sql.ts';
import { collections } from '../../src/bot/collections.ts';
import { createRepositories } from '../../src/bot/repositories.ts';
import type { Ledger } from '../../src/service/budget/ledger/ledger.ts';
import { openLedger } from '../../src/service/budget/ledger/open.ts';
import { ledgerTables } from '../../src/service/budget/ledger/tables.ts';
import { createForgetter, type Forgetter } from '../../src/store/forget.ts';
import type { HistoryStore } from '../../src/store/history-store.ts';
import { openPostgresStores } from '../../src/store/postgres/open.ts';
import { forgetInCopies } from '../../src/store/sqlite/forget-in-copies.ts';
import { storeFormat } from '../../src/store/sqlite/format.ts';
import { createSqliteStores } from '../../src/store/sqlite/open.ts';
import { prepareFile } from '../../src/store/sqlite/prepare-file.ts';
import type { Stores } from '../../src/store/stores.ts';
import { HISTORY_TABLES } from '../../src/store/tables/history.ts';
import { ownRange } from '../support/own-range.ts';
import { createDatabase } from '../support/postgres.ts';

/** The store of one process, with the repositories of the core. */
export type Opened = Omit<Stores, 'ledger'> &
  ReturnType<typeof createRepositories> & {
    readonly ledger: Ledger;
    readonly forgetter: Forgetter;
    /** Deletes a person and pays at once; resolves with the names of the files that could not be changed. */
    forgetNow(personId: string): Promise<readonly string[]>;
  };

export function withRooms(stores: Stores, log: Pick<Log, 'error'> = { error: () => {} }): Opened {
  const { documents } = stores;
  const left: string[] = [];
  const forgetter = createForgetter({
    store: stores,
    collections,
    async forgetInCopies(copies, ids) {
      for (const { copy, why } of await forgetInCopies(copies, collections, ids)) {
        left.push(basename(copy));
        log.error({ copy, why }, 'not changed');
      }
    },
    paysDebts: true,
    clock,
    log,
  });
  return {
    ...stores,
    ...createRepositories(documents),
    ledger: openLedger(stores, clock),
    forgetter,
    async forgetNow(personId) {
      left.length = 0;
      await forgetter.forget(personId);
      await forgetter.pay();
      return left;
    },
    async close() {
      await forgetter.stop();
      await stores.close();
    },
  };
}

/** Somewhere to keep things, and what can happen there. */
export interface Place {
  readonly name: string;
  /** As one more process would open it. */
  open(): Promise<Opened>;
  /** What was logged by all that were opened. */
  readonly logged: string[];
  /** Resolves with the files, or the tables, that hold this text anywhere. */
  holding(text: string): Promise<readonly string[]>;
  /** Everything in it is lost. */
  flush(): Promise<void>;
  /** Nothing can be written any more, until what comes back is called. */
  breakWrites(): Promise<() => Promise<void>>;
  /** Rows that a namespace has there, and the bytes of their values. */
  rows(namespace: string): Promise<number>;
  bytes(namespace: string): Promise<number>;
  end(): Promise<void>;
}

export async function sqlitePlace(): Promise<Place> {
  const { folder, ...common } = await begin(async (at, parts) => {
    // The bot admits no second process, but another program that writes to the file must not break it.
    const path = join(at, 'store.sqlite');
    prepareFile(path, storeFormat(ledgerTables)).close();
    return createSqliteStores(path, parts, null);
  });
  const file = join(folder, 'store.sqlite');
  return {
    ...common,
    name: 'sqlite',
    async flush() {
      using database = new DatabaseSync(file);
      // What the test before has left is not to be found by the next one.
      database.exec('PRAGMA secure_delete = ON');
      for (const table of ['documents', 'named', 'entries', 'budget_permit', 'budget_state'])
        database.exec(`DELETE FROM ${table}`);
      using history = new DatabaseSync(join(folder, 'store.history.sqlite'));
      for (const table of Object.keys(HISTORY_TABLES)) history.exec(`DELETE FROM ${table}`);
    },
    async breakWrites() {
      const other = new DatabaseSync(file);
      other.exec('BEGIN IMMEDIATE');
      return async () => other.close();
    },
    async rows(namespace) {
      using database = new DatabaseSync(file);
      const row = database.prepare('SELECT count(*) AS rows FROM entries WHERE namespace = ?').get(namespace);
      return Number(row?.['rows']);
    },
    async bytes(namespace) {
      using database = new DatabaseSync(file);
      const values = database.prepare('SELECT value FROM entries WHERE namespace = ?').all(namespace);
      return values.reduce((sum, { value }) => sum + Buffer.byteLength(String(value)), 0);
    },
  };
}

/** `breakAll`: nothing can be read or written any more, until what comes back is called. */
export async function postgresPlace(): Promise<Place & { breakAll(): Promise<() => Promise<void>> }> {
  const database = await createDatabase();
  const { folder: _, ...common } = await begin((_at, parts) =>
    openPostgresStores(database.address, { ...parts, ...ownRange() }, ledgerTables),
  );
  const own = ['documents', 'named', 'entries', 'budget_permit', 'budget_state'];
  const tables = [...own, ...Object.keys(HISTORY_TABLES)].map((table) => `pitwall.${table}`);
  const figure = async (query: string, namespace: string): Promise<number> => {
    const [row] = await database.query(query, [namespace]);
    return Number(row?.['figure']);
  };
  return {
    ...common,
    name: 'postgres',
    async breakAll() {
      await database.query('ALTER SCHEMA pitwall RENAME TO away');
      return async () => void (await database.query('ALTER SCHEMA away RENAME TO pitwall'));
    },
    async holding(text) {
      const found = await Promise.all(
        tables.map((table) =>
          database.query(`SELECT 1 FROM ${table} AS each WHERE strpos(each::text, $1) > 0 LIMIT 1`, [text]),
        ),
      );
      return tables.filter((_, index) => found[index]?.length !== 0);
    },
    async flush() {
      await database.query(`TRUNCATE ${tables.join(', ')}`);
    },
    async breakWrites() {
      const refuse = (table: string) => `ALTER TABLE ${table} ADD CONSTRAINT refused CHECK (false) NOT VALID`;
      await database.query(tables.map(refuse).join(';'));
      return async () => {
        await database.query(tables.map((table) => `ALTER TABLE ${table} DROP CONSTRAINT refused`).join(';'));
      };
    },
    rows: (namespace) =>
      figure('SELECT count(*) AS figure FROM pitwall.entries WHERE namespace = $1', namespace),
    bytes: (namespace) =>
      figure(
        'SELECT coalesce(sum(octet_length(value)), 0) AS figure FROM pitwall.entries WHERE namespace = $1',
        namespace,
      ),
    async end() {
      await common.end();
      await database.drop();
    },
  };
}

function holding(folder: string, text: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(text));
}

async function begin(
  open: (folder: string, parts: { readonly clock: Clock; readonly log: Log }) => Promise<Stores>,
) {
  const folder = mkdtempSync(join(tmpdir(), 'pitwall-place-'));
  const logged: string[] = [];
  const opened: Opened[] = [];
  const stream = { write: (line: string) => void logged.push(line) };
  const log = createLog({ level: 'debug', secrets: [], stream });
  return {
    folder,
    logged,
    holding: async (text: string) => holding(folder, text),
    async open() {
      const stores = await open(folder, { clock, log });
      const all = withRooms(stores, log);
      opened.push(all);
      return all;
    },
    async end() {
      for (const { close } of opened) await close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Writes one line into history, over the one before. */
export async function markHistory(history: Pick<HistoryStore, 'write'>, text: string): Promise<void> {
  await history.write(function* () {
    yield sql`INSERT INTO drivers (driver, name) VALUES ('k3nny', ${text})
      ON CONFLICT (driver) DO UPDATE SET name = excluded.name`;
  });
}

/** Resolves with the line that {@link markHistory} has written. */
export async function historyMark(history: Pick<HistoryStore, 'read'>): Promise<unknown> {
  return (await history.read(sql`SELECT name FROM drivers WHERE driver = 'k3nny'`))[0]?.['name'];
}
