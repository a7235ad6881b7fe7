import { z } from 'zod';
import { forEachInSlices } from '../../base/for-each-yielding.ts';
import { type Sql, type Steps, sql } from '../../base/sql.ts';
import { type Document, type Documents, VERSIONS } from '../documents.ts';

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

const TextNow = z.tuple([z.object({ text: z.string().nullable(), now: z.number() })]);
const KeyAndText = z.object({ key: z.string(), text: z.string() });
const Searched = z.object({ collection: z.string(), key: z.string(), isNaming: z.coerce.boolean() });

/** The database must be durable, so that a commit is on the disk when it resolves. */
export function createDocuments(database: Sql): Documents {
  const textOf = (collection: string, key: string) => sql`
    SELECT (SELECT text FROM documents WHERE collection = ${collection} AND key = ${key}) AS text, ${database.now()} AS now`;

  function* put({ collection, key, text }: Document): Steps<void> {
    if (text === null) yield sql`DELETE FROM documents WHERE collection = ${collection} AND key = ${key}`;
    else
      yield sql`INSERT INTO documents (collection, key, text) VALUES (${collection}, ${key}, ${text})
        ON CONFLICT (collection, key) DO UPDATE SET text = excluded.text`;
  }

  function* raiseVersion(name: string): Steps<void> {
    const [{ text, now }] = TextNow.parse(yield textOf(VERSIONS, name));
    const next = Math.max(Number(text ?? 0) + 1, Math.trunc(now * 1000));
    yield* put({ collection: VERSIONS, key: name, text: String(next) });
  }

  return {
    read: async (collection, key) => TextNow.parse(await database.read(textOf(collection, key)))[0],
    async all(collection) {
      const texts = new Map<string, string>();
      const rows = await database.read(sql`SELECT key, text FROM documents WHERE collection = ${collection}`);
      await forEachInSlices(rows, (row) => {
        const { key, text } = KeyAndText.parse(row);
        texts.set(key, text);
      });
      return texts;
    },
    commit: (seen, writes) =>
      database.write(function* () {
        for (const { collection, key, text } of seen)
          if (TextNow.parse(yield textOf(collection, key))[0].text !== text) return false;
        for (const document of writes) yield* put(document);
        for (const name of new Set(writes.map(({ collection }) => collection))) yield* raiseVersion(name);
        return true;
      }),
    async naming(text, within) {
      const matches: Pick<Document, 'collection' | 'key'>[] = [];
      let at: { readonly collection: string; readonly key: string } | null = {
        collection: within ?? '',
        key: '',
      };
      const pages = function* () {
        while (at !== null) yield at;
      };
      // In pages: the whole table at once would hold everything up.
      await forEachInSlices(pages(), async ({ collection, key }) => {
        const rows = await database.read(sql`
          SELECT collection, key, replace(key, ${text}, '') <> key OR replace(text, ${text}, '') <> text AS "isNaming"
          FROM documents WHERE (collection, key) > (${collection}, ${key})
          ORDER BY collection, key LIMIT ${database.rowsAtOnce}`);
        const page = z.array(Searched).parse(rows);
        const inside = page.filter((row) => (within ?? row.collection) === row.collection);
        for (const { isNaming, ...document } of inside) if (isNaming) matches.push(document);
        at = inside.length < database.rowsAtOnce ? null : (inside.at(-1) ?? null);
      });
      return matches;
    },
  };
}
