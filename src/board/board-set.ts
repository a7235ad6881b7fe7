/** The boards at work. Their data is polled while at least one of them shows it, and news of it wakes them all. */

import { inSlices } from '../base/in-slices.ts';
import type { Poll } from '../service/poll/poll.ts';
import type { Source } from '../service/poll/sources.ts';
import type { BoardChannels } from './channels.ts';
import type { Board } from './runner.ts';
import { messageKey } from './world.ts';

export function createBoardSet({
  poll,
  channels,
}: {
  readonly poll: Pick<Poll, 'watch'>;
  readonly channels: Pick<BoardChannels, 'access'>;
}) {
  const boards = new Map<string, Board>();
  const byGuild = new Map<string, Set<Board>>();
  const shown = new Set<Board>();
  let watched: readonly Source[] = [];
  let unwatch = (): void => {};
  let first = 0;

  /** Boards hear of news one after the other: each time another one comes first. */
  function wakeAll(): void {
    const all = [...boards.values()];
    first = (first + 1) % Math.max(1, all.length);
    void inSlices([...all.slice(first), ...all.slice(0, first)], (board) => board.news());
  }

  function adjustPoll(): void {
    const needed = sourcesOf(shown);
    if (needed.length === watched.length) return;
    const before = unwatch;
    watched = needed;
    unwatch = needed.length === 0 ? () => {} : poll.watch(needed, wakeAll);
    // Only now: what both need goes on.
    before();
  }

  function check(board: Board): void {
    if (isShown(board, channels)) shown.add(board);
    else shown.delete(board);
    adjustPoll();
  }

  function drop(key: string): void {
    const board = boards.get(key);
    if (board === undefined) return;
    board.abandon();
    boards.delete(key);
    byGuild.get(board.status.settings.guildId)?.delete(board);
    shown.delete(board);
    adjustPoll();
  }

  return {
    /** By the channel of a board, or the id of another message. */
    boards,
    add(board: Board): void {
      const { settings } = board.status;
      const key = messageKey(settings);
      boards.set(key, board);
      byGuild.set(settings.guildId, (byGuild.get(settings.guildId) ?? new Set()).add(board));
      check(board);
      // By then its channel may have another one.
      void board.ended().then(() => boards.get(key) === board && drop(key));
    },
    /** Ends it without changing its message. */
    drop,
    /** To be called where its permissions or its pause may have changed. */
    check,
    checkGuild(guildId: string, first: (board: Board) => void): void {
      for (const board of byGuild.get(guildId) ?? []) {
        first(board);
        check(board);
      }
    },
  };
}

/** The members cost budget, and not every board shows them. */
function sourcesOf(shown: ReadonlySet<Board>): readonly Source[] {
  if (shown.size === 0) return [];
  // Other messages cost nothing but what is polled for history anyway.
  if ([...shown].every(({ status }) => status.settings.id !== undefined)) return ['live'];
  const needsMembers = [...shown].some(
    ({ status: { settings } }) => settings.id === undefined && settings.options.members !== 'off',
  );
  return needsMembers ? ['live', 'overview', 'members'] : ['live', 'overview'];
}

/** A paused board shows nothing, so nothing is polled for it until it may continue. */
function isShown({ status: { paused, settings } }: Board, channels: Pick<BoardChannels, 'access'>): boolean {
  if (paused === null) return true;
  return paused.why !== 'unwanted' && channels.access(settings.guildId, settings.channelId).kind === 'open';
}
