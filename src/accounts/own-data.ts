import { DAY } from '../base/duration.ts';
import type { Translator } from '../i18n/translator.ts';
import type { Forgotten, OwnHistory } from '../service/models/own-data.ts';
import { type Collections, isNothing, type PersonalExport } from '../store/collection.ts';
import type { Documents } from '../store/documents.ts';
import type { Forgetter } from '../store/forget.ts';
import type { HiddenDrivers } from './hidden-drivers.ts';
import type { Link, Links } from './links.ts';

/**
 * How long a link that is not proved has to stand before it can delete its driver's history, in ms. Until then the
 * driver's real owner can learn from `/link` that somebody else has it, and prove that it is theirs. Longer would keep
 * honest drivers waiting for little: who plans to harm can wait, too.
 */
const MIN_LINK_AGE_MS = 30 * DAY;

/** Everything stored under a person's account, and what history recorded about their driver. */
export function createOwnData(parts: {
  readonly documents: Documents;
  /** All that may hold something of a person. */
  readonly collections: Collections;
  readonly links: Pick<Links, 'of'>;
  /** Deletes all that is stored under the account. */
  readonly forgetter: Pick<Forgetter, 'forget' | 'search'>;
  readonly hidden: Pick<HiddenDrivers, 'isFixed' | 'isHidden'>;
  readonly names: { forgetNickname(username: string): Promise<void> };
  /** Deletes all that history keeps of a driver; resolves with the files that may still hold some of it. */
  readonly forgetDriver: (username: string) => Promise<readonly string[]>;
}) {
  const { documents, collections, links, forgetter, hidden: hiddenDrivers, names, forgetDriver } = parts;

  /** The person's own link counts, and no guild's correction: anyone can create a guild and be its administrator. */
  async function historyOf(personId: string, now: number): Promise<OwnHistory | null> {
    const link = await links.of(personId);
    if (link === null) return null;
    const { username } = link;
    const isShownByOperator = hiddenDrivers.isFixed(username) && !hiddenDrivers.isHidden(username);
    return { username, kept: isShownByOperator ? { why: 'operator' } : keptByAge(link, now) };
  }

  return {
    stored: (personId: string) => storedData(personId, documents, collections),
    /** Returns the lines of the question of `/forget-me`. */
    forgetLines: (t: Translator) => forgetLines(collections, t),
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

function keptByAge({ since, proved }: Link, now: number): OwnHistory['kept'] {
  if (proved !== null) return null;
  const deletableAt = since + MIN_LINK_AGE_MS;
  return now < deletableAt ? { why: 'young', until: deletableAt } : null;
}

/** Everything stored under a person's account. */
interface StoredData {
  /** The fields of the file of `/privacy`; null or an empty list: nothing is stored. */
  readonly file: Readonly<Record<string, unknown>>;
  readonly isEmpty: boolean;
  /** Returns the lines of `/privacy`. */
  lines(t: Translator): readonly string[];
}

/** Reads everything that these collections store of a person. */
export async function storedData(
  personId: string,
  documents: Documents,
  collections: Collections,
): Promise<StoredData> {
  const records = await Promise.all(
    exportsOf(collections).map(async ({ name, read }) => ({ name, ...(await read(documents, personId)) })),
  );
  return {
    file: Object.fromEntries(records.map(({ name, data }) => [name, data])),
    isEmpty: records.every(({ data }) => isNothing(data)),
    lines: (t) => records.flatMap(({ lines }) => lines(t)),
  };
}

/** Returns the lines of the question of `/forget-me`. */
export function forgetLines(collections: Collections, t: Translator): readonly string[] {
  const lines = exportsOf(collections).map(({ question }) => question(t));
  return [...new Set(lines.filter((line) => line !== null))];
}

/** In the order in which people see them. */
function exportsOf(collections: Collections): readonly PersonalExport[] {
  return collections
    .flatMap(({ person }) => {
      const exported = person?.export ?? [];
      return 'partOf' in exported || 'derivedFrom' in exported ? [] : exported;
    })
    .toSorted((a, b) => a.order - b.order);
}
