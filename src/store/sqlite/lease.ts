import type { Database } from './database.ts';

/** Of all processes that use the file, one has the lease that this table holds. The table is made where missing. */
export function createSqliteLease(database: Database, table: string) {
  database.exec(`
    CREATE TABLE IF NOT EXISTS ${table} (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      holder TEXT NOT NULL,
      -- Unix milliseconds.
      until REAL NOT NULL
    ) STRICT;`);
  // A lease longer than anyone could request was written before the clock was set back.
  const lease = database.prepare(
    `INSERT INTO ${table} (id, holder, until) VALUES (1, ?1, ?3)
     ON CONFLICT (id) DO UPDATE SET holder = ?1, until = ?3
     WHERE holder = ?1 OR until <= ?2 OR until > ?3`,
  );
  const release = database.prepare(`DELETE FROM ${table} WHERE holder = ?`);
  return {
    /** Takes or renews the lease for `ms` from `now` (unix milliseconds). False: another process holds it. */
    lease: async (holder: string, now: number, ms: number) => lease.run(holder, now, now + ms) > 0,
    release: async (holder: string) => void release.run(holder),
  };
}
