import { StoreError } from '../../base/errors.ts';
import { forEachInSlices } from '../../base/for-each-yielding.ts';
import { createOutage } from '../../base/outage.ts';
import type { Translator } from '../../i18n/translator.ts';
import type { Collections, PersonalExport } from '../../store/collection.ts';
import type { Documents } from '../../store/documents.ts';
import type { Forgetter } from '../../store/forget.ts';
import type { HiddenDrivers } from './hidden-drivers.ts';
import { isSettled, type Link, type Links, MIN_LINK_AGE_MS } from './links.ts';

/** History of the driver whom a person has linked. */
export interface OwnHistory {
  readonly username: string;
  /**
   * Why it outlasts the account's data: the link is young, until then (unix milliseconds), or the operator has decided that
   * nobody can hide or delete this driver. Null: it can be deleted.
   */
  readonly kept: { readonly why: 'young'; readonly until: number } | { readonly why: 'operator' } | null;
}

/** The result of a deletion. */
export interface Forgotten {
  /** The files that could not be changed. */
  readonly left: readonly string[];
  /** The driver whose history is still there; null: there is none. */
  readonly kept: { readonly username: string; readonly isFixed: boolean } | null;
}

/** Everything stored under a person's account, and what history recorded about their driver. */
export function createOwnData(parts: {
  readonly documents: Documents;
  /** All that may hold something of a person. */
  readonly collections: Collections;
  readonly links: Pick<Links, 'of'>;
  /** Deletes all that is stored under the account. */
  readonly forgetter: Pick<Forgetter, 'forget' | 'isNamed' | 'search'>;
  readonly hidden: Pick<HiddenDrivers, 'isFixed' | 'isHidden'>;
  readonly names: { forgetNickname(username: string): Promise<void> };
  /** Deletes all that history keeps of a driver; resolves with the files that may still hold some of it. */
  readonly forgetDriver: (username: string) => Promise<readonly string[]>;
  readonly failed: ExportFailed;
  /** The store is a database, whose copies the bot does not reach. */
  readonly isShared: boolean;
}) {
  const { links, forgetter, hidden: hiddenDrivers, names, forgetDriver } = parts;

  /** The person's own link counts, and no guild's correction: anyone can create a guild and be its administrator. */
  async function historyOf(personId: string, now: number): Promise<OwnHistory | null> {
    const link = await links.of(personId);
    if (link === null) return null;
    const { username } = link;
    const isShownByOperator = hiddenDrivers.isFixed(username) && !hiddenDrivers.isHidden(username);
    return { username, kept: isShownByOperator ? { why: 'operator' } : keptByAge(link, now) };
  }

  return {
    stored: (personId: string, t: Translator) => storedData(personId, t, parts),
    /** Tells whether anything is stored under the account. */
    isStored: forgetter.isNamed,
    /** Resolves with the lines of the question of `/forget-me`. */
    forgetLines: (t: Translator) => forgetLines(t, parts),
    /** Returns the sentence about copies of what is deleted. */
    copiesText: (t: Translator) => t(parts.isShared ? 'forget.copies.database' : 'forget.copies.file'),
    /** Null: the person has linked no driver. */
    history: historyOf,
    /** Deletes an account about which nothing is stored: backups may hold data that was deleted earlier. */
    search: forgetter.search,
    /**
     * Deletes all that is stored under the account. `history`: that of the driver too, where it is not kept. Rejects
     * where the store itself fails.
     */
    async forget(
      personId: string,
      { history, now }: { readonly history: boolean; readonly now: number },
    ): Promise<Forgotten> {
      const ownHistory = await historyOf(personId, now);
      const isDeleted = history && ownHistory?.kept === null;
      if (isDeleted) await names.forgetNickname(ownHistory.username);
      const remainingFiles = isDeleted ? await forgetDriver(ownHistory.username) : [];
      await forgetter.forget(personId);
      return {
        left: remainingFiles,
        kept:
          ownHistory === null || isDeleted
            ? null
            : { username: ownHistory.username, isFixed: ownHistory.kept?.why === 'operator' },
      };
    },
  };
}

function keptByAge(link: Link, now: number): OwnHistory['kept'] {
  return isSettled(link, now) ? null : { why: 'young', until: link.since + MIN_LINK_AGE_MS };
}

/** Called with the collection of an export that fails. */
type ExportFailed = (collection: string, error: unknown) => void;

/** Data that is stored under a person's account, and their exports. */
interface Exports {
  readonly documents: Documents;
  readonly collections: Collections;
  readonly failed: ExportFailed;
}

/** Everything stored under a person's account. */
interface StoredData {
  /** The fields of the file of `/privacy`; null or an empty list: nothing is stored. */
  readonly file: Readonly<Record<string, unknown>>;
  /** The lines of `/privacy`. */
  readonly lines: readonly string[];
}

/** Reads everything that these collections store of a person. Only what cannot be read is missing, and said to be. */
export async function storedData(personId: string, t: Translator, parts: Exports): Promise<StoredData> {
  const documents = refuseUnreadable(parts);
  const records = await readExports(
    parts,
    async ({ name, read }) => {
      const { data, lines } = await read(documents, personId);
      return { name, data, lines: lines(t) };
    },
    ({ name }) => ({ name, data: 'could not be read', lines: null }),
  );
  const unreadable = records.some(({ lines }) => lines === null) ? [t('privacy.unreadable')] : [];
  return {
    file: Object.fromEntries(records.map(({ name, data }) => [name, data])),
    lines: [...unreadable, ...records.flatMap(({ lines }) => lines ?? [])],
  };
}

/** Resolves with the lines of the question of `/forget-me`. */
export async function forgetLines(
  t: Translator,
  parts: Omit<Exports, 'documents'>,
): Promise<readonly string[]> {
  const lines = await readExports(
    parts,
    async ({ question }) => question(t),
    () => null,
  );
  return [...new Set(lines.filter((line) => line !== null))];
}

/**
 * Reads each export, in the order of the collections. One that fails takes no other one with it. All who ask share the
 * time of a turn of the event loop.
 */
async function readExports<Result, Else>(
  { collections, failed }: Omit<Exports, 'documents'>,
  read: (exported: PersonalExport) => Promise<Result>,
  otherwise: (exported: PersonalExport) => Else,
): Promise<readonly (Result | Else)[]> {
  const all = collections.flatMap(({ name: collection, person }) => {
    const exported = person?.export;
    if (exported === undefined || 'partOf' in exported || 'derivedFrom' in exported) return [];
    return exported.map((one) => ({ ...one, collection }));
  });
  const results: (Result | Else)[] = [];
  await forEachInSlices(all, async (one) => {
    const outage = createOutage((error) => failed(one.collection, error));
    const attempt = outage.attempt(
      () => read(one),
      () => otherwise(one),
    );
    results.push(await attempt);
  });
  return results;
}

/** The documents; to read one that is not readable fails, even if it counts as none otherwise. */
function refuseUnreadable({ documents, collections }: Exports): Documents {
  return {
    ...documents,
    async read(name, key, maxAge) {
      const answer = await documents.read(name, key, maxAge);
      const declared = collections.find((collection) => collection.name === name);
      if (answer.text !== null && declared?.parse(answer.text) === null)
        throw new StoreError(`a document of ${name} cannot be read`);
      return answer;
    },
  };
}
