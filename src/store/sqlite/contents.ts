import { z } from 'zod';
import { openUnchanged } from './examine-file.ts';

export interface Contents {
  /** The texts of its documents, by collection. */
  readonly documents: ReadonlyMap<string, readonly string[]>;
  /** Of the data service. */
  readonly answers: number;
}

const Row = z.object({ collection: z.string(), text: z.string() });

/** What a good file holds. */
export function contentsOf(path: string): Contents {
  using database = openUnchanged(path);
  const all = database
    .prepare('SELECT collection, text FROM documents')
    .all()
    .map((row) => Row.parse(row));
  const byCollection = Map.groupBy(all, ({ collection }) => collection);
  return {
    documents: new Map([...byCollection].map(([name, found]) => [name, found.map(({ text }) => text)])),
    answers: Number(database.prepare('SELECT count(*) AS n FROM entries').get()?.['n']),
  };
}
