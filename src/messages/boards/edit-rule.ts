/** The rule for the edits of one board: `backoff.ts` and `pace.ts` apply it, and `test/messages/boards/README.md` states it. */
import { SECOND } from '../../base/duration.ts';

/** Times in ms. */
export const EDIT_RULE = {
  /** Window with at most two edits. Discord allows three in six seconds for a message older than an hour. */
  windowMs: 6500,
  /** Limit of a window: each refusal doubles it, and each edit shrinks it by a twentieth. */
  maxWindowMs: 15_000,
  /** Time between the two edits of a window while all goes well. */
  gapMs: SECOND,
  /** Time for which the edits of a board wait for no turn after a person has made or changed it, and looks at it. */
  aheadMs: 15 * SECOND,
} as const;

/** Time between the edits of a board that always has something new: even, so that the longest wait is half a window. In ms. */
export const BUSY_GAP_MS = EDIT_RULE.windowMs / 2;
