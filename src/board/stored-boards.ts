import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { forEachInSlices } from '../base/for-each-yielding.ts';
import { createMutex } from '../base/mutex.ts';
import { formatMoment } from '../i18n/timestamp.ts';
import { BoardSettings, BoardState, newBoardState } from '../service/models/board.ts';
import { changeDocuments, type Transaction } from '../store/change.ts';
import { declareCollection, personalExport, readDocument, readNaming } from '../store/collection.ts';
import { type Documents, readVersion, VERSIONS } from '../store/documents.ts';

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
        order: 12,
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
  return {
    /** The settings of all boards by channel, oldest first. */
    all: () => readWhere(documents, () => true, unreadable),
    /**
     * The settings of these guilds; the same map until one has changed, which takes the store one number to say, or the
     * function is another one. Where others have changed, theirs are not read.
     */
    served: createServed(documents, unreadable),
    /** A new one instead of one that cannot be read: a board finds its message again by itself. */
    stateOf: async (channelId: string) =>
      (await readDocument(documents, storedStates, channelId)) ?? newBoardState,
    add: (settings: BoardSettings) =>
      changeDocuments(documents, async (transaction) => {
        transaction.write(storedSettings, settings.channelId, settings);
        await note(transaction, storedSettings.name, settings);
      }),
    /**
     * Applies a change to the settings as they are now, and resolves with what has become of them. Null where `to` gives
     * null, or there is no board. `to` may be called again.
     */
    change: (channelId: string, to: (settings: BoardSettings) => BoardSettings | null) =>
      changeDocuments(documents, async (transaction) => {
        const settings = await transaction.read(storedSettings, channelId);
        const changed = settings === null ? null : to(settings);
        if (settings === null || changed === null) return null;
        if (isDeepStrictEqual(settings, changed)) return settings;
        transaction.write(storedSettings, channelId, changed);
        await note(transaction, storedSettings.name, changed);
        return changed;
      }),
    /** Does nothing if the board does not exist. */
    saveState: (channelId: string, state: BoardState) =>
      changeDocuments(documents, async (transaction) => {
        const settings = await transaction.read(storedSettings, channelId);
        if (settings !== null) transaction.write(storedStates, channelId, state);
      }),
    remove: (channelId: string) =>
      changeDocuments(documents, async (transaction) => {
        const settings = await transaction.read(storedSettings, channelId);
        transaction.write(storedSettings, channelId, null);
        transaction.write(storedStates, channelId, null);
        if (settings !== null) await note(transaction, storedSettings.name, settings);
      }),
  };
}

type Boards = ReadonlyMap<string, BoardSettings>;

/** The boards of some guilds: all are read for the first time of these, and later those that have changed. */
function createServed(documents: Documents, unreadable: (channelId: string) => void) {
  let last: {
    readonly ours: (guildId: string) => boolean;
    readonly version: number;
    readonly boards: Boards;
  } | null = null;
  // An older answer must not come after a newer one.
  const inTurn = createMutex();

  async function changed(before: Boards, channelIds: readonly string[]): Promise<Boards> {
    if (channelIds.length === 0) return before;
    const boards = new Map(before);
    for (const channelId of channelIds) {
      const settings = await readDocument(documents, storedSettings, channelId);
      if (settings === null) boards.delete(channelId);
      else boards.set(channelId, settings);
    }
    return oldestFirst(boards);
  }

  return (ours: (guildId: string) => boolean): Promise<Boards> =>
    inTurn('', async () => {
      // Before the settings: a change between the two is found the next time.
      const version = await readVersion(documents, storedSettings.name);
      const lastReading = last?.ours === ours ? last : null;
      if (lastReading?.version === version) return lastReading.boards;
      const changes = lastReading && (await changedBetween(documents, [lastReading.version, version]));
      const boards =
        lastReading === null || changes === null
          ? await readWhere(documents, ({ guildId }) => ours(guildId), unreadable)
          : await changed(
              lastReading.boards,
              changes.flatMap(({ guildId, channelId }) => (ours(guildId) ? [channelId] : [])),
            );
      last = { ours, version, boards };
      return boards;
    });
}

async function readWhere(
  documents: Documents,
  has: (settings: BoardSettings) => boolean,
  unreadable: (channelId: string) => void,
): Promise<Boards> {
  const boards = new Map<string, BoardSettings>();
  await forEachInSlices(await documents.all(storedSettings.name), ([channelId, text]) => {
    const settings = storedSettings.parse(text);
    if (settings === null) unreadable(channelId);
    else if (has(settings)) boards.set(channelId, settings);
  });
  return oldestFirst(boards);
}

function oldestFirst(boards: Boards): Boards {
  return new Map([...boards].toSorted(([, a], [, b]) => a.madeAt - b.madeAt));
}

type ChannelPlace = Pick<BoardSettings, 'guildId' | 'channelId'>;

/** In one document, oldest first: more than people change within the seconds between two looks. */
const MAX_CHANGES = 100;
const LATEST = 'latest';

export const storedChanges = declareCollection({
  name: 'board-changes',
  /** `before`: the version of all settings that it made another of. */
  schema: z.array(z.object({ before: z.number(), guildId: z.string(), channelId: z.string() })),
  unreadable: 'none',
  person: 'nobody',
});

/** Only read: a commit between reading them and writing makes the transaction begin again. */
const versions = declareCollection({
  name: VERSIONS,
  schema: z.number(),
  unreadable: 'none',
  person: 'nobody',
});

/**
 * Goes with each change of `settings`, the collection, in one commit. Both have the same version from then on, until
 * somebody writes settings without a note: the notes begin anew after that.
 */
async function note(transaction: Transaction, settings: string, place: ChannelPlace): Promise<void> {
  const [before, noted] = await Promise.all([
    transaction.read(versions, settings),
    transaction.read(versions, storedChanges.name),
  ]);
  const earlier = before === noted ? await transaction.read(storedChanges, LATEST) : null;
  const { guildId, channelId } = place;
  const changes = [...(earlier ?? []), { before: before ?? 0, guildId, channelId }];
  transaction.write(storedChanges, LATEST, changes.slice(-MAX_CHANGES));
}

/**
 * The boards that were changed from one version of all settings to another; null where that is not known: the store has
 * lost its data, a person was forgotten, or there were too many.
 */
async function changedBetween(
  documents: Documents,
  [before, after]: readonly [before: number, after: number],
): Promise<readonly ChannelPlace[] | null> {
  if ((await readVersion(documents, storedChanges.name)) !== after) return null;
  const changes = (await readDocument(documents, storedChanges, LATEST)) ?? [];
  const first = changes.findIndex((each) => each.before === before);
  return first < 0 ? null : changes.slice(first);
}
