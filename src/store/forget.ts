import { change } from './change.ts';
import type { Collection } from './collection.ts';
import type { Documents } from './documents.ts';

/** How the documents of one collection forget a person. */
export interface Forgetting {
  /** Of the collection. */
  readonly name: string;
  /** The text without the person; null: there is nothing left of it. */
  without(text: string, personId: string, key: string): string | null;
}

/**
 * `without`: what is left of a value that names a person, or whose key does; the same value where it names somebody else.
 * A text that cannot be read and names the person goes as a whole.
 */
export function forgetting<Value>(
  of: Collection<Value>,
  without: (value: Value, personId: string, key: string) => Value | null,
): Forgetting {
  return {
    name: of.name,
    without(text, personId, key) {
      const value = of.parse(text);
      if (value === null) return null;
      const left = without(value, personId, key);
      return left === value ? text : left === null ? null : of.encode(left);
    },
  };
}

/**
 * Removes a person from all these collections in one commit, and then from the files. Resolves with the files that may
 * still name them.
 */
export async function forgetPerson(
  documents: Documents,
  forgettings: readonly Forgetting[],
  personId: string,
): Promise<readonly string[]> {
  const named: (readonly [Forgetting, string])[] = [];
  for (const each of forgettings)
    for (const [key, text] of await documents.all(each.name))
      if (key.includes(personId) || text.includes(personId)) named.push([each, key]);
  await change(documents, async (transaction) => {
    for (const [{ name, without }, key] of named) {
      const text = await transaction.read(asText(name), key);
      if (text !== null) transaction.write(asText(name), key, without(text, personId, key));
    }
  });
  return documents.scrub();
}

function asText(name: string): Collection<string> {
  return { name, parse: (text) => text, decode: (text) => text, encode: (text) => text };
}
