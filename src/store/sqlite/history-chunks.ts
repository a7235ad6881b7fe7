import { basename } from 'node:path';
import { inSlices } from '../../base/in-slices.ts';
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

/** Chunks deleted by one statement: a month of a large community would hold everything up. */
const AT_ONCE = 50;

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
  const prune = database.prepare(
    `DELETE FROM chunks WHERE rowid IN (SELECT rowid FROM chunks WHERE kind = ? AND start < ? LIMIT ${AT_ONCE})`,
  );
  const evict = database.prepare(
    `DELETE FROM chunks WHERE rowid IN (SELECT rowid FROM chunks ORDER BY start LIMIT ${AT_ONCE})`,
  );
  const size = database.prepare(
    `SELECT (page_count - freelist_count) * page_size AS bytes
     FROM pragma_page_count, pragma_freelist_count, pragma_page_size`,
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
    prune: (kind, before) => repeat(() => prune.run(kind, before) === AT_ONCE),
    evict: (maxBytes) => repeat(() => Number(size.get()?.['bytes']) > maxBytes && evict.run() > 0),
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

/** Until it returns false; everything else has its turn in between. */
async function repeat(step: () => boolean): Promise<void> {
  await inSlices(
    (function* () {
      while (step()) yield;
    })(),
    () => {},
  );
}
