/** One running board: performs what `nextStep` decides, one step at a time, until it can only wait. */

import { resolveWithin } from '../../base/clock.ts';
import { MINUTE, SECOND } from '../../base/duration.ts';
import type { BoardSettings, BoardState, BoardStatus } from '../../cards/board/board.ts';
import type { KeptMessage } from './kept-messages.ts';
import { nextStep } from './next-step.ts';
import { computeTurn } from './pace.ts';
import { performStep } from './perform.ts';
import { type BoardSurroundings, type Moment, newState, type State } from './state.ts';
import { type BoardEvent, updateState } from './update.ts';
import type { World } from './world.ts';

/** The wait after a bug: for a bug that lasts, a line of log a minute. */
const BUG_PAUSE_MS = MINUTE;
/** How long a person waits for the message, or for its end, in ms; Discord waits longer. */
const MESSAGE_TIMEOUT_MS = 8 * SECOND;

export type Board = ReturnType<typeof createBoard>;

/** `key`: the message's name among all kept messages, and `messages` those of its kind. */
export function createBoard(
  { key, messages }: KeptMessage,
  settings: BoardSettings,
  stored: BoardState,
  world: World,
) {
  const { clock } = world;
  let state = newState(settings, stored, clock.monotonic(), messages);
  let settled = Promise.withResolvers<void>();
  const endSignal = Promise.withResolvers<void>();
  let busy = false;
  let inLine = false;
  let cancelTimer = (): void => {};
  /** After a bug it takes no step before this, whatever wakes it; it may still end. */
  let heldUntil = Number.NEGATIVE_INFINITY;

  function handleEvent(event: BoardEvent): void {
    state = updateState(state, event, momentOf(world));
    const { posted, paused } = state.stored;
    // The pause had settled the promise.
    if (event.kind === 'wanted-again') settled = Promise.withResolvers();
    if (event.kind === 'sent' || posted !== null || paused !== null || state.ended) settled.resolve();
    if (!state.ended) return;
    cancelTimer();
    endSignal.resolve();
  }

  async function run(): Promise<void> {
    if (busy || (clock.monotonic() < heldUntil && !state.stopping)) return;
    busy = true;
    cancelTimer();
    try {
      while (!state.ended) {
        const now = momentOf(world);
        handleEvent({ kind: 'observed', observed: observe(state, { key, messages }, world) });
        const step = nextStep(state, now.monotonic);
        inLine =
          step.do === 'rest' &&
          state.ticket !== null &&
          step.until <= computeTurn(state.ticket, state.served);
        if (step.do === 'rest') {
          if (Number.isFinite(step.until)) wakeAfter(Math.max(1, step.until - now.monotonic));
          break;
        }
        const event = await performStep(step, state, now, { key, messages }, world);
        count(event, world);
        handleEvent(event);
      }
    } catch (error) {
      world.failed(error);
      handleEvent({ kind: 'bug' });
      heldUntil = clock.monotonic() + BUG_PAUSE_MS;
      if (!state.ended) wakeAfter(BUG_PAUSE_MS);
    }
    busy = false;
  }

  function wakeAfter(ms: number): void {
    cancelTimer = clock.after(ms, () => void run());
  }

  function handleAndRun(event: BoardEvent): void {
    handleEvent(event);
    void run();
  }

  return {
    key,
    messages,
    get status() {
      return statusOf(state);
    },
    /** Call when something may have changed, such as the permissions. */
    wake: () => void run(),
    /** Call now and then: a board whose process may not act waits for nothing else. */
    lookAgain: () => void (state.mayAct || run()),
    /** Call when the facts may have changed. In line for its turn, the board looks at them when that comes. */
    factsChanged: () => void (inLine || run()),
    /** The gateway reports a change of permissions or channels. */
    accessChanged: () => handleAndRun({ kind: 'access-changed' }),
    change: (settings: BoardSettings) => handleAndRun({ kind: 'settings-changed', settings }),
    /** Resumes a board that was paused because its message kept being deleted. */
    resume: () => handleAndRun({ kind: 'wanted-again' }),
    /** Resolves with whether its message is posted, when that is known or people have waited for long enough. */
    async isPosted(): Promise<boolean> {
      await resolveWithin(settled.promise, MESSAGE_TIMEOUT_MS, clock);
      return state.stored.posted !== null;
    },
    /** Resolves when it has ended for any reason. */
    ended: () => endSignal.promise,
    /** Shows that it is paused, and ends. */
    stop() {
      handleAndRun({ kind: 'stopping' });
      return endSignal.promise;
    },
    /** Stores what it has learned and ends; its message stays as it is, for another process to go on with. */
    handOver() {
      handleAndRun({ kind: 'handing-over' });
      return endSignal.promise;
    },
    /** Ends without changing its message: another process runs it now. */
    abandon: () => handleEvent({ kind: 'abandoned' }),
  };
}

function statusOf({ settings, stored, shown, errors }: State): BoardStatus {
  const { paused, lastEdit } = stored;
  const isPosted = stored.posted !== null;
  const [mode, checked] = isPosted ? ([shown.mode, shown.checked] as const) : (['starting', null] as const);
  return { settings, mode, isPosted, paused, lastEdit, checked, errors };
}

/** Everything outside that decides what it does next. */
function observe(
  { settings, stopping }: State,
  { key, messages }: KeptMessage,
  world: World,
): BoardSurroundings {
  const { channels, shards, pace } = world;
  const { guildId, channelId } = settings;
  return {
    mayAct: shards.mayAct(guildId),
    access: channels.access(guildId, channelId),
    frame: messages.frame(key, settings, { isLast: stopping, round: pace.round() }),
    checkEvery: pace.checkEvery(),
    refreshEvery: pace.refreshEvery(),
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
