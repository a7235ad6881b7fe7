import type { z } from 'zod';
import { StoreError } from '../base/errors.ts';
import { json } from '../base/json.ts';
import type { Documents } from './documents.ts';

/** Documents of one kind: declared by the room that decides about them. */
export interface Collection<Value> {
  readonly name: string;
  /** Null: it cannot be read. */
  parse(text: string): Value | null;
  /** Null for no text, and for one that cannot be read where that counts as none; else throws a `StoreError`. */
  decode(text: string | null): Value | null;
  encode(value: Value): string;
}

interface Declared<Value> {
  /** Part of the store's format. */
  readonly name: string;
  /** JSON in, JSON out: a value that was written is read back the same. */
  readonly schema: z.ZodType<Value>;
  /**
   * What a text that cannot be read counts as. `none` where it can be made again; `reject` where acting as if it were not
   * there does harm.
   */
  readonly unreadable: 'none' | 'reject';
}

export function collection<Value>({ name, schema, unreadable }: Declared<Value>): Collection<Value> {
  const stored = json(schema);
  const parse = (text: string): Value | null => stored.safeParse(text).data ?? null;
  return {
    name,
    parse,
    decode(text) {
      const value = text === null ? null : parse(text);
      if (value === null && text !== null && unreadable === 'reject')
        throw new StoreError(`a document of ${name} cannot be read`);
      return value;
    },
    encode: (value) => JSON.stringify(value),
  };
}

/** Null: there is none. */
export async function readDocument<Value>(
  documents: Documents,
  of: Collection<Value>,
  key: string,
): Promise<Value | null> {
  return of.decode((await documents.read(of.name, key)).text);
}

/** All values by key; `unreadable` is called for those that are left out. */
export async function readAll<Value>(
  documents: Documents,
  of: Collection<Value>,
  unreadable: (key: string) => void = () => {},
): Promise<ReadonlyMap<string, Value>> {
  const values = new Map<string, Value>();
  for (const [key, text] of await documents.all(of.name)) {
    const value = of.decode(text);
    if (value === null) unreadable(key);
    else values.set(key, value);
  }
  return values;
}

/**
 * Something that is computed from whole collections, and computed again only when one of them has another version. The
 * function that it returns asks for the versions each time.
 */
export function derived<Result>(
  documents: Documents,
  from: readonly Collection<unknown>[],
  compute: () => Promise<Result>,
): () => Promise<Result> {
  let last: { readonly versions: string; readonly result: Result } | null = null;
  return async () => {
    // Before the texts: a change between the two is found the next time.
    const versions = (await Promise.all(from.map(({ name }) => documents.version(name)))).join();
    if (last?.versions !== versions) last = { versions, result: await compute() };
    return last.result;
  };
}
