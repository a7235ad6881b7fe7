import { change } from '../store/change.ts';
import { derived, readDocument } from '../store/collection.ts';
import type { Documents } from '../store/documents.ts';
import { foldName } from '../text/fold-name.ts';
import type { HiddenDrivers } from './hidden-drivers.ts';
import { changePerson, people } from './people.ts';

/** Drivers on whom no alert may be set, since they do not want it. */
export interface UnwatchedDrivers {
  /** Their own driver; null: they do not mind. */
  set(personId: string, username: string | null): Promise<void>;
  of(personId: string): Promise<string | null>;
  /** In the spelling of `foldName`. */
  all(): Promise<ReadonlySet<string>>;
}

export function createUnwatchedDrivers(documents: Documents): UnwatchedDrivers {
  return {
    set: (personId, unwatched) =>
      change(documents, (transaction) => changePerson(transaction, personId, () => ({ unwatched }))),
    of: async (personId) => (await readDocument(documents, people, personId))?.unwatched ?? null,
    all: derived(
      documents,
      people,
      (all) =>
        new Set(
          [...all.values()].flatMap(({ unwatched }) => (unwatched === null ? [] : [foldName(unwatched)])),
        ),
    ),
  };
}

/** Drivers on whom no alert may be set: by their own wish, and those who are in no list. In the spelling of `foldName`. */
export function unwatchedBy(
  unwatched: Pick<UnwatchedDrivers, 'all'>,
  hidden: Pick<HiddenDrivers, 'all'>,
): () => Promise<ReadonlySet<string>> {
  return async () => new Set([...(await hidden.all()), ...(await unwatched.all())]);
}
