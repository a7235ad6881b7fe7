/** One board at work: does what `nextStep` says, one thing at a time, and learns from what came of it. */
import type { BoardSettings } from '../store/board-records.ts';
import { createPace } from './backoff.ts';
import { type Mind, nextStep, type Paused, SAVE_LATER, type Shown, troubleOf } from './next-step.ts';
import { type BoardParts, createDeeds } from './perform.ts';
import { createLessons, type Mishap } from './update.ts';

export interface BoardStatus {
  readonly settings: BoardSettings;
  /** `starting`: nothing is shown yet that we know of. */
  readonly mode: Shown['mode'];
  readonly isPosted: boolean;
  readonly paused: Paused | null;
  /** Unix milliseconds. */
  readonly lastEdit: number | null;
  /** The last five, oldest first. */
  readonly errors: readonly Mishap[];
}

export interface Board {
  readonly status: BoardStatus;
  /** Something may have changed: the facts, the rights, who keeps the boards. */
  wake(): void;
  /** The live connection has told something about rights or channels. */
  accessChanged(): void;
  change(settings: BoardSettings): void;
  /** It is wanted again although its message was deleted. */
  resume(): void;
  /** Resolves when its message is there, or when it is known why not. */
  settled(): Promise<void>;
  /** Resolves when it has ended, for whatever reason. */
  ended(): Promise<void>;
  /** Says that it is paused, and ends. */
  stop(): Promise<void>;
  /** Ends without a word: another process keeps the boards now. */
  abandon(): void;
}

/** Before it goes on after an error that nobody foresaw, in milliseconds. */
const AFTER_BUG = 60_000;

export function createBoard(parts: BoardParts): Board {
  const { chat, clock, safeguards, random } = parts;
  const pace = createPace(random);
  const begun = clock.monotonic();
  const mind: Mind = {
    mayAct: false,
    settings: parts.settings,
    wanted: parts.settings,
    state: parts.state,
    unsaved: 'no',
    savedAt: begun,
    access: { kind: 'unavailable' },
    searched: false,
    picture: null,
    shown: { hash: null, mode: 'starting', checked: null, at: begun },
    closedUntil: 0,
    nextEdit: 0,
    lookAt: 0,
    tellAt: 0,
    probeAt: 0,
    probing: false,
    stopping: false,
    goodbyes: 0,
  };
  const lessons = createLessons({ mind, pace, clock, safeguards, lookEvery: parts.lookEvery });
  const perform = createDeeds({ mind, pace, lessons, parts });
  let busy = false;
  let ended = false;
  let cancelTimer = (): void => {};
  const first = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();

  /** All that it does not remember but has to ask. */
  function observe(now: number): void {
    const { settings, state } = mind;
    mind.mayAct = parts.mayAct();
    mind.access = chat.access(settings.guildId, settings.channelId);
    mind.picture = parts.picture(mind.stopping);
    mind.closedUntil = pace.closedUntil;
    mind.nextEdit = pace.nextEdit;
    if (mind.unsaved === 'later' && now - mind.savedAt >= SAVE_LATER) mind.unsaved = 'now';
    // Once the live connection knows of a reason, it will also know when the reason is gone.
    if (state.paused !== null && troubleOf(mind.access) !== null) {
      mind.probing = false;
      mind.probeAt = 0;
    }
  }

  /** Goes on until there is nothing to do but wait. */
  async function run(): Promise<void> {
    if (busy || ended) return;
    busy = true;
    cancelTimer();
    while (!ended) {
      const now = clock.monotonic();
      try {
        observe(now);
        const step = nextStep(mind, now, safeguards);
        if (step.do === 'rest') {
          if (Number.isFinite(step.until))
            cancelTimer = clock.after(Math.max(1, step.until - now), () => void run());
          break;
        }
        const performed = perform(step);
        if (step.do === 'edit' && !safeguards.oneEditInFlight) continue;
        // It may have been abandoned meanwhile.
        ended = (await performed) || ended;
        if (step.do === 'send' || mind.state.posted !== null || mind.state.paused !== null) first.resolve();
      } catch (error) {
        parts.onBug(error);
        lessons.note('a bug');
        if (mind.stopping) ended = true;
        cancelTimer = clock.after(AFTER_BUG, () => void run());
        break;
      }
    }
    busy = false;
    if (!ended) return;
    cancelTimer();
    first.resolve();
    end.resolve();
  }

  return {
    get status() {
      const { settings, state, shown } = mind;
      const { paused, lastEdit } = state;
      const isPosted = state.posted !== null;
      const mode = isPosted ? shown.mode : 'starting';
      return { settings, mode, isPosted, paused, lastEdit, errors: lessons.mishaps };
    },
    wake: () => void run(),
    accessChanged() {
      lessons.accessChanged();
      void run();
    },
    change(settings) {
      mind.wanted = settings;
      void run();
    },
    resume() {
      lessons.learn({ paused: null, deletions: [] });
      void run();
    },
    settled: () => first.promise,
    ended: () => end.promise,
    stop() {
      mind.stopping = true;
      void run();
      return end.promise;
    },
    abandon() {
      ended = true;
      cancelTimer();
      first.resolve();
      end.resolve();
    },
  };
}
