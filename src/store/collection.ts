import type { z } from 'zod';
import { StoreError } from '../base/errors.ts';
import { forEachInSlices, forEachYielding } from '../base/for-each-yielding.ts';
import { jsonText } from '../base/json.ts';
import type { Translator } from '../i18n/translator.ts';
import { type Documents, readVersion } from './documents.ts';

/** Collections of any values. */
export type Collections = readonly Collection<unknown>[];

/** Documents of one kind, declared by the module that decides about them. Nothing is stored without a declaration. */
export interface Collection<Value> {
  readonly name: string;
  /** Null: its documents name nobody. */
  readonly person: Personal | null;
  /** Null: it cannot be read. */
  parse(text: string): Value | null;
  /** Null for no text, and for one that cannot be read where that counts as none; else throws a `StoreError`. */
  decode(text: string | null): Value | null;
  encode(value: Value): string;
}

/** One kind of data about a person, as `/privacy` and `/forget-me` show it. */
export interface PersonalExport {
  /** Key in the file of `/privacy`. */
  readonly name: string;
  /** Resolves with the data for the file. `lines`: the lines of `/privacy` about it, none without data. */
  read(
    documents: Documents,
    personId: string,
  ): Promise<{ readonly data: unknown; readonly lines: (t: Translator) => readonly string[] }>;
  /** Returns the line for the question of `/forget-me`; null: the question itself names this kind. */
  question(t: Translator): string | null;
}

/** `read`: resolves with null or an empty list if nothing is stored; `lines` is not called then. */
export function personalExport<Data>({
  name,
  read,
  lines,
  question = () => null,
}: Pick<PersonalExport, 'name'> &
  Partial<Pick<PersonalExport, 'question'>> & {
    read(documents: Documents, personId: string): Promise<Data>;
    lines(data: NonNullable<Data>, t: Translator): readonly string[];
  }): PersonalExport {
  return {
    name,
    question,
    async read(documents, personId) {
      const data = await read(documents, personId);
      return { data, lines: (t) => (data == null || isNothing(data) ? [] : lines(data, t)) };
    },
  };
}

/** Tells whether exported data say that nothing is stored. */
function isNothing(data: unknown): boolean {
  return Array.isArray(data) && data.length === 0;
}

/**
 * How people get what is stored of them: by exports of this collection, by those of another one, or not at all because it
 * follows from another one.
 */
type Exported =
  | readonly [PersonalExport, ...PersonalExport[]]
  | { readonly partOf: string }
  | { readonly derivedFrom: string };

/** How the texts of a collection concern people. */
interface Personal {
  readonly export: Exported;
  /** Returns the text without the person; null if nothing is left, or if the text cannot be read. */
  forget(text: string, personId: string, key: string): string | null;
}

/** How the values of a collection concern people. */
interface PersonalRules<Value> {
  /** Returns the value without the person: null if nothing is left, the same value if it names somebody else. */
  forget(value: Value, personId: string, key: string): Value | null;
  readonly export: Exported;
}

interface Declared<Value> {
  /** Part of the store's format. */
  readonly name: string;
  /** JSON in, JSON out: a value that was written is read back the same. */
  readonly schema: z.ZodType<Value>;
  /**
   * Meaning of an unreadable text. `none` if it can be made again; `reject` if acting as if it were not
   * there does harm.
   */
  readonly unreadable: 'none' | 'reject';
  /** The people whose data it holds. `nobody`: neither key nor value holds an account's id. */
  readonly person: 'nobody' | PersonalRules<Value>;
}

export function declareCollection<Value>({
  name,
  schema,
  unreadable,
  person,
}: Declared<Value>): Collection<Value> {
  const storedText = jsonText(schema);
  const parse = (text: string): Value | null => storedText.safeParse(text).data ?? null;
  const encode = (value: Value): string => JSON.stringify(value);
  return {
    name,
    person: person === 'nobody' ? null : { export: person.export, forget: forgetIn(parse, encode, person) },
    parse,
    decode(text) {
      const value = text === null ? null : parse(text);
      if (value === null && text !== null && unreadable === 'reject')
        throw new StoreError(`a document of ${name} cannot be read`);
      return value;
    },
    encode,
  };
}

function forgetIn<Value>(
  parse: (text: string) => Value | null,
  encode: (value: Value) => string,
  { forget }: PersonalRules<Value>,
): Personal['forget'] {
  return (text, personId, key) => {
    const value = parse(text);
    const remainder = value === null ? null : forget(value, personId, key);
    return remainder === null ? null : remainder === value ? text : encode(remainder);
  };
}

/** Null: there is none. `maxAge`: see {@link Documents.read}. */
export async function readDocument<Value>(
  documents: Documents,
  of: Collection<Value>,
  key: string,
  maxAge = 0,
): Promise<Value | null> {
  return of.decode((await documents.read(of.name, key, maxAge)).text);
}

/** All values by key, without those that cannot be read where that counts as none. */
export async function readAll<Value>(
  documents: Documents,
  of: Collection<Value>,
): Promise<ReadonlyMap<string, Value>> {
  const values = new Map<string, Value>();
  await forEachInSlices(await documents.all(of.name), ([key, text]) => {
    const value = of.decode(text);
    if (value !== null) values.set(key, value);
  });
  return values;
}

/** Values of the documents that hold this account id in their key or text, by key. The store has an index of them. */
export async function readNaming<Value>(
  documents: Documents,
  of: Collection<Value>,
  personId: string,
): Promise<ReadonlyMap<string, Value>> {
  const values = new Map<string, Value>();
  await forEachYielding(await documents.naming(personId, of.name), async ({ key }) => {
    const value = await readDocument(documents, of, key);
    if (value !== null) values.set(key, value);
  });
  return values;
}

/**
 * Something that is computed from a whole collection, and computed again only when that has another version; the function
 * that it returns asks for the version each time. Only texts that have changed are parsed again. Those that cannot be read
 * are left out, and `unreadable` is called once with the key of each.
 */
export function deriveFromCollection<Value, Result>(
  documents: Documents,
  of: Collection<Value>,
  compute: (all: ReadonlyMap<string, Value>) => Result,
  unreadable: (key: string) => void = () => {},
): () => Promise<Result> {
  let parsed: ReadonlyMap<string, { readonly text: string; readonly value: Value | null }> = new Map();
  let last: { readonly version: number; readonly result: Result } | null = null;

  async function readChanged(): Promise<ReadonlyMap<string, Value>> {
    const texts = await documents.all(of.name);
    const values = new Map<string, Value>();
    const next = new Map<string, { readonly text: string; readonly value: Value | null }>();
    await forEachInSlices(texts, ([key, text]) => {
      const lastParsed = parsed.get(key);
      const current = lastParsed?.text === text ? lastParsed : { text, value: of.parse(text) };
      next.set(key, current);
      if (current.value !== null) values.set(key, current.value);
      else if (current !== lastParsed) unreadable(key);
    });
    parsed = next;
    return values;
  }

  return async () => {
    // Before the texts: a change between the two is found the next time.
    const version = await readVersion(documents, of.name);
    if (last?.version !== version) last = { version, result: compute(await readChanged()) };
    return last.result;
  };
}
