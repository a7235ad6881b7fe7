import { z } from 'zod';
import { systemClock as clock } from '../../base/clock.ts';
import type { PostgresAddress } from '../../base/config/store-place.ts';
import { type Sql, sql } from '../../base/sql.ts';
import { createDocuments } from '../tables/documents.ts';
import { databaseOf } from './open.ts';
import { findFormat, whyUnusable } from './prepare.ts';
import { openSession } from './session.ts';
import { toStartError } from './trouble.ts';

export interface PostgresFacts {
  readonly kind: 'postgres';
  /** Why it cannot be used, and what to do. */
  readonly trouble: string | null;
  /** Settings that lose data, each with its remedy. */
  readonly advice: readonly string[];
  readonly version: string;
  /** Bytes of the whole database. */
  readonly bytes: number;
  /** Null: the bot makes its tables when it starts. */
  readonly format: number | null;
}

const Server = z.tuple([
  z.object({ version: z.string(), bytes: z.number(), fsync: z.string(), commit: z.string() }),
]);

/** Looks at the database over a session of its own, beside the bots that use it. */
export async function probePostgres(address: PostgresAddress, collections: readonly string[]) {
  const documents = new Map<string, readonly string[]>();
  const unusable = (error: unknown) => {
    const trouble = toStartError(error).message;
    const facts: PostgresFacts = {
      kind: 'postgres',
      trouble,
      advice: [],
      version: '',
      bytes: 0,
      format: null,
    };
    return { facts, documents, ledger: null, close() {} };
  };
  const session = await openSession(address, { clock, isReadOnly: false }).catch(unusable);
  if ('facts' in session) return session;
  try {
    const database: Sql = databaseOf(session, (query) => session.query(query));
    const format = await findFormat(database);
    const why = whyUnusable(format);
    if (why !== null) throw why;
    const [server] = Server.parse(
      await database.read(sql`SELECT current_setting('server_version') AS version,
        pg_database_size(current_database()) AS bytes, current_setting('fsync') AS fsync,
        current_setting('synchronous_commit') AS commit`),
    );
    if (format !== null)
      for (const name of collections)
        documents.set(name, [...(await createDocuments(database).all(name)).values()]);
    const advice = [
      ...(server.fsync === 'on' ? [] : ['a crash of its machine loses the database: set fsync on']),
      ...(server.commit === 'off' ? ['a crash loses the last writes: set synchronous_commit on'] : []),
    ];
    const facts: PostgresFacts = { kind: 'postgres', trouble: null, advice, format, ...server };
    return { facts, documents, ledger: format === null ? null : database, close: session.end };
  } catch (error) {
    session.end();
    return unusable(error);
  }
}
