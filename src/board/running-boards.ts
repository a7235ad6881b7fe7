/** The boards that this process runs: those of the guilds that it holds. */

import { isDeepStrictEqual } from 'node:util';
import { DAY } from '../base/duration.ts';
import { StoreError } from '../base/errors.ts';
import type { BoardSettings, BoardStatus } from '../service/models/board.ts';
import { newState } from './board-records.ts';
import { createPace } from './pace.ts';
import { createRenderer } from './render.ts';
import { type Board, createBoard } from './runner.ts';
import { createShownBoards } from './shown-boards.ts';
import { forget, messageKey, type Rooms, recordsOf, type World } from './world.ts';

export interface RunningBoards {
  /** By the channel of a board, or the id of another message. */
  get(key: string): Board | undefined;
  /** Of boards alone. */
  statuses(): readonly BoardStatus[];
  readonly writes: World['writes'];
  /** Starts, changes and ends boards to match the store, whichever process wrote it. */
  sync(): Promise<void>;
  /** The gateway reports a change of a guild's permissions or channels. */
  accessChanged(guildId: string): void;
  /** Ends those of some guilds, for another process to go on with. Resolves when they have ended. */
  release(has: (guildId: string) => boolean): Promise<void>;
  /** Each board shows that it is paused. Resolves when all have ended. */
  stop(): Promise<void>;
  /** Ends all without changing their messages. */
  abandon(): void;
}

/** How long settings are stored after their channel is gone. */
const CHANNEL_GONE = 30 * DAY;

export function createRunningBoards(rooms: Rooms): RunningBoards {
  const { records, clock, cluster, failed, others } = rooms;
  const { boards, add, drop, check, checkGuild } = createBoardSet(rooms);
  const { isReleasing, release } = createRelease(boards);
  const requestsNow = rooms.channels.requestsNow;
  const pace = createPace({ clock, processes: cluster.processes, boards: () => boards.size, requestsNow });
  const world: World = { ...rooms, pace, render: createRenderer(), writes: new Map() };
  /** The settings with which all running boards were last compared. */
  let followed: ReadonlyMap<string, BoardSettings> | null = null;
  let stopping = false;

  /** Boards of the guilds that are this process's when it has read them. */
  async function readServed(): Promise<ReadonlyMap<string, BoardSettings>> {
    const ours = cluster.served();
    const [own, theirs] = [await records.served(ours), await others.records.served(ours)];
    if (!stopping && ours !== cluster.served()) return readServed();
    return theirs.size === 0 ? own : new Map([...own, ...theirs]);
  }

  /** Begins those that this process has only now. Their states are read last: until then others may have written them. */
  async function begin(all: ReadonlyMap<string, BoardSettings>): Promise<void> {
    const isMissing = (settings: BoardSettings): boolean =>
      !stopping && !boards.has(messageKey(settings)) && cluster.holds(settings.guildId);
    const missing = [...all.values()].filter(isMissing);
    await Promise.all(
      missing.map(async (settings) => {
        const state = (await recordsOf(settings, rooms).stateOf(messageKey(settings))) ?? newState;
        if (!isMissing(settings)) return;
        const board = createBoard({ settings, state }, world);
        add(board);
        board.wake();
      }),
    );
  }

  /** Changes and ends those that run. */
  async function follow(all: ReadonlyMap<string, BoardSettings>): Promise<void> {
    let lost = 0;
    for (const [key, board] of [...boards]) {
      const { settings, paused } = board.status;
      const stored = all.get(key);
      if (isReleasing(key)) continue;
      // Only this process deletes the record of a board that it has: one that was removed, or whose channel is gone.
      const isLost = stored === undefined && !settings.removed && paused?.why !== 'channel';
      if (isLost && settings.id === undefined && cluster.holds(settings.guildId)) lost += 1;
      if (stored === undefined || !cluster.holds(settings.guildId)) drop(key);
      else if (paused?.why === 'channel' && clock.now() - paused.since > CHANNEL_GONE)
        await forget(settings, world).then(() => drop(key));
      else if (all !== followed && !isDeepStrictEqual(settings, stored)) board.change(stored);
    }
    followed = all;
    if (lost > 0)
      failed(new StoreError(`the store has lost ${lost} boards: /board list finds their messages again`));
  }

  return {
    get: (key) => boards.get(key),
    statuses: () =>
      [...boards.values()].map(({ status }) => status).filter(({ settings }) => settings.id === undefined),
    writes: world.writes,
    async sync() {
      const all = await readServed();
      if (stopping) return;
      await follow(all);
      await begin(all);
      for (const board of boards.values()) check(board);
    },
    accessChanged: (guildId) => checkGuild(guildId, (board) => board.accessChanged()),
    release,
    async stop() {
      stopping = true;
      await Promise.all([...boards.values()].map((board) => board.stop()));
    },
    abandon: () => [...boards.keys()].forEach(drop),
  };
}

/** Ends boards for another process to go on with; until they have ended, they are neither dropped nor checked. */
function createRelease(boards: ReadonlyMap<string, Board>) {
  const releasing = new Set<string>();
  return {
    isReleasing: (key: string): boolean => releasing.has(key),
    async release(has: (guildId: string) => boolean): Promise<void> {
      const theirs = [...boards].filter(([, { status }]) => has(status.settings.guildId));
      const ending = theirs.map(async ([key, board]) => {
        releasing.add(key);
        await board.handOver();
        releasing.delete(key);
      });
      await Promise.all(ending);
    },
  };
}

/** The boards at work, by their keys and by their guilds; those that are shown keep the data polled. */
function createBoardSet(rooms: Pick<World, 'poll' | 'channels'>) {
  const boards = new Map<string, Board>();
  const byGuild = new Map<string, Set<Board>>();
  const shown = createShownBoards(boards, rooms);
  /** Ends it without changing its message. */
  function drop(key: string): void {
    const board = boards.get(key);
    if (board === undefined) return;
    board.abandon();
    boards.delete(key);
    byGuild.get(board.status.settings.guildId)?.delete(board);
    shown.remove(board);
  }

  return {
    boards,
    add(board: Board): void {
      const key = messageKey(board.status.settings);
      const { guildId } = board.status.settings;
      boards.set(key, board);
      byGuild.set(guildId, (byGuild.get(guildId) ?? new Set()).add(board));
      shown.check(board);
      // By then its channel may have another one.
      void board.ended().then(() => boards.get(key) === board && drop(key));
    },
    drop,
    /** To be called where a board may have to be shown, or no longer. */
    check: shown.check,
    checkGuild(guildId: string, first: (board: Board) => void): void {
      for (const board of byGuild.get(guildId) ?? []) {
        first(board);
        shown.check(board);
      }
    },
  };
}
