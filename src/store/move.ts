/** Copies a store into another one, through the interface that all kinds of stores have. */
import { z } from 'zod';
import { repeatInSlices } from '../base/for-each-yielding.ts';
import { insertRows, namesSql, rowSql, type SqlValue, sql } from '../base/sql.ts';
import { type Documents, VERSIONS } from './documents.ts';
import type { HistoryStore } from './history-store.ts';
import type { Stores } from './stores.ts';
import { HISTORY_TABLES } from './tables/history.ts';

/** Documents, or rows of history, that one transaction writes. */
const MAX_WRITES = 200;

type Part = Pick<Stores, 'documents' | 'history'>;

/**
 * Resolves with the numbers of documents and of rows of history. Answers of the data service and the request ledger stay: the former
 * can be asked for again, and the latter counts by the clock of its own store.
 */
export async function copyStore(
  from: Part,
  to: Part,
  { without }: { readonly without: readonly string[] },
): Promise<{ readonly documents: number; readonly rows: number }> {
  const names = [...(await from.documents.all(VERSIONS)).keys()].filter((name) => !without.includes(name));
  let [documents, rows] = [0, 0];
  for (const name of names) documents += await copyCollection(from.documents, to.documents, name);
  for (const [table, key] of Object.entries(HISTORY_TABLES))
    rows += await copyTable(table, key, from.history, to.history);
  return { documents, rows };
}

async function copyTable(
  table: string,
  key: readonly string[],
  from: HistoryStore,
  to: HistoryStore,
): Promise<number> {
  let [count, after]: [number, readonly SqlValue[] | null] = [0, null];
  await repeatInSlices(async () => {
    const later = after === null ? sql`` : sql`WHERE (${namesSql(...key)}) > ${rowSql(after)}`;
    const rows = (
      await from.read(
        sql`SELECT * FROM ${namesSql(table)} ${later} ORDER BY ${namesSql(...key)} LIMIT ${MAX_WRITES}`,
      )
    ).map((row) => Row.parse(row));
    const [first] = rows;
    if (first === undefined) return false;
    after = key.map((name) => rows.at(-1)?.[name] ?? null);
    count += rows.length;
    const values = rows.map((row) => Object.values(row));
    await to.write(function* () {
      yield* insertRows(
        to,
        values,
        (inserted) =>
          sql`INSERT INTO ${namesSql(table)} (${namesSql(...Object.keys(first))}) VALUES ${inserted}`,
      );
    });
    return true;
  });
  return count;
}

const Row = z.record(z.string(), z.union([z.string(), z.number(), z.null()]));

async function copyCollection(from: Documents, to: Documents, collection: string): Promise<number> {
  const all = [...(await from.all(collection))].map(([key, text]) => ({ collection, key, text }));
  for (const documents of inParts(all)) await to.commit([], documents);
  return all.length;
}

function inParts<Item>(all: readonly Item[]): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(all.length / MAX_WRITES) }, (_, index) =>
    all.slice(index * MAX_WRITES, (index + 1) * MAX_WRITES),
  );
}
