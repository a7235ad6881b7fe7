import { basename } from 'node:path';
import type { Chunk, HistoryChunks } from '../history-chunks.ts';
import { type Database, openDatabase } from './database.ts';

export const chunksTable = `
  CREATE TABLE chunks (
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    -- Unix milliseconds.
    start INTEGER NOT NULL,
    text TEXT NOT NULL,
    UNIQUE (kind, key, start)
  ) STRICT;
  CREATE INDEX chunks_by_start ON chunks (start);
`;

interface SqliteHistoryChunks extends HistoryChunks {
  close(): void;
}

/** A power cut may lose the last minutes, which then are a hole. Only one process can have the file. */
export function openSqliteHistoryChunks(file: string): SqliteHistoryChunks {
  return historyChunksIn(openDatabase(file, { durable: false }), file);
}

/** Kept until it is closed. */
export function temporaryHistoryChunks(): SqliteHistoryChunks {
  const database = openDatabase(':memory:', { durable: false });
  database.exec(chunksTable);
  return historyChunksIn(database, ':memory:');
}

function historyChunksIn(database: Database, file: string): SqliteHistoryChunks {
  const read = database.prepare(
    'SELECT * FROM chunks WHERE kind = ? AND key = ? AND start BETWEEN ? AND ? ORDER BY start',
  );
  const readKind = database.prepare(
    'SELECT * FROM chunks WHERE kind = ? AND start BETWEEN ? AND ? ORDER BY start, key',
  );
  const first = database.prepare('SELECT * FROM chunks WHERE kind = ? AND key = ? ORDER BY start LIMIT 1');
  const write = database.prepare(
    `INSERT INTO chunks (kind, key, start, text) VALUES (?1, ?2, ?3, ?4)
     ON CONFLICT (kind, key, start) DO UPDATE SET text = ?4`,
  );
  const remove = database.prepare('DELETE FROM chunks WHERE kind = ? AND key = ? AND start = ?');
  const prune = database.prepare('DELETE FROM chunks WHERE kind = ? AND start < ?');
  // The sum from the newest chunk back to each one; lengths are read without the texts.
  const evict = database.prepare(
    `DELETE FROM chunks WHERE rowid IN (
       SELECT id FROM (
         SELECT rowid AS id, sum(octet_length(text)) OVER (ORDER BY start DESC, rowid DESC) AS bytes FROM chunks
       ) WHERE bytes > ?)`,
  );

  return {
    read: async ({ kind, key }, from, to) => read.all(kind, key, from, to).map(chunkOf),
    readKind: async (kind, from, to) => readKind.all(kind, from, to).map(chunkOf),
    first: async ({ kind, key }) => first.all(kind, key).map(chunkOf)[0] ?? null,
    async write(changes) {
      database.transaction(() => {
        for (const { kind, key, start, text } of changes) {
          if (text === null) remove.run(kind, key, start);
          else write.run(kind, key, start, text);
        }
      });
    },
    async prune(kind, before) {
      prune.run(kind, before);
    },
    async evict(maxBytes) {
      evict.run(maxBytes);
    },
    async scrub() {
      // Copies what is left into new pages over the old ones; the log then holds the only other traces.
      database.exec('VACUUM');
      const busy = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.['busy'];
      return busy === 0 ? [] : [`${basename(file)}-wal`];
    },
    close: () => database.close(),
  };
}

/** The table admits no other types. */
function chunkOf({ kind, key, start, text }: Readonly<Record<string, unknown>>): Chunk {
  return { kind: String(kind), key: String(key), start: Number(start), text: String(text) };
}
