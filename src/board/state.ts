/** All that one board goes by: `nextStep` reads it, and `update` alone makes the next one of it. */
import type { BoardSettings, BoardState } from '../store/board-records.ts';
import { type Backoff, newBackoff } from './backoff.ts';
import type { Access } from './channel.ts';
import type { Frame } from './render.ts';

export type Paused = NonNullable<BoardState['paused']>;

/** When something happened. */
export interface Moment {
  readonly monotonic: number;
  /** Unix milliseconds. */
  readonly wall: number;
  /** 0 to 1, by chance: for pauses that differ. */
  readonly chance: number;
}

export interface BoardError {
  /** Unix milliseconds. */
  readonly at: number;
  readonly what: string;
}

/** What its message shows, as far as we know; a hash of null is not known. */
export interface Shown {
  readonly hash: string | null;
  readonly mode: Frame['mode'] | 'starting';
  readonly checked: number | null;
  /** Of the monotonic clock. */
  readonly at: number;
}

/** What it does not remember but asks before every step. */
export interface Observed {
  /** Whether this process keeps the boards. */
  readonly mayAct: boolean;
  readonly access: Access;
  /** What is to be shown now; null until the first answers are in. */
  readonly frame: Frame | null;
  /** How often to check that the message is still there, in milliseconds. */
  readonly checkEvery: number;
}

/** Times are of the monotonic clock, in milliseconds. */
export interface State extends Observed {
  readonly settings: BoardSettings;
  /** What people decided meanwhile. */
  readonly wanted: BoardSettings;
  readonly stopping: boolean;
  readonly ended: boolean;

  /** What outlives the process, and whether the store has it. */
  readonly stored: BoardState;
  readonly unsaved: 'no' | 'later' | 'now';
  readonly savedAt: number;

  /** Whether its channel was searched for its message since it may last have got one. */
  readonly searched: boolean;
  /** Whether a message may have been sent with the stored nonce already. */
  readonly attempted: boolean;
  readonly shown: Shown;
  /** How often it has tried to say that it is paused. */
  readonly pauseNotices: number;
  /** The person who made it is to be written to; the store knows it already. */
  readonly noticeDue: boolean;

  readonly backoff: Backoff;
  /** When to check that the message is still there. */
  readonly checkAt: number;
  /** When to write to the person who made it: the live connection may tell of lost rights after a refusal does. */
  readonly notifyAt: number;
  /** When to try again what was refused although the live connection knows of no reason. */
  readonly probeAt: number;
  /** How long after the next refusal that is. */
  readonly probePause: number;
  readonly refusedAt: number;
  /** It is tried again: one answer will tell. */
  readonly probing: boolean;

  /** The last five, oldest first. */
  readonly errors: readonly BoardError[];
}

/** A minute; each refusal doubles it. */
export const FIRST_PROBE = 60_000;

/** `now` of the monotonic clock. */
export function newState(settings: BoardSettings, stored: BoardState, now: number): State {
  return {
    mayAct: false,
    access: { kind: 'unavailable' },
    frame: null,
    checkEvery: 0,
    settings,
    wanted: settings,
    stopping: false,
    ended: false,
    stored,
    unsaved: 'no',
    savedAt: now,
    searched: false,
    attempted: stored.sending !== null,
    shown: { hash: null, mode: 'starting', checked: null, at: now },
    pauseNotices: 0,
    noticeDue: false,
    backoff: newBackoff,
    checkAt: 0,
    notifyAt: 0,
    probeAt: 0,
    probePause: FIRST_PROBE,
    refusedAt: Number.NEGATIVE_INFINITY,
    probing: false,
    errors: [],
  };
}
