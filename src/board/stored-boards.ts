import { assertFence } from '../shards/fence.ts';
import { change } from '../store/change.ts';
import { collection, derived, readDocument } from '../store/collection.ts';
import type { Documents } from '../store/documents.ts';
import { type Forgetting, forgetting } from '../store/forget.ts';
import { type BoardRecords, BoardSettings, BoardState, newState } from './board-records.ts';

/** By channel. Apart from the states, so that these change without being read again by every process. */
export const storedSettings = collection({ name: 'boards', schema: BoardSettings, unreadable: 'none' });

/** By channel. */
const storedStates = collection({ name: 'board-states', schema: BoardState, unreadable: 'none' });

/**
 * The boards in the store. `unreadable` is called with the channel. If a crash lost a message's id, the message would be
 * posted twice: the store must be durable.
 */
export function createStoredBoards(
  documents: Documents,
  unreadable: (channelId: string) => void = () => {},
): BoardRecords {
  return {
    all: derived(
      documents,
      storedSettings,
      (all) => new Map([...all].toSorted(([, a], [, b]) => a.madeAt - b.madeAt)),
      unreadable,
    ),
    stateOf: async (channelId) => (await readDocument(documents, storedStates, channelId)) ?? newState,
    add: (settings) =>
      change(documents, async (transaction) =>
        transaction.write(storedSettings, settings.channelId, settings),
      ),
    change: (channelId, to) =>
      change(documents, async (transaction) => {
        const settings = await transaction.read(storedSettings, channelId);
        const changed = settings === null ? null : to(settings);
        if (changed !== null) transaction.write(storedSettings, channelId, changed);
        return changed;
      }),
    saveState: (channelId, state, fence) =>
      change(documents, async (transaction) => {
        const [, settings] = await Promise.all([
          assertFence(transaction, fence),
          transaction.read(storedSettings, channelId),
        ]);
        if (settings !== null) transaction.write(storedStates, channelId, state);
      }),
    remove: (channelId, fence) =>
      change(documents, async (transaction) => {
        await assertFence(transaction, fence);
        transaction.write(storedSettings, channelId, null);
        transaction.write(storedStates, channelId, null);
      }),
  };
}

/** A board stays, without its maker. */
export const boardsForgetting: readonly Forgetting[] = [
  forgetting(storedSettings, (settings, personId) =>
    settings.madeBy === personId ? { ...settings, madeBy: '' } : settings,
  ),
];
