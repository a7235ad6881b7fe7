import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite';

export type Row = Record<string, SQLOutputValue>;
export type Values = Record<string, SQLInputValue>;

/** The world's records, in memory. Statements are cached by their SQL text. */
export interface Database {
  rows(sql: string, values?: Values): Row[];
  /** The first row, or null. */
  row(sql: string, values?: Values): Row | null;
  /** Returns the id of the inserted row, if any. */
  run(sql: string, values?: Values): number;
  /** Runs `work` as one transaction: a thousand small writes cost as much as one. */
  together(work: () => void): void;
  close(): void;
}

/** Times are unix milliseconds of the world's time; 0 means never, as in the interface. */
const schema = `
  CREATE TABLE driver (
    id INTEGER PRIMARY KEY, username TEXT NOT NULL, folded TEXT NOT NULL UNIQUE, nickname TEXT NOT NULL,
    country TEXT NOT NULL, joined INTEGER NOT NULL, lastSeen INTEGER NOT NULL, insimAdmin INTEGER NOT NULL,
    adminLevel INTEGER NOT NULL, needsCopTraining INTEGER NOT NULL, money INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE licence (
    id INTEGER PRIMARY KEY, driver INTEGER NOT NULL REFERENCES driver, type TEXT NOT NULL, name TEXT NOT NULL,
    issued INTEGER NOT NULL, issuedBy INTEGER NOT NULL, validUntil INTEGER NOT NULL,
    suspendedUntil INTEGER NOT NULL, revoked INTEGER NOT NULL, UNIQUE (driver, type)
  ) STRICT;
  CREATE TABLE property (
    id INTEGER PRIMARY KEY, driver INTEGER NOT NULL REFERENCES driver, type TEXT NOT NULL,
    condition REAL NOT NULL, value INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE option (
    driver INTEGER NOT NULL REFERENCES driver, name TEXT NOT NULL, value TEXT NOT NULL,
    PRIMARY KEY (driver, name)
  ) STRICT;
  CREATE TABLE car (
    id INTEGER PRIMARY KEY, vin TEXT NOT NULL UNIQUE, owner INTEGER NOT NULL REFERENCES driver,
    type TEXT NOT NULL, listPrice INTEGER NOT NULL, built INTEGER NOT NULL, purchased INTEGER NOT NULL,
    purchasedAtKm REAL NOT NULL, odometerKm REAL NOT NULL, wear REAL NOT NULL, damage REAL NOT NULL,
    onMarket INTEGER NOT NULL, marketPrice INTEGER NOT NULL, wrecked INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX carOwner ON car (owner);
  CREATE TABLE upgrade (
    id INTEGER PRIMARY KEY, car INTEGER NOT NULL REFERENCES car, type TEXT NOT NULL,
    condition REAL NOT NULL, value INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX upgradeCar ON upgrade (car);
  CREATE TABLE preowner (
    id INTEGER PRIMARY KEY, car INTEGER NOT NULL REFERENCES car, buyer TEXT NOT NULL,
    buyerId INTEGER NOT NULL, purchased INTEGER NOT NULL, odometerKm REAL NOT NULL
  ) STRICT;
  CREATE INDEX preownerCar ON preowner (car);
`;

/** `figures` become the columns of the table `stats`, initially zero. */
export function openDatabase(figures: readonly string[]): Database {
  const database = new DatabaseSync(':memory:');
  database.exec(schema);
  const columns = figures.map((name) => `${name} REAL NOT NULL DEFAULT 0`).join(', ');
  database.exec(`CREATE TABLE stats (driver INTEGER PRIMARY KEY REFERENCES driver, ${columns}) STRICT`);

  const statements = new Map<string, StatementSync>();
  const prepared = (sql: string): StatementSync => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const fresh = database.prepare(sql);
    statements.set(sql, fresh);
    return fresh;
  };
  return {
    rows: (sql, values = {}) => prepared(sql).all(values),
    row: (sql, values = {}) => prepared(sql).get(values) ?? null,
    run: (sql, values = {}) => Number(prepared(sql).run(values).lastInsertRowid),
    together(work) {
      database.exec('BEGIN');
      try {
        work();
        database.exec('COMMIT');
      } catch (error) {
        database.exec('ROLLBACK');
        throw error;
      }
    },
    close: () => database.close(),
  };
}

/** A number column of a row. */
export function figure(row: Row | null, column: string): number {
  const value = row?.[column];
  if (typeof value !== 'number') throw new TypeError(`no number in column ${column}`);
  return value;
}

/** A text column of a row. */
export function words(row: Row | null, column: string): string {
  const value = row?.[column];
  if (typeof value !== 'string') throw new TypeError(`no text in column ${column}`);
  return value;
}
