/** All boards of this process, from start to stop: those of the guilds that it holds. */

import { isDeepStrictEqual } from 'node:util';
import { within } from '../base/clock.ts';
import { DAY } from '../base/duration.ts';
import { StoreError } from '../base/errors.ts';
import { every, type Repetition } from '../base/every.ts';
import { type BoardSettings, newBoardState } from '../service/models/board.ts';
import { createBoardRequests } from './board-requests.ts';
import { createBoardSet } from './board-set.ts';
import { createPace } from './pace.ts';
import { createRenderer } from './render.ts';
import { type Board, createBoard } from './runner.ts';
import { messageKey, type Rooms, recordOf, type World } from './world.ts';

/** How often the store is checked, in ms. */
const SYNC_EVERY = 5000;
/** The time all boards together have to store what they know, or to show that they are paused, in ms. */
const STOPPING = 4000;
/** How long settings are stored after their channel is gone. */
const CHANNEL_GONE = 30 * DAY;

export function createLiveBoards(rooms: Rooms) {
  const { channels, records, clock, shards, failed, others } = rooms;
  const { boards, add, drop, check, checkGuild } = createBoardSet(rooms);
  const { requestsNow } = channels;
  const pace = createPace({ clock, processes: shards.processes, boards: () => boards.size, requestsNow });
  const world: World = { ...rooms, pace, render: createRenderer(), writes: new Map() };
  /** The settings with which all running boards were last compared. */
  let followed: ReadonlyMap<string, BoardSettings> | null = null;
  let stopping = false;
  let syncs: Repetition | null = null;
  let offAccess = (): void => {};

  /** Boards of the guilds that are this process's when it has read them. */
  async function readServed(): Promise<ReadonlyMap<string, BoardSettings>> {
    const ours = shards.served();
    const [own, theirs] = [await records.served(ours), await others.records.served(ours)];
    if (!stopping && ours !== shards.served()) return readServed();
    return theirs.size === 0 ? own : new Map([...own, ...theirs]);
  }

  /** Begins those that this process has only now. Their states are read last: until then others may have written them. */
  async function begin(all: ReadonlyMap<string, BoardSettings>): Promise<void> {
    const isMissing = (settings: BoardSettings): boolean =>
      !stopping && !boards.has(messageKey(settings)) && shards.holds(settings.guildId);
    const missing = [...all.values()].filter(isMissing);
    await Promise.all(
      missing.map(async (settings) => {
        const state = (await recordOf(settings, rooms).state()) ?? newBoardState;
        if (!isMissing(settings)) return;
        const board = createBoard(settings, state, world);
        add(board);
        board.wake();
      }),
    );
  }

  /** Changes and ends those that run. */
  function follow(all: ReadonlyMap<string, BoardSettings>): void {
    let lost = 0;
    for (const [key, board] of [...boards]) {
      const { settings, paused } = board.status;
      const stored = all.get(key);
      // Only this process deletes the record of a board that it has: one that was removed, or whose channel is gone.
      const isLost = stored === undefined && !settings.removed && paused?.why !== 'channel';
      if (isLost && settings.id === undefined && shards.holds(settings.guildId)) lost += 1;
      if (stored === undefined || !shards.holds(settings.guildId)) drop(key);
      else if (all !== followed && !isDeepStrictEqual(settings, stored)) board.change(stored);
    }
    followed = all;
    if (lost > 0)
      failed(new StoreError(`the store has lost ${lost} boards: /board list finds their messages again`));
  }

  /** Those whose channel has been gone for long: last of all, since what was read of the store names them still. */
  async function forgetGone(): Promise<void> {
    for (const [key, { status }] of [...boards]) {
      const { settings, paused } = status;
      if (paused?.why !== 'channel' || clock.now() - paused.since <= CHANNEL_GONE) continue;
      if (!shards.holds(settings.guildId)) continue;
      await recordOf(settings, rooms).forget();
      drop(key);
    }
  }

  /** Starts, changes and ends boards to match the store, whichever process wrote it. */
  async function sync(): Promise<void> {
    const all = await readServed();
    if (stopping) return;
    follow(all);
    await begin(all);
    for (const board of boards.values()) check(board);
    await forgetGone();
  }

  async function end(endOne: (board: Board) => Promise<void>): Promise<void> {
    stopping = true;
    offAccess();
    const ended = Promise.all([...boards.values()].map(endOne));
    await Promise.all([syncs?.stop(), within(ended, STOPPING, clock)]);
    for (const key of [...boards.keys()]) drop(key);
  }

  return {
    ...createBoardRequests(rooms, { boards, sync }),
    /** Of boards alone. */
    statuses: () =>
      [...boards.values()].map(({ status }) => status).filter(({ settings }) => settings.id === undefined),
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
      syncs = every(clock, SYNC_EVERY, sync, failed);
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
