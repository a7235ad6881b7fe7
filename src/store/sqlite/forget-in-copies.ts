/** Deletes people from the copies of the file. It takes a second for each, so the bot does it in a process of its own. */
import { z } from 'zod';
import { systemClock as clock } from '../../base/clock.ts';
import { resultCode, StoreError } from '../../base/errors.ts';
import type { Collections } from '../collection.ts';
import { forgetInCopy } from '../forget.ts';
import { createDocuments, fillNamed, namedTableNamed } from '../tables/documents.ts';
import { hasTable, openDatabase } from './database.ts';
import { rewriteDocuments } from './rewrite.ts';
import { createSqliteSql } from './sql.ts';

/** Message of the log about a copy, or what is left of one, that cannot be changed. */
export const UNREACHED = 'a person was deleted, but not from this copy: delete it';

/** A copy that could not be changed. */
export const Unreached = z.object({
  copy: z.string(),
  /** Reason, without an id. */
  why: z.string(),
  /** Another attempt may reach it. */
  mayPass: z.boolean(),
});
type Unreached = z.output<typeof Unreached>;

/** One copy after the other. Resolves with those that could not be changed. */
export async function forgetInCopies(
  copies: readonly string[],
  collections: Collections,
  ids: readonly string[],
): Promise<readonly Unreached[]> {
  const unreached: Unreached[] = [];
  for (const copy of copies) {
    try {
      {
        using database = openDatabase(copy, { durable: true });
        // A copy of version 2.0 has no index, and stays as that version can read it.
        if (!hasTable(database, 'named'))
          database.exec(`PRAGMA temp_store = MEMORY; ${namedTableNamed('temp.named')}`);
        const copied = createSqliteSql(database, clock);
        await fillNamed(copied);
        await forgetInCopy(createDocuments(copied), collections, ids);
      }
      await rewriteDocuments(copy, { isInUse: false, clock });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      unreached.push({ copy, why, mayPass: mayPass(error) });
    }
  }
  return unreached;
}

/** SQLITE_BUSY, SQLITE_LOCKED, SQLITE_IOERR and SQLITE_FULL. */
const PASSING: readonly number[] = [5, 6, 10, 13];

function mayPass(error: unknown): boolean {
  const code = resultCode(error instanceof StoreError ? error.cause : error);
  return error instanceof StoreError && (code === null || PASSING.includes(code));
}
