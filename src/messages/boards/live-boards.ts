/** All boards of this process, from start to stop: those of its guilds. */

import { isDeepStrictEqual } from 'node:util';
import { resolveWithin } from '../../base/clock.ts';
import { DAY } from '../../base/duration.ts';
import { StoreError } from '../../base/errors.ts';
import { forEachInSlices, forEachYielding } from '../../base/for-each-yielding.ts';
import { createJob } from '../../base/job.ts';
import { type BoardSettings, newBoardState } from '../../cards/board/board.ts';
import { createBoardMessages } from './board-messages.ts';
import { createBoardRequests } from './board-requests.ts';
import { createBoardSet } from './board-set.ts';
import type { KeptMessages } from './kept-messages.ts';
import { createPace } from './pace.ts';
import { type Board, createBoard } from './runner.ts';
import type { BoardParts, World } from './world.ts';

/** How often the store is checked, in ms. */
const SYNC_INTERVAL_MS = 5000;
/** The time all boards together have to store what they know, or to show that they are paused, in ms. */
const STOP_TIMEOUT_MS = 4000;
/** How long what belongs to a channel or a guild that is gone is stored, in ms. */
export const GONE_KEPT_MS = 30 * DAY;

/** The settings by key, of one kind. */
type Served = ReadonlyMap<string, BoardSettings>;

export function createLiveBoards(parts: BoardParts) {
  const { channels, clock, shards, failed, keptMessages } = parts;
  const { boards, add, drop, check, checkGuild } = createBoardSet(parts);
  const { requestsNow } = channels;
  const pace = createPace({ clock, processes: shards.processes, boards: () => boards.size, requestsNow });
  const world: World = { ...parts, pace, writes: new Map() };
  const boardMessages = createBoardMessages(parts);
  const kinds = [boardMessages, ...keptMessages];
  let stopping = false;
  let offAccess = (): void => {};

  const boardsOf = (messages: KeptMessages): readonly Board[] =>
    [...boards.values()].filter((board) => board.messages === messages);

  /** Begins those that this process has only now. */
  async function begin(messages: KeptMessages, all: Served): Promise<void> {
    const isMissing = (key: string): boolean => !stopping && !boards.has(key);
    const missingBoards = [...all].filter(([key]) => isMissing(key));
    await forEachYielding(missingBoards, async ([key, settings]) => {
      const state = (await messages.records.stateOf(key)) ?? newBoardState;
      if (!isMissing(key)) return;
      const board = createBoard({ key, messages }, settings, state, world);
      add(board);
      board.wake();
    });
  }

  /** Changes and ends those that run. */
  async function applySettings(messages: KeptMessages, served: Served): Promise<void> {
    let lostCount = 0;
    await forEachInSlices(boardsOf(messages), async (board) => {
      const { key } = board;
      const { settings, paused } = board.status;
      const storedSettings = served.get(key);
      // Only this process deletes the record of a board that it has: one that was removed, or whose channel is gone.
      const isLost = storedSettings === undefined && !settings.removed && paused?.why !== 'channel';
      if (isLost) lostCount += 1;
      if (storedSettings === undefined) drop(key);
      else if (!isDeepStrictEqual(settings, storedSettings)) board.change(storedSettings);
    });
    if (lostCount > 0 && messages.describeLoss !== null)
      failed(new StoreError(messages.describeLoss(lostCount)));
  }

  /** Forgets boards whose channel has been gone for long. Runs last: the store's documents still name them. */
  async function forgetGone(messages: KeptMessages): Promise<void> {
    for (const { key, status } of boardsOf(messages)) {
      const { settings, paused } = status;
      if (paused?.why !== 'channel' || clock.now() - paused.since <= GONE_KEPT_MS) continue;
      if (!(await channels.mayForget(settings.guildId))) continue;
      await messages.records.remove(key);
      drop(key);
    }
  }

  /** Starts, changes and ends boards to match the store, whichever process wrote it. */
  const sync = (): Promise<void> =>
    forEachYielding(kinds, async (messages) => {
      const served = await messages.records.served(shards.owns);
      if (stopping) return;
      await applySettings(messages, served);
      await begin(messages, served);
      await forEachInSlices(boardsOf(messages), async (board) => {
        check(board);
        board.lookAgain();
      });
      await forgetGone(messages);
    });

  const syncs = createJob(clock, SYNC_INTERVAL_MS, sync, failed);
  /** Callers at once share a run: an older one must not undo a newer one. A failure is reported, and tried again. */
  const syncNow = async (): Promise<void> => void (await syncs.now());

  async function end(endOne: (board: Board) => Promise<void>): Promise<void> {
    stopping = true;
    offAccess();
    const ends: Promise<void>[] = [];
    // Each draws its last frame.
    const beginEnds = forEachInSlices([...boards.values()], async (board) => void ends.push(endOne(board)));
    const allEnds = beginEnds.then(() => Promise.all(ends));
    await Promise.all([syncs.stop(), resolveWithin(allEnds, STOP_TIMEOUT_MS, clock)]);
    for (const key of [...boards.keys()]) drop(key);
  }

  return {
    ...createBoardRequests(parts, { boards, sync: syncNow }),
    /** Returns the status of each live board, without other messages. */
    statuses: () =>
      [...boards.values()].filter(({ messages }) => messages === boardMessages).map(({ status }) => status),
    writes: world.writes,
    /** Another message that is kept like a board was changed: shows that. */
    changed: (id: string) => boards.get(id)?.wake(),
    /** One was made or ended. Resolves with whether it is posted, when that is known. */
    async syncMessage(id: string): Promise<boolean> {
      await syncNow();
      const message = boards.get(id);
      message?.wake();
      return (await message?.isPosted()) ?? false;
    },
    async start(): Promise<void> {
      const recheck = (guildId: string) => checkGuild(guildId, (board) => board.accessChanged());
      offAccess = channels.onAccess(recheck, failed);
      await syncs.start();
    },
    /** Ends: another process goes on with the boards, whose messages stay as they are. */
    handOver: () => end((board) => board.handOver()),
    /** Ends: every board shows that it is paused. */
    stop: () => end((board) => board.stop()),
  };
}
