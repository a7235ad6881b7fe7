/** The whole state of one board: `nextStep` reads it, and only `update` makes a new one. */

import { MINUTE } from '../../base/duration.ts';
import type {
  Access,
  BoardError,
  BoardMode,
  BoardSettings,
  BoardState,
  BoardTrouble,
} from '../../cards/board/board.ts';
import { type Backoff, newBackoff } from './backoff.ts';
import type { KeptMessages } from './kept-messages.ts';
import type { TurnState } from './pace.ts';
import type { Frame } from './render.ts';

export interface Moment {
  readonly monotonic: number;
  /** Unix milliseconds. */
  readonly wall: number;
  /** Random, 0 to 1, to spread retries. */
  readonly chance: number;
}

/** Read afresh before every step. */
export interface BoardSurroundings {
  /** This process surely works. */
  readonly mayAct: boolean;
  readonly access: Access;
  /** The frame to show now; null until the first answers are in. */
  readonly frame: Frame | null;
  /** How often to check that the message still exists, in ms. */
  readonly checkEvery: number;
  /** How often the times alone are refreshed, in ms. */
  readonly refreshEvery: number;
  /** Tickets that have had their turn. */
  readonly served: TurnState;
}

/** Times of the monotonic clock, in ms. */
export interface State extends BoardSurroundings {
  readonly settings: BoardSettings;
  /** The latest settings from people. */
  readonly nextSettings: BoardSettings;
  readonly stopping: boolean;
  readonly ended: boolean;

  /** The persistent part, and whether the store has it. */
  readonly stored: BoardState;
  readonly unsaved: 'no' | 'later' | 'now';
  readonly savedAt: number;

  /** The channel has been searched since a message may last have been sent there. */
  readonly searched: boolean;
  /** A message may already have been sent with the stored nonce. */
  readonly attempted: boolean;
  /** Content of the message, as far as known; `hash` is null if it is unknown. */
  readonly shown: {
    readonly hash: string | null;
    readonly mode: BoardMode | 'starting';
    readonly checked: number | null;
    readonly times: string | null;
    /** Time of the monotonic clock, in ms. */
    readonly at: number;
  };
  /** How often it has tried to show that it is paused; infinite where it need not. */
  readonly pauseNotices: number;
  /** The maker has to be notified; the store already has this as done. */
  readonly noticeDue: boolean;

  /** When to take our old lines out of the topic. */
  readonly topicAt: number;

  readonly backoff: Backoff;
  /** Place among all boards that want to edit or check their message; null if this one wants neither. */
  readonly ticket: number | null;
  /** Until then its edits wait for no turn: a person has made it or changed what it shows, and looks at it. */
  readonly aheadUntil: number;
  /** When to check that the message still exists. */
  readonly checkAt: number;
  /** When to notify its maker: the gateway may report lost permissions later than a refusal does. */
  readonly notifyAt: number;
  /** When to retry a refused request for which the gateway reports no reason. */
  readonly probeAt: number;
  /** How long after the next refusal to do so. */
  readonly probePause: number;
  readonly refusedAt: number;
  /** A retry is under way; its answer decides. */
  readonly probing: boolean;

  /** The last five, oldest first. */
  readonly errors: readonly BoardError[];
}

/** Number of errors that are kept. */
const MAX_ERRORS = 5;

/** Each refusal doubles it. */
export const FIRST_PROBE_PAUSE_MS = MINUTE;

/** `now`: monotonic clock. */
export function newState(
  settings: BoardSettings,
  stored: BoardState,
  now: number,
  { marksStop }: Pick<KeptMessages, 'marksStop'>,
): State {
  return {
    mayAct: false,
    access: { kind: 'unavailable' },
    frame: null,
    checkEvery: 0,
    refreshEvery: 0,
    served: { ticket: 0, at: 0, gap: 0, hasRoom: false },
    settings,
    nextSettings: settings,
    stopping: false,
    ended: false,
    stored,
    unsaved: 'no',
    savedAt: now,
    searched: false,
    attempted: stored.sending !== null,
    shown: { hash: null, mode: 'starting', checked: null, times: null, at: now },
    pauseNotices: marksStop ? 0 : Number.POSITIVE_INFINITY,
    noticeDue: false,
    topicAt: 0,
    backoff: newBackoff,
    ticket: null,
    aheadUntil: 0,
    checkAt: 0,
    notifyAt: 0,
    probeAt: 0,
    probePause: FIRST_PROBE_PAUSE_MS,
    refusedAt: Number.NEGATIVE_INFINITY,
    probing: false,
    errors: [],
  };
}

/** Adds something that must be stored before the next request. */
export function mergeLearned(state: State, part: Partial<BoardState>): State {
  return { ...state, stored: { ...state.stored, ...part }, unsaved: 'now' };
}

/** Adds an error to those that `/board list` shows. */
export function addError(
  state: State,
  { what, code = null }: { readonly what: BoardTrouble; readonly code?: string | null },
  { wall }: Moment,
): State {
  return { ...state, errors: [...state.errors, { at: wall, what, code }].slice(-MAX_ERRORS) };
}
