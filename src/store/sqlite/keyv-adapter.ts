import type { KeyvStoreAdapter, StoredData } from 'keyv';
import type { Database } from './database.ts';

/** Rows are looked over for eviction after so many writes, a tenth of the cap at most. */
const LOOK_EVERY = 100;

export const entriesTable = `
  CREATE TABLE entries (
    id INTEGER PRIMARY KEY,
    namespace TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    -- Unix milliseconds, or null for never.
    expires INTEGER,
    UNIQUE (namespace, key)
  ) STRICT;
  CREATE INDEX entries_by_expiry ON entries (expires) WHERE expires IS NOT NULL;
  CREATE INDEX entries_by_age ON entries (namespace, id);
`;

/**
 * Keyv's adapter over one table of an open database. A write gives its row a new id, so that the lowest ids are
 * those written longest ago: they go first when there are more than `maxRows`.
 */
export function sqliteAdapter(database: Database, namespace: string, maxRows: number): KeyvStoreAdapter {
  const read = database.prepare(
    'SELECT value FROM entries WHERE namespace = ? AND key = ? AND (expires IS NULL OR expires > ?)',
  );
  const write = database.prepare(
    'INSERT OR REPLACE INTO entries (namespace, key, value, expires) VALUES (?, ?, ?, ?)',
  );
  const remove = database.prepare('DELETE FROM entries WHERE namespace = ? AND key = ?');
  const empty = database.prepare('DELETE FROM entries WHERE namespace = ?');
  const expire = database.prepare('DELETE FROM entries WHERE expires <= ?');
  const evict = database.prepare(
    `DELETE FROM entries WHERE namespace = ?1 AND id <= (
       SELECT id FROM entries WHERE namespace = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)`,
  );
  const lookEvery = Math.min(LOOK_EVERY, Math.ceil(maxRows / 10));
  let writes = 0;
  expire.run(Date.now());

  return {
    opts: null,
    // A value is text or nothing here: what it holds is the business of the serialisers above.
    async get<Value>(key: string) {
      const row = read.get(namespace, key, Date.now());
      return row?.['value'] as StoredData<Value>;
    },
    async set(key: string, value: string, ttl?: number) {
      const now = Date.now();
      write.run(namespace, key, value, ttl === undefined ? null : now + Math.ceil(ttl));
      writes += 1;
      if (writes % lookEvery === 0) {
        expire.run(now);
        evict.run(namespace, maxRows);
      }
    },
    async delete(key) {
      return remove.run(namespace, key) > 0;
    },
    async clear() {
      empty.run(namespace);
    },
    // Every failure is thrown at the call that met it; there are no others to report.
    on() {
      return this;
    },
  };
}
