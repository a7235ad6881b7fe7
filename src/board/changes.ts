/** What was changed last of all boards' settings: a process reads the boards of its own that others changed, and no other. */

import { z } from 'zod';
import type { BoardSettings } from '../service/models/board.ts';
import type { Transaction } from '../store/change.ts';
import { collection, readDocument } from '../store/collection.ts';
import { type Documents, VERSIONS } from '../store/documents.ts';

type Place = Pick<BoardSettings, 'guildId' | 'channelId'>;

/** In one document, oldest first: more than people change within the seconds between two looks. */
const MOST = 100;
const LATEST = 'latest';

const storedChanges = collection({
  name: 'board-changes',
  /** `before`: the version of all settings that it made another of. */
  schema: z.array(z.object({ before: z.number(), guildId: z.string(), channelId: z.string() })),
  unreadable: 'none',
});

/** Only read: a commit between reading them and writing makes the transaction begin again. */
const versions = collection({ name: VERSIONS, schema: z.number(), unreadable: 'none' });

/**
 * Goes with each change of `settings`, the collection, in one commit. Both have the same version from then on, until
 * somebody writes settings without a note: the notes begin anew after that.
 */
export async function note(transaction: Transaction, settings: string, place: Place): Promise<void> {
  const [before, noted] = await Promise.all([
    transaction.read(versions, settings),
    transaction.read(versions, storedChanges.name),
  ]);
  const earlier = before === noted ? await transaction.read(storedChanges, LATEST) : null;
  const { guildId, channelId } = place;
  const changes = [...(earlier ?? []), { before: before ?? 0, guildId, channelId }];
  transaction.write(storedChanges, LATEST, changes.slice(-MOST));
}

/**
 * The boards that were changed from one version of all settings to another; null where that is not known: the store has
 * lost its data, a person was forgotten, or there were too many.
 */
export async function changedBetween(
  documents: Documents,
  [before, after]: readonly [before: number, after: number],
): Promise<readonly Place[] | null> {
  if ((await documents.version(storedChanges.name)) !== after) return null;
  const changes = (await readDocument(documents, storedChanges, LATEST)) ?? [];
  const first = changes.findIndex((each) => each.before === before);
  return first < 0 ? null : changes.slice(first);
}
