import type { StoredData } from 'keyv';
import { type Sql, sql } from '../../base/sql.ts';
import type { Limits } from '../stores.ts';

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
export function createEntries(database: Sql, namespace: string, { maxRows, maxBytes }: Limits) {
  const evictionLimits = {
    rows: Math.min(MAX_WRITES_BETWEEN_LOOKS, Math.ceil(maxRows / 10)),
    bytes: maxBytes / 16,
  };
  const writtenTotals = { rows: 0, bytes: 0 };
  const now = (): number => Math.trunc(Date.now());

  async function tidy(): Promise<void> {
    writtenTotals.rows = 0;
    writtenTotals.bytes = 0;
    await database.write(function* () {
      yield sql`DELETE FROM entries WHERE expires <= ${now()}`;
      // Finds the first row over a cap, counting from the newest, and deletes it and all older ones. Lengths are stored
      // separately, so that values are not read.
      yield sql`DELETE FROM entries WHERE namespace = ${namespace} AND id <= (
        SELECT max(id) FROM (
          SELECT id, row_number() OVER newest AS place, sum(octet_length(value)) OVER newest AS bytes
          FROM entries WHERE namespace = ${namespace} WINDOW newest AS (ORDER BY id DESC)
        ) AS sized WHERE place > ${maxRows} OR bytes > ${maxBytes})`;
    });
  }
  // The caps may have been lowered since. What fails now fails again, or passes, at the next write.
  void tidy().catch(() => {});

  return {
    // A value is text or missing; the serialisers above check it.
    async get<Value>(key: string) {
      const [row] = await database.read(sql`SELECT value FROM entries
        WHERE namespace = ${namespace} AND key = ${key} AND (expires IS NULL OR expires > ${now()})`);
      return row?.['value'] as StoredData<Value>;
    },
    async set(key: string, value: string, ttl?: number) {
      const expires = ttl === undefined ? null : now() + Math.ceil(ttl);
      await database.write(function* () {
        yield sql`DELETE FROM entries WHERE namespace = ${namespace} AND key = ${key}`;
        yield sql`INSERT INTO entries (namespace, key, value, expires) VALUES (${namespace}, ${key}, ${value}, ${expires})`;
      });
      writtenTotals.rows += 1;
      writtenTotals.bytes += Buffer.byteLength(value);
      if (writtenTotals.rows >= evictionLimits.rows || writtenTotals.bytes > evictionLimits.bytes)
        await tidy();
    },
    delete: (key: string): Promise<boolean> =>
      database.write(function* () {
        const rows =
          yield sql`DELETE FROM entries WHERE namespace = ${namespace} AND key = ${key} RETURNING id`;
        return rows.length > 0;
      }),
  };
}
