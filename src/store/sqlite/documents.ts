import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { forEachInSlices } from '../../base/for-each-yielding.ts';
import { type Document, type Documents, VERSIONS } from '../documents.ts';
import type { Database } from './database.ts';

/** Returns the SQL that makes a table of documents. */
export const documentsTableNamed = (name: string): string => `
  CREATE TABLE ${name} (
    collection TEXT NOT NULL,
    key TEXT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (collection, key)
  ) STRICT, WITHOUT ROWID;
`;

export const documentsTable = documentsTableNamed('documents');

const Text = z
  .object({ text: z.string() })
  .optional()
  .transform((row) => row?.text ?? null);
const KeyAndText = z.object({ key: z.string(), text: z.string() });
const Searched = z.object({ collection: z.string(), key: z.string(), isNaming: z.number() });

/** The database must be durable, so that a commit is on the disk when it resolves. */
export function createSqliteDocuments(database: Database, clock: Pick<Clock, 'now'>): Documents {
  const one = database.prepare('SELECT text FROM documents WHERE collection = ? AND key = ?');
  const all = database.prepare('SELECT key, text FROM documents WHERE collection = ?');
  const write = database.prepare('INSERT OR REPLACE INTO documents (collection, key, text) VALUES (?, ?, ?)');
  const remove = database.prepare('DELETE FROM documents WHERE collection = ? AND key = ?');
  const raise = database.prepare(
    `INSERT INTO documents (collection, key, text) VALUES ('${VERSIONS}', ?1, ?2)
     ON CONFLICT DO UPDATE SET text = max(CAST(text AS INTEGER) + 1, CAST(?2 AS INTEGER))`,
  );
  const next = database.prepare(
    `SELECT collection, key, instr(key, ?3) > 0 OR instr(text, ?3) > 0 AS isNaming
     FROM documents WHERE (collection, key) > (?1, ?2) ORDER BY collection, key LIMIT 1`,
  );
  const textOf = (collection: string, key: string): string | null => Text.parse(one.get(collection, key));

  return {
    read: async (collection, key) => ({ text: textOf(collection, key), now: clock.now() }),
    async all(collection) {
      const texts = new Map<string, string>();
      await forEachInSlices(all.all(collection), (row) => {
        const { key, text } = KeyAndText.parse(row);
        texts.set(key, text);
      });
      return texts;
    },
    commit: async (seen, writes) =>
      database.transaction(() => {
        if (seen.some(({ collection, key, text }) => textOf(collection, key) !== text)) return false;
        for (const { collection, key, text } of writes) {
          if (text === null) remove.run(collection, key);
          else write.run(collection, key, text);
        }
        const micros = String(Math.trunc(clock.now() * 1000));
        for (const name of new Set(writes.map(({ collection }) => collection))) raise.run(name, micros);
        return true;
      }),
    async naming(text, within) {
      const matches: Pick<Document, 'collection' | 'key'>[] = [];
      // Row by row: the whole table at once would hold everything up.
      const rows = function* () {
        let at = { collection: within ?? '', key: '' };
        for (let row = next.get(at.collection, at.key, text); row !== undefined; ) {
          const { isNaming, ...document } = Searched.parse(row);
          if (within !== undefined && document.collection !== within) return;
          yield { isNaming: isNaming === 1, document };
          at = document;
          row = next.get(at.collection, at.key, text);
        }
      };
      await forEachInSlices(rows(), ({ isNaming, document }) => void (isNaming && matches.push(document)));
      return matches;
    },
  };
}
