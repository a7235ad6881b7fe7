import { z } from 'zod';
import { forEachInSlices } from '../../base/for-each-yielding.ts';
import { createMutex } from '../../base/mutex.ts';
import { listSql, type Query, type Sql, type Steps, sql } from '../../base/sql.ts';
import type { Chunk, HistoryChunks } from '../history-chunks.ts';

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
const MAX_CHUNKS_DELETED = 50;

const Chunks = z.array(z.object({ kind: z.string(), key: z.string(), start: z.number(), text: z.string() }));
const Bytes = z.tuple([z.object({ bytes: z.number() })]);

/** `bytes`: the query for what all chunks take, in a column of that name. `scrub`: see {@link HistoryChunks}. */
export function createChunks(
  database: Sql,
  { bytes, scrub }: { readonly bytes: Query; readonly scrub: HistoryChunks['scrub'] },
): HistoryChunks {
  const inTurn = createMutex();
  const find = async (query: Query): Promise<readonly Chunk[]> => Chunks.parse(await database.read(query));

  /** Deletes some of the chunks that the query finds; resolves with their number. */
  const remove = (query: Query): Promise<number> =>
    database.write(function* () {
      const rows = yield sql`DELETE FROM chunks WHERE (kind, key, start) IN (${query}) RETURNING start`;
      return rows.length;
    });

  return {
    read: ({ kind, key }, from, to) =>
      find(sql`SELECT kind, key, start, text FROM chunks
        WHERE kind = ${kind} AND key = ${key} AND start BETWEEN ${from} AND ${to} ORDER BY start`),
    readKind: (kind, from, to) =>
      find(sql`SELECT kind, key, start, text FROM chunks
        WHERE kind = ${kind} AND start BETWEEN ${from} AND ${to} ORDER BY start, key`),
    first: async ({ kind, key }) =>
      (
        await find(sql`SELECT kind, key, start, text FROM chunks
          WHERE kind = ${kind} AND key = ${key} ORDER BY start LIMIT 1`)
      )[0] ?? null,
    // A deletion takes several statements, and a rewrite of a file lets nobody write: they wait for each other.
    write: (changes) =>
      inTurn('', () =>
        database.write(function* (): Steps<void> {
          const rows: Query[] = [];
          for (const { kind, key, start, text } of changes) {
            if (text === null)
              yield sql`DELETE FROM chunks WHERE kind = ${kind} AND key = ${key} AND start = ${start}`;
            else rows.push(sql`(${kind}, ${key}, ${start}, ${text})`);
          }
          // Across a network, each statement costs a round trip.
          for (let at = 0; at < rows.length; at += database.rowsAtOnce)
            yield sql`INSERT INTO chunks (kind, key, start, text)
              VALUES ${listSql(rows.slice(at, at + database.rowsAtOnce))}
              ON CONFLICT (kind, key, start) DO UPDATE SET text = excluded.text`;
        }),
      ),
    prune: (kind, endExclusive) =>
      inTurn('', () =>
        repeat(
          async () =>
            (await remove(sql`SELECT kind, key, start FROM chunks
              WHERE kind = ${kind} AND start < ${endExclusive} LIMIT ${MAX_CHUNKS_DELETED}`)) ===
            MAX_CHUNKS_DELETED,
        ),
      ),
    evict: (maxBytes) =>
      inTurn('', () =>
        repeat(
          async () =>
            Bytes.parse(await database.read(bytes))[0].bytes > maxBytes &&
            (await remove(
              sql`SELECT kind, key, start FROM chunks ORDER BY start LIMIT ${MAX_CHUNKS_DELETED}`,
            )) > 0,
        ),
      ),
    scrub: () => inTurn('', scrub),
  };
}

/** Until it resolves with false; everything else has its turn in between. */
async function repeat(step: () => Promise<boolean>): Promise<void> {
  let hasMore = true;
  const steps = function* () {
    while (hasMore) yield;
  };
  await forEachInSlices(steps(), async () => {
    hasMore = await step();
  });
}
