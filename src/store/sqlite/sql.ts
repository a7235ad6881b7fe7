import type { Clock } from '../../base/clock.ts';
import { type Query, type Row, runSteps, type Sql, sql } from '../../base/sql.ts';
import type { Database } from './database.ts';

/** SQL over one connection. Each statement is prepared once. */
export function createSqliteSql(database: Database, clock: Pick<Clock, 'now'>): Sql {
  const prepared = new Map<string, ReturnType<Database['prepare']>>();
  let isDurable: boolean | null = null;

  /** The last ones, by their parts: one that inserts many rows need not be put together for each. */
  const byParts = new WeakMap<Query['parts'], ReturnType<Database['prepare']>>();

  function statementOf(parts: Query['parts']): ReturnType<Database['prepare']> {
    const text = parts.join('?');
    const statement = prepared.get(text) ?? database.prepare(text);
    prepared.set(text, statement);
    byParts.set(parts, statement);
    return statement;
  }

  const run = ({ parts, values }: Query): readonly Row[] =>
    (byParts.get(parts) ?? statementOf(parts)).all(...values);

  return {
    now: () => sql`${clock.now()}`,
    rowsAtOnce: 1,
    read: async (query) => run(query),
    async write(work, durable) {
      if (durable !== undefined && durable !== isDurable)
        database.exec(`PRAGMA synchronous = ${durable ? 'FULL' : 'NORMAL'}`);
      isDurable = durable ?? isDurable;
      return database.transaction(() => runSteps(work(), run));
    },
  };
}
