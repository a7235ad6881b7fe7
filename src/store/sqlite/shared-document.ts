import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import type { SharedDocument } from '../shared-document.ts';
import type { Database } from './database.ts';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS shared_document (
    name TEXT PRIMARY KEY,
    text TEXT NOT NULL
  ) STRICT;
`;

const Row = z.object({ text: z.string() });

export function createSqliteDocument(
  database: Database,
  name: string,
  clock: Pick<Clock, 'now'>,
): SharedDocument {
  database.exec(SCHEMA);
  const read = database.prepare('SELECT text FROM shared_document WHERE name = ?');
  const create = database.prepare('INSERT INTO shared_document VALUES (?, ?) ON CONFLICT DO NOTHING');
  const replace = database.prepare('UPDATE shared_document SET text = ? WHERE name = ? AND text = ?');
  return {
    async read() {
      return { text: Row.safeParse(read.get(name)).data?.text ?? null, now: clock.now() };
    },
    async replace(from, next) {
      return (from === null ? create.run(name, next) : replace.run(next, name, from)) === 1;
    },
  };
}
