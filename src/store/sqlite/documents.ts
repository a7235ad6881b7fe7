import { basename } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { inSlices } from '../../base/in-slices.ts';
import { type Documents, VERSIONS } from '../documents.ts';
import type { Database } from './database.ts';

export const documentsTable = `
  CREATE TABLE documents (
    collection TEXT NOT NULL,
    key TEXT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (collection, key)
  ) STRICT, WITHOUT ROWID;
`;

/**
 * Deleting alone leaves traces: old row contents stay in page gaps when rows move between pages, which `secure_delete`
 * does not reach, and in the write-ahead log. So the table is rewritten, which with `secure_delete` zeroes all its old
 * pages, and the log is emptied.
 */
const REWRITE = `
  CREATE TEMP TABLE remaining AS SELECT * FROM documents;
  DELETE FROM documents;
  INSERT INTO documents SELECT * FROM remaining;
  DROP TABLE remaining;
`;

const Text = z
  .object({ text: z.string() })
  .optional()
  .transform((row) => row?.text ?? null);
const KeyAndText = z.object({ key: z.string(), text: z.string() });

/** The database must be durable, so that a commit is on the disk when it resolves. `file`: where it is. */
export function createSqliteDocuments(
  database: Database,
  { file, clock }: { readonly file: string; readonly clock: Pick<Clock, 'now'> },
): Documents {
  const one = database.prepare('SELECT text FROM documents WHERE collection = ? AND key = ?');
  const all = database.prepare('SELECT key, text FROM documents WHERE collection = ?');
  const write = database.prepare('INSERT OR REPLACE INTO documents (collection, key, text) VALUES (?, ?, ?)');
  const remove = database.prepare('DELETE FROM documents WHERE collection = ? AND key = ?');
  const raise = database.prepare(
    `INSERT INTO documents (collection, key, text) VALUES ('${VERSIONS}', ?1, ?2)
     ON CONFLICT DO UPDATE SET text = max(CAST(text AS INTEGER) + 1, CAST(?2 AS INTEGER))`,
  );
  const textOf = (collection: string, key: string): string | null => Text.parse(one.get(collection, key));

  return {
    read: async (collection, key) => ({ text: textOf(collection, key), now: clock.now() }),
    async all(collection) {
      const texts = new Map<string, string>();
      await inSlices(all.all(collection), (row) => {
        const { key, text } = KeyAndText.parse(row);
        texts.set(key, text);
      });
      return texts;
    },
    commit: async (seen, written) =>
      database.transaction(() => {
        if (seen.some(({ collection, key, text }) => textOf(collection, key) !== text)) return false;
        for (const { collection, key, text } of written) {
          if (text === null) remove.run(collection, key);
          else write.run(collection, key, text);
        }
        const micros = String(Math.trunc(clock.now() * 1000));
        for (const name of new Set(written.map(({ collection }) => collection))) raise.run(name, micros);
        return true;
      }),
    async scrub() {
      database.exec('PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY');
      database.transaction(() => database.exec(REWRITE));
      const busy = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.['busy'];
      return busy === 0 ? [] : [`${basename(file)}-wal`];
    },
  };
}
