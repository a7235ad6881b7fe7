/** One running board: performs what `nextStep` decides, one step at a time, until it can only wait. */
import { MINUTE } from '../base/duration.ts';
import type { BoardSettings, BoardState } from './board-records.ts';
import { nextStep } from './next-step.ts';
import { turnOf } from './pace.ts';
import { type PerformParts, perform } from './perform.ts';
import {
  type BoardError,
  type Moment,
  newState,
  type Observed,
  type Paused,
  type Shown,
  type State,
} from './state.ts';
import { type BoardEvent, update } from './update.ts';

interface BoardParts extends PerformParts {
  readonly settings: BoardSettings;
  readonly stored: BoardState;
  /** Called before every step; `paused`: for the last frame before the end. */
  readonly observe: (settings: BoardSettings, paused: boolean) => Observed;
  /** A bug; the board continues later. */
  readonly onBug: (error: unknown) => void;
}

export interface BoardStatus {
  readonly settings: BoardSettings;
  /** `starting`: nothing is known to be shown yet. */
  readonly mode: Shown['mode'];
  readonly isPosted: boolean;
  readonly paused: Paused | null;
  /** Unix milliseconds. */
  readonly lastEdit: number | null;
  /** Up to when what it shows is known to be right, in unix milliseconds; null where nothing is known to be shown. */
  readonly checked: number | null;
  /** The last five, oldest first. */
  readonly errors: readonly BoardError[];
}

export interface Board {
  readonly status: BoardStatus;
  /** Call when something may have changed: the permissions, the lease. */
  wake(): void;
  /** Call when the facts may have changed. In line for its turn, the board looks at them when that comes. */
  news(): void;
  /** The gateway reports a change of permissions or channels. */
  accessChanged(): void;
  change(settings: BoardSettings): void;
  /** Resumes a board that was paused because its message kept being deleted. */
  resume(): void;
  /** Resolves when its message is posted, or when it is known why not. */
  settled(): Promise<void>;
  /** Resolves when it has ended for any reason. */
  ended(): Promise<void>;
  /** Shows that it is paused, and ends. */
  stop(): Promise<void>;
  /** Stores what it has learned and ends; its message stays as it is, for another process to go on with. */
  handOver(): Promise<void>;
  /** Ends without changing its message: another process runs it now. */
  abandon(): void;
}

/** The wait after a bug, in ms: for a bug that lasts, a line of log a minute. */
const AFTER_BUG = MINUTE;

export function createBoard(parts: BoardParts): Board {
  const { settled, ended, pass } = createMilestones();
  const { now, happened, run, isInLine } = createLoop(parts, pass);
  const tell = (event: BoardEvent): void => {
    happened(event);
    void run();
  };

  return {
    get status() {
      return statusOf(now());
    },
    wake: () => void run(),
    news: () => void (isInLine() || run()),
    accessChanged: () => tell({ kind: 'access-changed' }),
    change: (settings) => tell({ kind: 'settings-changed', settings }),
    resume: () => tell({ kind: 'wanted-again' }),
    settled,
    ended: () => ended,
    stop() {
      tell({ kind: 'stopping' });
      return ended;
    },
    handOver() {
      tell({ kind: 'handing-over' });
      return ended;
    },
    abandon: () => happened({ kind: 'abandoned' }),
  };
}

/** The board's state, and the steps that follow from it. `passed` is called after each change of the state. */
function createLoop(parts: BoardParts, passed: (state: State, event: BoardEvent) => void) {
  let state = newState(parts.settings, parts.stored, parts.clock.monotonic());
  let busy = false;
  let inLine = false;
  let cancelTimer = (): void => {};
  /** After a bug it takes no step before this, whatever wakes it; it may still end. */
  let heldUntil = Number.NEGATIVE_INFINITY;

  function happened(event: BoardEvent): void {
    state = update(state, event, momentOf(parts));
    passed(state, event);
    if (state.ended) cancelTimer();
  }

  async function run(): Promise<void> {
    if (busy || (parts.clock.monotonic() < heldUntil && !state.stopping)) return;
    busy = true;
    cancelTimer();
    try {
      while (!state.ended) {
        const now = momentOf(parts);
        happened({ kind: 'observed', observed: parts.observe(state.settings, state.stopping) });
        const step = nextStep(state, now.monotonic);
        inLine =
          step.do === 'rest' && state.ticket !== null && step.until <= turnOf(state.ticket, state.served);
        if (step.do === 'rest') {
          if (Number.isFinite(step.until)) wakeAfter(Math.max(1, step.until - now.monotonic));
          break;
        }
        happened(await perform(step, state, now, parts));
      }
    } catch (error) {
      parts.onBug(error);
      happened({ kind: 'bug' });
      heldUntil = parts.clock.monotonic() + AFTER_BUG;
      if (!state.ended) wakeAfter(AFTER_BUG);
    }
    busy = false;
  }

  function wakeAfter(ms: number): void {
    cancelTimer = parts.clock.after(ms, () => void run());
  }

  return { now: (): State => state, happened, run, isInLine: () => inLine };
}

/** The milestones that callers wait for: its message is posted or it is known why not; it has ended. */
function createMilestones() {
  let settled = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  return {
    settled: () => settled.promise,
    ended: ended.promise,
    pass(state: State, { kind }: BoardEvent): void {
      const { posted, paused } = state.stored;
      // Its pause had settled it.
      if (kind === 'wanted-again') settled = Promise.withResolvers();
      if (kind === 'sent' || posted !== null || paused !== null || state.ended) settled.resolve();
      if (state.ended) ended.resolve();
    },
  };
}

function statusOf({ settings, stored, shown, errors }: State): BoardStatus {
  const { paused, lastEdit } = stored;
  const isPosted = stored.posted !== null;
  const [mode, checked] = isPosted ? ([shown.mode, shown.checked] as const) : (['starting', null] as const);
  return { settings, mode, isPosted, paused, lastEdit, checked, errors };
}

function momentOf({ clock, random }: BoardParts): Moment {
  return { monotonic: clock.monotonic(), wall: clock.now(), chance: random() };
}
