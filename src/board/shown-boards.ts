/** Polls the boards' data while at least one board shows it, and wakes them all when there is something new. */

import { inSlices } from '../base/in-slices.ts';
import type { Poll, Source } from '../service/poll/poll.ts';
import type { BoardChannels } from './channels.ts';
import type { Board } from './runner.ts';

export function createShownBoards(
  boards: { values(): Iterable<Board> },
  {
    poll,
    channels,
  }: { readonly poll: Pick<Poll, 'watch'>; readonly channels: Pick<BoardChannels, 'access'> },
): {
  /** Call when the board is new, or when its permissions or its pause may have changed. */
  check(board: Board): void;
  remove(board: Board): void;
} {
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

  function adjust(): void {
    const needed = sourcesOf(shown);
    if (needed.length === watched.length) return;
    const before = unwatch;
    watched = needed;
    unwatch = needed.length === 0 ? () => {} : poll.watch(needed, wakeAll);
    // Only now: what both need goes on.
    before();
  }

  return {
    check(board) {
      if (isShown(board, channels)) shown.add(board);
      else shown.delete(board);
      adjust();
    },
    remove(board) {
      shown.delete(board);
      adjust();
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
