import type { StoredData } from 'keyv';
import type { Limits } from '../stores.ts';
import type { Database } from './database.ts';

/** Writes between evictions; a tenth of the cap if that is less. */
const MAX_WRITES_BETWEEN_LOOKS = 100;

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

/** Every write gives its row a new id, so that the lowest ids are the oldest writes. */
export function sqliteAdapter(database: Database, namespace: string, { maxRows, maxBytes }: Limits) {
  const read = database.prepare(
    'SELECT value FROM entries WHERE namespace = ? AND key = ? AND (expires IS NULL OR expires > ?)',
  );
  const write = database.prepare(
    'INSERT OR REPLACE INTO entries (namespace, key, value, expires) VALUES (?, ?, ?, ?)',
  );
  const remove = database.prepare('DELETE FROM entries WHERE namespace = ? AND key = ?');
  const expire = database.prepare('DELETE FROM entries WHERE expires <= ?');
  // Finds the first row over a cap, counting from the newest, and deletes it and all older ones. Lengths are stored
  // separately, so that values are not read.
  const evict = database.prepare(
    `DELETE FROM entries WHERE namespace = ?1 AND id <= (
       SELECT max(id) FROM (
         SELECT id, row_number() OVER newest AS place, sum(octet_length(value)) OVER newest AS bytes
         FROM entries WHERE namespace = ?1 WINDOW newest AS (ORDER BY id DESC)
       ) WHERE place > ?2 OR bytes > ?3)`,
  );
  const evictionLimits = {
    rows: Math.min(MAX_WRITES_BETWEEN_LOOKS, Math.ceil(maxRows / 10)),
    bytes: maxBytes / 16,
  };
  const writtenTotals = { rows: 0, bytes: 0 };

  function tidy(): void {
    expire.run(Date.now());
    evict.run(namespace, maxRows, maxBytes);
    writtenTotals.rows = 0;
    writtenTotals.bytes = 0;
  }
  // The caps may have been lowered since.
  tidy();

  return {
    // A value is text or missing; the serialisers above check it.
    async get<Value>(key: string) {
      const row = read.get(namespace, key, Date.now());
      return row?.['value'] as StoredData<Value>;
    },
    async set(key: string, value: string, ttl?: number) {
      write.run(namespace, key, value, ttl === undefined ? null : Date.now() + Math.ceil(ttl));
      writtenTotals.rows += 1;
      writtenTotals.bytes += Buffer.byteLength(value);
      if (writtenTotals.rows >= evictionLimits.rows || writtenTotals.bytes > evictionLimits.bytes) tidy();
    },
    async delete(key: string) {
      return remove.run(namespace, key) > 0;
    },
  };
}
