/** The boards that this process runs: those of the guilds whose shards it holds. */
import { isDeepStrictEqual } from 'node:util';
import { DAY } from '../base/duration.ts';
import { StoreError } from '../base/errors.ts';
import type { BoardSettings } from './board-records.ts';
import { fenceOrThrow, type OpenBoardParts, openBoard } from './open-board.ts';
import { createPace } from './pace.ts';
import { createRenderer } from './render.ts';
import type { Board, BoardStatus } from './runner.ts';
import { createShownBoards } from './shown-boards.ts';

export interface BoardsParts extends OpenBoardParts {
  /** How many processes share Discord's limit on requests. */
  readonly processes: () => number;
}

export interface RunningBoards {
  get(channelId: string): Board | undefined;
  statuses(): readonly BoardStatus[];
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
/** In ms; with many boards each checks less often, to limit the total rate. */
const CHECK = { every: 15_000, perBoard: 300 };

export function createRunningBoards(parts: BoardsParts): RunningBoards {
  const { records, clock, leases } = parts;
  const { boards, add, drop, check, checkGuild } = createBoardSet(parts);
  const { isReleasing, release } = createRelease(boards, drop);
  const pace = createPace({
    ...parts,
    boards: () => boards.size,
    requestsNow: parts.channels.requestsNow,
  });
  const checkEvery = (): number => Math.max(CHECK.every, boards.size * CHECK.perBoard);
  const shared = { checkEvery, pace, render: createRenderer(), forget };
  /** The settings with which all running boards were last compared. */
  let followed: ReadonlyMap<string, BoardSettings> | null = null;
  let stopping = false;

  /** Those of the shards that this process serves when it has read them. */
  async function readServed(): Promise<ReadonlyMap<string, BoardSettings>> {
    const shards = leases.served();
    const all = await records.served(shards);
    return stopping || shards === leases.served() ? all : readServed();
  }

  /** Begins those that this process has only now. Their states are read last: until then others may have written them. */
  async function begin(all: ReadonlyMap<string, BoardSettings>): Promise<void> {
    const isMissing = ({ channelId, guildId }: BoardSettings): boolean =>
      !stopping && !boards.has(channelId) && leases.holds(guildId);
    const missing = [...all.values()].filter(isMissing);
    await Promise.all(
      missing.map(async (settings) => {
        const state = await records.stateOf(settings.channelId);
        if (!isMissing(settings)) return;
        const board = openBoard({ settings, state }, parts, shared);
        add(board);
        board.wake();
      }),
    );
  }

  /** Changes and ends those that run. */
  async function follow(all: ReadonlyMap<string, BoardSettings>): Promise<void> {
    let lost = 0;
    for (const [channelId, board] of [...boards]) {
      const { settings, paused } = board.status;
      const stored = all.get(channelId);
      if (isReleasing(channelId)) continue;
      // Only this process deletes the record of a board that it has: one that was removed, or whose channel is gone.
      const isLost = stored === undefined && !settings.removed && paused?.why !== 'channel';
      if (isLost && leases.holds(settings.guildId)) lost += 1;
      if (stored === undefined || !leases.holds(settings.guildId)) drop(channelId);
      else if (paused?.why === 'channel' && clock.now() - paused.since > CHANNEL_GONE) await forget(settings);
      else if (all !== followed && !isDeepStrictEqual(settings, stored)) board.change(stored);
    }
    followed = all;
    if (lost > 0)
      parts.failed(
        new StoreError(`the store has lost ${lost} boards: /board list finds their messages again`),
      );
  }

  async function forget({ guildId, channelId }: BoardSettings): Promise<void> {
    await records.remove(channelId, fenceOrThrow(leases, guildId));
    drop(channelId);
  }

  return {
    get: (channelId) => boards.get(channelId),
    statuses: () => [...boards.values()].map(({ status }) => status),
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
function createRelease(boards: ReadonlyMap<string, Board>, drop: (channelId: string) => void) {
  const releasing = new Set<string>();
  return {
    isReleasing: (channelId: string): boolean => releasing.has(channelId),
    async release(has: (guildId: string) => boolean): Promise<void> {
      const theirs = [...boards].filter(([, { status }]) => has(status.settings.guildId));
      const ending = theirs.map(async ([channelId, board]) => {
        releasing.add(channelId);
        await board.handOver();
        releasing.delete(channelId);
        drop(channelId);
      });
      await Promise.all(ending);
    },
  };
}

/** The boards at work, by their channels and by their guilds; those that are shown keep the data polled. */
function createBoardSet(parts: BoardsParts) {
  const boards = new Map<string, Board>();
  const byGuild = new Map<string, Set<Board>>();
  const shown = createShownBoards(boards, parts);
  return {
    boards,
    add(board: Board): void {
      const { channelId, guildId } = board.status.settings;
      boards.set(channelId, board);
      byGuild.set(guildId, (byGuild.get(guildId) ?? new Set()).add(board));
      shown.check(board);
    },
    /** Ends it without changing its message. */
    drop(channelId: string): void {
      const board = boards.get(channelId);
      if (board === undefined) return;
      board.abandon();
      boards.delete(channelId);
      byGuild.get(board.status.settings.guildId)?.delete(board);
      shown.remove(board);
    },
    /** Whether it is shown may have changed. */
    check: shown.check,
    checkGuild(guildId: string, first: (board: Board) => void): void {
      for (const board of byGuild.get(guildId) ?? []) {
        first(board);
        shown.check(board);
      }
    },
  };
}
