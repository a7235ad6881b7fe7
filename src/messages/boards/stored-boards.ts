import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { createMutex } from '../../base/mutex.ts';
import { BoardSettings, BoardState, newBoardState } from '../../cards/board/board.ts';
import { formatMoment } from '../../i18n/timestamp.ts';
import { changeDocuments } from '../../store/change.ts';
import {
  declareCollection,
  deriveFromCollection,
  personalExport,
  readDocument,
  readNaming,
} from '../../store/collection.ts';
import type { Documents } from '../../store/documents.ts';

/** By channel. Apart from the states, so that these change without a process looking for other settings. */
export const storedSettings = declareCollection({
  name: 'boards',
  schema: BoardSettings,
  unreadable: 'none',
  person: {
    // A board stays, without its maker.
    forget: (settings, personId) => (settings.madeBy === personId ? { ...settings, madeBy: '' } : settings),
    export: [
      personalExport({
        name: 'boards',
        read: readMadeBy,
        lines: (boards, t) =>
          boards.map(({ channel, since }) =>
            t('privacy.board', { channel: `<#${channel}>`, ago: formatMoment(since, 'relative', t) }),
          ),
        question: (t) => t('forget.made'),
      }),
    ],
  },
});

/** By channel. */
export const storedStates = declareCollection({
  name: 'board-states',
  schema: BoardState,
  unreadable: 'none',
  person: 'nobody',
});

/** The notes of versions before 2.0.0 about changed settings. Not read: the start knows the collection. */
export const earlierChanges = declareCollection({
  name: 'board-changes',
  schema: z.unknown(),
  unreadable: 'none',
  person: 'nobody',
});

interface OwnBoard {
  readonly guild: string;
  readonly channel: string;
  /** Unix milliseconds. */
  readonly since: number;
}

/** Reads the boards that a person has made, oldest first. */
async function readMadeBy(documents: Documents, personId: string): Promise<readonly OwnBoard[]> {
  const boards = [...(await readNaming(documents, storedSettings, personId)).values()];
  return boards
    .filter(({ madeBy }) => madeBy === personId)
    .map(({ guildId: guild, channelId: channel, madeAt: since }) => ({ guild, channel, since }))
    .toSorted((a, b) => a.since - b.since);
}

export type BoardRecords = ReturnType<typeof createStoredBoards>;

/**
 * The boards in the store, one per channel, identified by that. Rejects where the store fails; writes are atomic.
 * Unreadable settings are reported by their channel, and left as they are. If a crash lost a message's id, the message
 * would be posted twice: the store must be durable.
 */
export function createStoredBoards(documents: Documents, unreadable: (channelId: string) => void = () => {}) {
  // An older answer must not come after a newer one.
  const inTurn = createMutex();
  const oldestFirst = deriveFromCollection(
    documents,
    storedSettings,
    (boards) => [...boards].toSorted(([, a], [, b]) => a.madeAt - b.madeAt),
    unreadable,
  );
  const served = async (ours: (guildId: string) => boolean): Promise<ReadonlyMap<string, BoardSettings>> =>
    new Map((await inTurn('', oldestFirst)).filter(([, { guildId }]) => ours(guildId)));
  /**
   * Applies a change to the settings as they are now, and resolves with what has become of them. Null where `to` gives
   * null, or there is no board. `to` may be called again.
   */
  const change = (channelId: string, to: (settings: BoardSettings) => BoardSettings | null) =>
    changeDocuments(documents, async (transaction) => {
      const settings = await transaction.read(storedSettings, channelId);
      const changed = settings === null ? null : to(settings);
      if (settings === null || changed === null) return null;
      if (isDeepStrictEqual(settings, changed)) return settings;
      transaction.write(storedSettings, channelId, changed);
      return changed;
    });
  return {
    /** The settings of all boards by channel, oldest first. */
    all: () => served(() => true),
    /** The settings of these guilds. Those that have not changed since they were last asked for are the same objects. */
    served,
    /** A new one instead of one that cannot be read: a board finds its message again by itself. */
    stateOf: async (channelId: string) =>
      (await readDocument(documents, storedStates, channelId)) ?? newBoardState,
    add: (settings: BoardSettings) =>
      changeDocuments(documents, async (transaction) =>
        transaction.write(storedSettings, settings.channelId, settings),
      ),
    change,
    /** Guilds with boards that are not being removed. */
    guilds: async () =>
      [...(await served(() => true)).values()].flatMap(({ guildId, removed }) => (removed ? [] : [guildId])),
    /** Begins to remove a guild's boards from before then (unix milliseconds), with their messages. Resolves with their number. */
    async removeIn(guild: string, before: number): Promise<number> {
      let count = 0;
      for (const channelId of (await served((id) => id === guild)).keys()) {
        const removed = await change(channelId, (settings) =>
          settings.removed || settings.madeAt >= before ? null : { ...settings, removed: true },
        );
        if (removed !== null) count += 1;
      }
      return count;
    },
    /** Does nothing if the board does not exist. */
    saveState: (channelId: string, state: BoardState) =>
      changeDocuments(documents, async (transaction) => {
        const settings = await transaction.read(storedSettings, channelId);
        if (settings !== null) transaction.write(storedStates, channelId, state);
      }),
    remove: (channelId: string) =>
      changeDocuments(documents, async (transaction) => {
        transaction.write(storedSettings, channelId, null);
        transaction.write(storedStates, channelId, null);
      }),
  };
}
