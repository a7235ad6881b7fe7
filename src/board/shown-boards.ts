/** Polls the boards' data while at least one board shows it, and wakes them all when there is something new. */
import type { BoardChat } from './channel.ts';
import type { Poll } from './poll/poll.ts';
import type { Board } from './runner.ts';

export interface ShownBoards {
  /** Call when the board is new, or when its permissions or its pause may have changed. */
  check(board: Board): void;
  remove(board: Board): void;
}

export function createShownBoards(
  boards: { values(): Iterable<Board> },
  { poll, chat }: { readonly poll: Poll; readonly chat: BoardChat },
): ShownBoards {
  const shown = new Set<Board>();
  let unwatch: (() => void) | null = null;

  function wakeAll(): void {
    for (const board of boards.values()) board.wake();
  }

  function adjust(): void {
    if (shown.size > 0) unwatch ??= poll.watch(['live', 'overview', 'members'], wakeAll);
    else {
      unwatch?.();
      unwatch = null;
    }
  }

  return {
    check(board) {
      if (isShown(board, chat)) shown.add(board);
      else shown.delete(board);
      adjust();
    },
    remove(board) {
      shown.delete(board);
      adjust();
    },
  };
}

/** A paused board shows nothing, so nothing is polled for it until it may continue. */
function isShown({ status: { paused, settings } }: Board, chat: BoardChat): boolean {
  if (paused === null) return true;
  return paused.why !== 'unwanted' && chat.access(settings.guildId, settings.channelId).kind === 'open';
}
