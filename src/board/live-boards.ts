/** All boards of this process, from start to stop: those of the guilds that it holds. */

import { isDeepStrictEqual } from 'node:util';
import { resolveWithin } from '../base/clock.ts';
import { DAY } from '../base/duration.ts';
import { StoreError } from '../base/errors.ts';
import { forEachYielding } from '../base/for-each-yielding.ts';
import { type Repetition, repeatEvery } from '../base/repeat-every.ts';
import { type BoardSettings, newBoardState } from '../service/models/board.ts';
import { createBoardMessages } from './board-messages.ts';
import { createBoardRequests } from './board-requests.ts';
import { createBoardSet } from './board-set.ts';
import type { KeptMessages } from './kept-messages.ts';
import { createPace } from './pace.ts';
import { type Board, createBoard } from './runner.ts';
import type { Rooms, World } from './world.ts';

/** How often the store is checked, in ms. */
const SYNC_EVERY = 5000;
/** The time all boards together have to store what they know, or to show that they are paused, in ms. */
const STOP_TIMEOUT_MS = 4000;
/** How long what belongs to a channel or a guild that is gone is stored, in ms. */
export const GONE_KEPT_MS = 30 * DAY;

/** The settings by kind and key. */
type Served = ReadonlyMap<KeptMessages, ReadonlyMap<string, BoardSettings>>;

export function createLiveBoards(rooms: Rooms) {
  const { channels, clock, shards, failed, keptMessages } = rooms;
  const { boards, add, drop, check, checkGuild } = createBoardSet(rooms);
  const { requestsNow } = channels;
  const pace = createPace({ clock, processes: shards.processes, boards: () => boards.size, requestsNow });
  const world: World = { ...rooms, pace, writes: new Map() };
  const boardMessages = createBoardMessages(rooms);
  const kinds = [boardMessages, ...keptMessages];
  let stopping = false;
  let syncs: Repetition | null = null;
  let offAccess = (): void => {};

  /** Messages of the guilds that are this process's when it has read them. */
  async function readServed(): Promise<Served> {
    const ours = shards.served();
    const served = new Map<KeptMessages, ReadonlyMap<string, BoardSettings>>();
    for (const messages of kinds) served.set(messages, await messages.records.served(ours));
    return !stopping && ours !== shards.served() ? readServed() : served;
  }

  /** Begins those that this process has only now. Their states are read last: until then others may have written them. */
  async function begin(messages: KeptMessages, all: ReadonlyMap<string, BoardSettings>): Promise<void> {
    const isMissing = (key: string, { guildId }: BoardSettings): boolean =>
      !stopping && !boards.has(key) && shards.holds(guildId);
    const missingBoards = [...all].filter(([key, settings]) => isMissing(key, settings));
    await forEachYielding(missingBoards, async ([key, settings]) => {
      const state = (await messages.records.stateOf(key)) ?? newBoardState;
      if (!isMissing(key, settings)) return;
      const board = createBoard({ key, messages }, settings, state, world);
      add(board);
      board.wake();
    });
  }

  /** Changes and ends those that run. */
  function follow(served: Served): void {
    const lostCounts = new Map<KeptMessages, number>();
    for (const [key, board] of [...boards]) {
      const { messages, status } = board;
      const { settings, paused } = status;
      const storedSettings = served.get(messages)?.get(key);
      // Only this process deletes the record of a board that it has: one that was removed, or whose channel is gone.
      const isLost = storedSettings === undefined && !settings.removed && paused?.why !== 'channel';
      if (isLost && shards.holds(settings.guildId))
        lostCounts.set(messages, (lostCounts.get(messages) ?? 0) + 1);
      if (storedSettings === undefined || !shards.holds(settings.guildId)) drop(key);
      else if (!isDeepStrictEqual(settings, storedSettings)) board.change(storedSettings);
    }
    for (const [{ describeLoss }, count] of lostCounts)
      if (describeLoss !== null) failed(new StoreError(describeLoss(count)));
  }

  /** Forgets boards whose channel has been gone for long. Runs last: the store's documents still name them. */
  async function forgetGone(): Promise<void> {
    for (const [key, { messages, status }] of [...boards]) {
      const { settings, paused } = status;
      if (paused?.why !== 'channel' || clock.now() - paused.since <= GONE_KEPT_MS) continue;
      if (!shards.holds(settings.guildId) || !(await channels.mayForget(settings.guildId))) continue;
      await messages.records.remove(key);
      drop(key);
    }
  }

  /** Starts, changes and ends boards to match the store, whichever process wrote it. */
  async function sync(): Promise<void> {
    const served = await readServed();
    if (stopping) return;
    follow(served);
    for (const [messages, all] of served) await begin(messages, all);
    for (const board of boards.values()) check(board);
    await forgetGone();
  }

  async function end(endOne: (board: Board) => Promise<void>): Promise<void> {
    stopping = true;
    offAccess();
    const allEnds = Promise.all([...boards.values()].map(endOne));
    await Promise.all([syncs?.stop(), resolveWithin(allEnds, STOP_TIMEOUT_MS, clock)]);
    for (const key of [...boards.keys()]) drop(key);
  }

  return {
    ...createBoardRequests(rooms, { boards, sync }),
    /** Returns the status of each live board, without other messages. */
    statuses: () =>
      [...boards.values()].filter(({ messages }) => messages === boardMessages).map(({ status }) => status),
    writes: world.writes,
    /** Another message that is kept like a board was changed: shows that. */
    changed: (id: string) => boards.get(id)?.wake(),
    /** One was made or ended. Resolves with whether it is posted, when that is known. */
    async follow(id: string): Promise<boolean> {
      await sync();
      const message = boards.get(id);
      message?.wake();
      return (await message?.isPosted()) ?? false;
    },
    async start(): Promise<void> {
      offAccess = channels.onAccess((guildId) => checkGuild(guildId, (board) => board.accessChanged()));
      syncs = repeatEvery(clock, SYNC_EVERY, sync, failed);
      await syncs.now();
    },
    /** Other guilds are this process's than before. */
    guildsChanged(): void {
      void syncs?.now();
    },
    /** Ends: another process goes on with the boards, whose messages stay as they are. */
    handOver: () => end((board) => board.handOver()),
    /** Ends: every board shows that it is paused. */
    stop: () => end((board) => board.stop()),
  };
}
