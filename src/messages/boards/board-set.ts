/** The working boards. Their data is polled while at least one of them shows it, and new data wakes all of them. */

import { forEachInSlices } from '../../base/for-each-yielding.ts';
import type { Poll, Source } from '../../service/poll/poll.ts';
import type { BoardChannels } from './channels.ts';
import type { Board } from './runner.ts';

/** Sources of data, from the one that most messages need to the one that fewest need. */
const sources = ['live', 'overview', 'members'] as const satisfies readonly Source[];

export function createBoardSet({
  poll,
  channels,
}: {
  readonly poll: Pick<Poll, 'watch'>;
  readonly channels: Pick<BoardChannels, 'access'>;
}) {
  const boards = new Map<string, Board>();
  const byGuild = new Map<string, Set<Board>>();
  /** Boards that show something, by the last source that they need: the set is read every few seconds, for thousands of boards. */
  const boardsBySource = { live: new Set<Board>(), overview: new Set<Board>(), members: new Set<Board>() };
  let watched: readonly Source[] = [];
  let unwatch = (): void => {};
  let first = 0;

  /** Wakes all boards one after the other, each time beginning with another one. */
  function wakeAll(): void {
    const all = [...boards.values()];
    first = (first + 1) % Math.max(1, all.length);
    // Work that a board begins counts as well: a change that all show would be one turn.
    void forEachInSlices([...all.slice(first), ...all.slice(0, first)], async (board) =>
      board.factsChanged(),
    );
  }

  function show(board: Board, last: Source | null): void {
    for (const source of sources)
      if (source === last) boardsBySource[source].add(board);
      else boardsBySource[source].delete(board);
    const neededSources = sources.slice(
      0,
      1 + sources.findLastIndex((source) => boardsBySource[source].size > 0),
    );
    if (neededSources.length === watched.length) return;
    const unwatchPrevious = unwatch;
    watched = neededSources;
    unwatch = neededSources.length === 0 ? () => {} : poll.watch(neededSources, wakeAll);
    // The old watch ends last, so that polling of shared sources continues.
    unwatchPrevious();
  }

  const check = (board: Board): void => show(board, isShown(board, channels) ? lastSourceOf(board) : null);

  function drop(key: string): void {
    const board = boards.get(key);
    if (board === undefined) return;
    board.abandon();
    boards.delete(key);
    byGuild.get(board.status.settings.guildId)?.delete(board);
    show(board, null);
  }

  return {
    /** The boards by key. */
    boards,
    add(board: Board): void {
      const { key } = board;
      const { settings } = board.status;
      boards.set(key, board);
      byGuild.set(settings.guildId, (byGuild.get(settings.guildId) ?? new Set()).add(board));
      check(board);
      // By then the channel may have another board.
      void board.ended().then(() => boards.get(key) === board && drop(key));
    },
    /** Ends a board without changing its message. */
    drop,
    /** Has to be called when permissions, options or the pause of a board may have changed. */
    check,
    checkGuild(guildId: string, beforeCheck: (board: Board) => void): void {
      for (const board of byGuild.get(guildId) ?? []) {
        beforeCheck(board);
        check(board);
      }
    },
  };
}

const lastSourceOf = ({ messages, status }: Board): Source => messages.lastSource(status.settings);

/** A paused board shows nothing, so nothing is polled for it until it may continue. */
function isShown({ status: { paused, settings } }: Board, channels: Pick<BoardChannels, 'access'>): boolean {
  if (paused === null) return true;
  return paused.why !== 'unwanted' && channels.access(settings.guildId, settings.channelId).kind === 'open';
}
