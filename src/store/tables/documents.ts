import { z } from 'zod';
import { forEachInSlices } from '../../base/for-each-yielding.ts';
import { listSql, type Sql, type Steps, sql } from '../../base/sql.ts';
import { type Document, type Documents, idOf, VERSIONS } from '../documents.ts';

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

/** Returns the SQL that makes an index of documents by the persons whom they may name. */
export const namedTableNamed = (name: string): string => `
  CREATE TABLE ${name} (
    person TEXT NOT NULL,
    collection TEXT NOT NULL,
    key TEXT NOT NULL,
    PRIMARY KEY (person, collection, key)
  ) STRICT, WITHOUT ROWID;
`;

export const namedTable = namedTableNamed('named');

/** Person of the row that says that the index has all documents. */
const ALL_FILLED = '';

/** Ids of Discord: no time and no count has so many digits. */
const IDS = /\d{17,}/g;

const TextNow = z.tuple([z.object({ text: z.string().nullable(), now: z.number() })]);
const KeyAndText = z.object({ key: z.string(), text: z.string() });
const Place = z.object({ collection: z.string(), key: z.string() });
const Stored = Place.extend({ text: z.string() });

/**
 * Returns each id of Discord in a document, whatever it is the id of. A declaration that forgot a place, a text that cannot be
 * read and a collection of another version hide nobody.
 */
function idsIn({ key, text }: Pick<Document, 'key' | 'text'>): ReadonlySet<string> {
  return new Set(text === null ? [] : `${key} ${text}`.match(IDS));
}

/** Changes the index from one text of a document to another one. */
function* indexDocument({ rowsAtOnce }: Pick<Sql, 'rowsAtOnce'>, from: Document, to: Document): Steps<void> {
  const { collection, key } = to;
  const [before, after] = [idsIn(from), idsIn(to)];
  const removed = [...before.difference(after)];
  for (let at = 0; at < removed.length; at += rowsAtOnce)
    yield sql`DELETE FROM named WHERE collection = ${collection} AND key = ${key}
      AND person IN (${listSql(removed.slice(at, at + rowsAtOnce).map((person) => sql`${person}`))})`;
  const added = [...after.difference(before)].map((person) => sql`(${person}, ${collection}, ${key})`);
  for (let at = 0; at < added.length; at += rowsAtOnce)
    yield sql`INSERT INTO named (person, collection, key) VALUES ${listSql(added.slice(at, at + rowsAtOnce))}
      ON CONFLICT (person, collection, key) DO NOTHING`;
}

/**
 * Fills the index of a store that version 2.0 wrote, once, with a turn for everything else after a few documents. If the process
 * ends meanwhile, the next one begins anew.
 */
export async function fillNamed(database: Sql): Promise<void> {
  const isFilled = await database.read(sql`SELECT 1 AS filled FROM named WHERE person = ${ALL_FILLED}`);
  if (isFilled.length > 0) return;
  let at: z.output<typeof Place> | null = { collection: '', key: '' };
  const pages = function* () {
    while (at !== null) yield at;
  };
  await forEachInSlices(pages(), async ({ collection, key }) => {
    at = await database.write(function* () {
      const rows = z.array(Stored).parse(
        yield sql`SELECT collection, key, text FROM documents WHERE (collection, key) > (${collection}, ${key})
          ORDER BY collection, key LIMIT ${database.rowsAtOnce}`,
      );
      for (const row of rows) yield* indexDocument(database, { ...row, text: null }, row);
      return rows.at(-1) ?? null;
    });
  });
  await database.write(function* () {
    yield sql`INSERT INTO named (person, collection, key) VALUES (${ALL_FILLED}, '', '') ON CONFLICT DO NOTHING`;
  });
}

/** The database must be durable, so that a commit is on the disk when it resolves. */
export function createDocuments(database: Sql): Documents {
  const textOf = (collection: string, key: string) => sql`
    SELECT (SELECT text FROM documents WHERE collection = ${collection} AND key = ${key}) AS text, ${database.now()} AS now`;

  function* textIn({ collection, key }: Document): Steps<string | null> {
    return TextNow.parse(yield textOf(collection, key))[0].text;
  }

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
        for (const document of seen) if ((yield* textIn(document)) !== document.text) return false;
        const knownTexts = new Map(seen.map((document) => [idOf(document), document.text]));
        for (const document of writes) {
          const known = knownTexts.get(idOf(document));
          const text = known === undefined ? yield* textIn(document) : known;
          yield* indexDocument(database, { ...document, text }, document);
          yield* put(document);
        }
        for (const name of new Set(writes.map(({ collection }) => collection))) yield* raiseVersion(name);
        return true;
      }),
    async naming(person, within) {
      const inside = within === undefined ? sql`` : sql`AND collection = ${within}`;
      const rows = await database.read(
        sql`SELECT collection, key FROM named WHERE person = ${person} ${inside} ORDER BY collection, key`,
      );
      return z.array(Place).parse(rows);
    },
  };
}
