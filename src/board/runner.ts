/** One running board: performs what `nextStep` decides, one step at a time, until it can only wait. */

import { MINUTE } from '../base/duration.ts';
import type { BoardSettings, BoardStatus } from '../service/models/board.ts';
import type { BoardRecord } from './board-records.ts';
import { nextStep } from './next-step.ts';
import { turnOf } from './pace.ts';
import { perform } from './perform.ts';
import { type BoardSurroundings, type Moment, newState, type State } from './state.ts';
import { type BoardEvent, update } from './update.ts';
import type { World } from './world.ts';

export interface Board {
  readonly status: BoardStatus;
  /** Call when something may have changed: the permissions, the process that holds the shard. */
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

export function createBoard(record: BoardRecord, world: World): Board {
  const { settled, ended, pass } = createMilestones();
  const { now, happened, run, isInLine } = createLoop(record, world, pass);
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
function createLoop(record: BoardRecord, world: World, passed: (state: State, event: BoardEvent) => void) {
  const { clock } = world;
  let state = newState(record.settings, record.state, clock.monotonic());
  let busy = false;
  let inLine = false;
  let cancelTimer = (): void => {};
  /** After a bug it takes no step before this, whatever wakes it; it may still end. */
  let heldUntil = Number.NEGATIVE_INFINITY;

  function happened(event: BoardEvent): void {
    state = update(state, event, momentOf(world));
    passed(state, event);
    if (state.ended) cancelTimer();
  }

  async function run(): Promise<void> {
    if (busy || (clock.monotonic() < heldUntil && !state.stopping)) return;
    busy = true;
    cancelTimer();
    try {
      while (!state.ended) {
        const now = momentOf(world);
        happened({ kind: 'observed', observed: observe(state, world) });
        const step = nextStep(state, now.monotonic);
        inLine =
          step.do === 'rest' && state.ticket !== null && step.until <= turnOf(state.ticket, state.served);
        if (step.do === 'rest') {
          if (Number.isFinite(step.until)) wakeAfter(Math.max(1, step.until - now.monotonic));
          break;
        }
        const event = await perform(step, state, now, world);
        count(event, world);
        happened(event);
      }
    } catch (error) {
      world.failed(error);
      happened({ kind: 'bug' });
      heldUntil = clock.monotonic() + AFTER_BUG;
      if (!state.ended) wakeAfter(AFTER_BUG);
    }
    busy = false;
  }

  function wakeAfter(ms: number): void {
    cancelTimer = clock.after(ms, () => void run());
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

/** Everything outside that decides what it does next. */
function observe({ settings, stopping }: State, world: World): BoardSurroundings {
  const { channels, cluster, poll, clock, pace, render, translatorFor, others } = world;
  const { id, guildId, channelId, locale, colours, options } = settings;
  const t = translatorFor(options.language ?? locale, { unit: 'kilometre', colours });
  const wanted = {
    ...{ facts: poll.facts, view: options },
    ...{ now: clock.now(), paused: stopping, round: pace.round() },
  };
  return {
    mayAct: cluster.fenceOf(guildId) !== null,
    access: channels.access(guildId, channelId),
    topic: channels.topic(guildId, channelId),
    voice: options.voice === null ? { kind: 'unknown-channel' } : channels.voice(guildId, options.voice),
    frame: id !== undefined ? others.frame(id) : poll.isReady() ? render(channelId, wanted, t) : null,
    checkEvery: pace.checkEvery(),
    served: pace.served(),
  };
}

function count(event: BoardEvent, { writes }: World): void {
  if (event.kind !== 'sent' && event.kind !== 'edited' && event.kind !== 'pause-noticed') return;
  const { kind } = event.answer;
  const outcome = kind === 'sent' ? 'ok' : kind;
  writes.set(outcome, (writes.get(outcome) ?? 0) + 1);
}

function momentOf({ clock, random }: World): Moment {
  return { monotonic: clock.monotonic(), wall: clock.now(), chance: random() };
}
