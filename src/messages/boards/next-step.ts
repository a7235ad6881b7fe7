/** Decides the next step of a board, from its state and the time only. */

import { MINUTE } from '../../base/duration.ts';
import type { Access, Paused } from '../../cards/board/board.ts';
import { closedUntil } from './backoff.ts';
import { isOutOfSight } from './channels.ts';
import { computeTurn } from './pace.ts';
import type { State } from './state.ts';

/** How long a save that can wait is delayed, to combine it with others. */
const MAX_SAVE_DELAY_MS = 15 * MINUTE;
const PAUSE_NOTICES = 2;

/** The steps that a board can take. */
export type BoardStep =
  /** Until that time or until woken. */
  | { readonly do: 'rest'; readonly until: number }
  /** Decisions, which only change the state. */
  | { readonly do: 'take-settings' | 'probe' | 'mark-notified' | 'choose-nonce' | 'take-ticket' }
  | { readonly do: 'pause'; readonly why: Paused['why']; readonly missing: readonly string[] }
  /** Work with the store. */
  | { readonly do: 'save' | 'take-down' | 'end' }
  /** Requests to Discord. */
  | { readonly do: 'find' | 'send' | 'edit' | 'check-message' | 'pause-notice' | 'notify' | 'clear-topic' }
  | { readonly do: 'remove-orphan'; readonly messageId: string };

const forever: BoardStep = { do: 'rest', until: Number.POSITIVE_INFINITY };
const rest = (until: number): BoardStep => ({ do: 'rest', until });

/** `now`: monotonic clock. */
export function nextStep(state: State, now: number): BoardStep {
  const { stored, settings, access } = state;
  const openAt = closedUntil(state.backoff);
  if (!state.mayAct) return state.stopping ? { do: 'end' } : forever;
  if (saveAt(state) <= now && openAt <= now) return { do: 'save' };
  if (state.stopping) return canSayPaused(state) ? inTurn(state, now, { do: 'pause-notice' }) : { do: 'end' };
  if (openAt > now) return rest(openAt);

  if (state.nextSettings !== settings) return { do: 'take-settings' };
  // A guild outage says nothing about our message.
  if (access.kind === 'unavailable') return forever;
  if (settings.removed) return nextOfRemoved(state, now);
  if (stored.paused !== null && !state.probing) return nextOfPaused(state, stored.paused, now);
  const trouble = findTrouble(access);
  if (trouble !== null) return { do: 'pause', ...trouble };

  const [orphan] = stored.orphans;
  if (orphan !== undefined) return { do: 'remove-orphan', messageId: orphan };
  if (stored.posted === null) {
    if (!state.searched) return { do: 'find' };
    if (state.frame === null) return forever;
    return stored.sending === null ? { do: 'choose-nonce' } : { do: 'send' };
  }
  if (clearTopicAt(state) <= now) return inTurn(state, now, { do: 'clear-topic' });
  const { nextEdit } = state.backoff;
  const isRefresh = refreshAt(state) <= now;
  if (isNews(state) || isRefresh) {
    if (nextEdit > now) return rest(nextEdit);
    return inTurn(state, now, { do: 'edit' }, state.aheadUntil > now);
  }
  if (state.checkAt <= now) return inTurn(state, now, { do: 'check-message' });
  return rest(Math.min(state.checkAt, saveAt(state), refreshAt(state), clearTopicAt(state)));
}

/** Waits for the board's turn among all others, unless it goes ahead of them; what it then shows is the newest. */
function inTurn(state: State, now: number, step: BoardStep, isAhead = false): BoardStep {
  const { ticket, served } = state;
  if (ticket === null && !isAhead) return { do: 'take-ticket' };
  const turn = ticket === null || isAhead ? now : computeTurn(ticket, served);
  if (turn > now) return rest(Math.min(turn, saveAt(state)));
  return served.hasRoom ? step : rest(Math.min(now + served.gap, saveAt(state)));
}

/** Deletes all its messages and takes its lines out of the topic, then deletes its record. */
function nextOfRemoved(state: State, now: number): BoardStep {
  const { access, searched, stored } = state;
  if (access.kind === 'open' && !searched) return { do: 'find' };
  const [messageId] = stored.orphans;
  const isVisible = access.kind === 'open' || (access.kind === 'missing' && !isOutOfSight(access));
  if (messageId !== undefined && isVisible) return { do: 'remove-orphan', messageId };
  const topicAt = clearTopicAt(state);
  if (topicAt === Number.POSITIVE_INFINITY) return { do: 'take-down' };
  return topicAt > now ? rest(topicAt) : { do: 'clear-topic' };
}

function nextOfPaused(state: State, { why, notified }: Paused, now: number): BoardStep {
  const mayProbe = findTrouble(state.access) === null && why !== 'unwanted';
  if (mayProbe && state.probeAt <= now) return { do: 'probe' };
  if (!notified) return state.notifyAt > now ? rest(state.notifyAt) : { do: 'mark-notified' };
  if (state.noticeDue) return { do: 'notify' };
  return mayProbe ? rest(state.probeAt) : forever;
}

function clearTopicAt({ stored, topicAt }: State): number {
  return stored.topic.length === 0 ? Number.POSITIVE_INFINITY : topicAt;
}

function saveAt({ unsaved, savedAt }: State): number {
  if (unsaved === 'no') return Number.POSITIVE_INFINITY;
  return unsaved === 'now' ? Number.NEGATIVE_INFINITY : savedAt + MAX_SAVE_DELAY_MS;
}

/** Whether the frame shows more than newer times, or its message has to be tried. */
export function isNews({ frame, shown, probing }: Pick<State, 'frame' | 'shown' | 'probing'>): boolean {
  return frame !== null && (probing || shown.hash !== frame.hash);
}

/** When the times alone are to be shown anew; never while they are the same. */
function refreshAt({ frame, shown, refreshEvery }: State): number {
  const isSame = frame === null || shown.times === frame.times;
  return isSame ? Number.POSITIVE_INFINITY : shown.at + refreshEvery;
}

function canSayPaused({ stored, frame, shown, access, pauseNotices }: State): boolean {
  const isThere = stored.posted !== null && stored.paused === null && access.kind === 'open';
  // Before the first reading there is nothing to say it above.
  return isThere && frame !== null && shown.mode !== 'paused' && pauseNotices < PAUSE_NOTICES;
}

/** The obstacle that the gateway has reported, if any. */
export function findTrouble(
  access: Access,
): { readonly why: 'rights' | 'channel'; readonly missing: readonly string[] } | null {
  if (access.kind === 'missing') return { why: 'rights', missing: access.rights };
  return access.kind === 'unknown-channel' ? { why: 'channel', missing: [] } : null;
}
