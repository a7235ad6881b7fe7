/** A board's state after an event. Pure: nothing else changes a state. */

import { MINUTE } from '../../base/duration.ts';
import type { BoardSettings, BoardState, Paused } from '../../cards/board/board.ts';
import * as backoff from './backoff.ts';
import type { RequestFailure, RequestResult, SearchResult, SendResult } from './channels.ts';
import { EDIT_RULE } from './edit-rule.ts';
import { findTrouble, isNews } from './next-step.ts';
import type { Frame } from './render.ts';
import {
  addError,
  type BoardSurroundings,
  FIRST_PROBE_PAUSE_MS,
  type Moment,
  mergeLearned,
  type State,
} from './state.ts';

/** The outcome of a step, or something from outside. */
export type BoardEvent =
  | { readonly kind: 'observed'; readonly observed: BoardSurroundings }
  | { readonly kind: 'settings-changed'; readonly settings: BoardSettings }
  | { readonly kind: 'access-changed' | 'wanted-again' | 'stopping' | 'handing-over' | 'abandoned' | 'bug' }
  // Decisions.
  | { readonly kind: 'settings-taken' | 'probing' | 'marked-notified' }
  | { readonly kind: 'nonce-chosen'; readonly nonce: string }
  | { readonly kind: 'ticket-taken'; readonly ticket: number }
  | { readonly kind: 'paused'; readonly why: Paused['why']; readonly missing: readonly string[] }
  // The store.
  | { readonly kind: 'saved'; readonly stored: BoardState }
  | { readonly kind: 'store-failed' | 'ended' }
  // Discord; `began` is when the request went out.
  | { readonly kind: 'searched'; readonly answer: SearchResult }
  | { readonly kind: 'sent'; readonly frame: Frame; readonly answer: SendResult }
  | {
      readonly kind: 'edited' | 'pause-noticed';
      readonly frame: Frame;
      readonly began: Moment;
      readonly answer: RequestResult;
    }
  | { readonly kind: 'message-checked' | 'notified' | 'topic-cleared'; readonly answer: RequestResult }
  | { readonly kind: 'orphan-removed'; readonly messageId: string; readonly answer: RequestResult };

/** The minimum time between two retries caused by gateway news, in ms. */
const MIN_PROBE_INTERVAL_MS = 10_000;

/** This many deletions of its message within this time mean that someone does not want it. */
const UNWANTED = { times: 3, within: 10 * MINUTE };
/** The gateway may report lost permissions a little later than a refusal does. */
const NOTIFY_DELAY_MS = 3000;
const LONGEST_PROBE_PAUSE_MS = 10 * MINUTE;
/** The wait before retrying a request that Discord refused. */
const REFUSED_RETRY_MS = 2 * MINUTE;

export function updateState(state: State, event: BoardEvent, now: Moment): State {
  switch (event.kind) {
    case 'observed':
      return observed(state, event.observed);
    case 'settings-changed':
      return { ...state, nextSettings: event.settings };
    case 'access-changed':
      return accessChanged(state, now);
    case 'wanted-again':
      return mergeLearned(state, { paused: null, deletions: [] });
    case 'stopping':
      return { ...state, stopping: true };
    case 'handing-over':
      return { ...state, stopping: true, pauseNotices: Number.POSITIVE_INFINITY };
    case 'abandoned':
    case 'ended':
      return { ...state, ended: true };
    case 'bug':
      return { ...addError(state, { what: 'bug' }, now), ended: state.ended || state.stopping };
    case 'settings-taken':
      return settingsTaken(state, now);
    case 'probing':
      return { ...state, probing: true };
    case 'marked-notified':
      return markedNotified(state);
    case 'nonce-chosen':
      return { ...mergeLearned(state, { sending: { nonce: event.nonce } }), attempted: false };
    case 'ticket-taken':
      return { ...state, ticket: event.ticket };
    case 'paused':
      return paused(state, event.why, event.missing, now);
    case 'saved': {
      // Anything learned during the save is not in it.
      const unsaved = state.stored === event.stored ? 'no' : 'now';
      return { ...state, unsaved, savedAt: now.monotonic };
    }
    case 'store-failed':
      return storeFailed(state, now);
    case 'searched':
      return searched(state, event.answer, now);
    case 'sent':
      return applySent(state, event, now);
    case 'pause-noticed':
      return edited({ ...state, pauseNotices: state.pauseNotices + 1 }, event, now);
    case 'edited':
      return edited(state, event, now);
    case 'message-checked':
      return messageChecked(state, event.answer, now);
    case 'notified':
      return notified(state, event.answer, now);
    case 'orphan-removed':
      return orphanRemoved(state, event.messageId, event.answer, now);
    case 'topic-cleared':
      return topicCleared(state, event.answer, now);
  }
}

function observed(state: State, news: BoardSurroundings): State {
  const next = { ...state, ...news, ticket: mayUseTicket(news) ? state.ticket : null };
  // Once the gateway reports a reason, it will also report when the reason is gone.
  const isKnown = state.stored.paused !== null && findTrouble(news.access) !== null;
  return isKnown ? { ...next, probing: false, probeAt: 0 } : next;
}

/** A board that is held up gives its ticket up: otherwise all that were held up together would edit at once. */
function mayUseTicket({ mayAct, access }: BoardSurroundings): boolean {
  return mayAct && access.kind === 'open';
}

/** A refused request is retried, but not for each of several changes in a row. */
function accessChanged(state: State, now: Moment): State {
  const soon = Math.max(now.monotonic, state.refusedAt + MIN_PROBE_INTERVAL_MS);
  return { ...state, probeAt: Math.min(state.probeAt, soon) };
}

function settingsTaken(state: State, now: Moment): State {
  const { nextSettings, settings, stored } = state;
  const updated = { ...state, settings: nextSettings, aheadUntil: now.monotonic + EDIT_RULE.aheadMs };
  if (nextSettings.removed === settings.removed) return updated;
  // Removed, or wanted again before the removal was done: either way the channel is searched.
  const orphans = nextSettings.removed && stored.posted !== null ? [...stored.orphans, stored.posted] : [];
  const fresh = { posted: null, sending: null, orphans, paused: null, deletions: [] };
  return { ...mergeLearned(updated, fresh), searched: false };
}

/** Stored before the message is sent, so that no person is notified twice. */
function markedNotified(state: State): State {
  const { access, stored } = state;
  if (stored.paused === null) return state;
  const missingRights = access.kind === 'missing' ? access.rights : stored.paused.missing;
  const marked = { ...stored.paused, missing: [...missingRights], notified: true };
  return { ...mergeLearned(state, { paused: marked }), noticeDue: true };
}

function storeFailed(state: State, now: Moment): State {
  const pausing = backoff.noteFailure(state.backoff, now.monotonic, now.chance);
  // Many boards wait for the same store; afterwards each takes a new ticket.
  return addError({ ...state, ticket: null, backoff: pausing }, { what: 'store' }, now);
}

function messageChecked(state: State, answer: RequestResult, now: Moment): State {
  const next = { ...state, ticket: null };
  return answer.kind === 'ok' ? answered(next, now) : messageRefused(next, answer, now);
}

function notified(state: State, answer: RequestResult, now: Moment): State {
  const notifiedState = { ...state, noticeDue: false };
  return answer.kind === 'ok'
    ? notifiedState
    : addError(notifiedState, { what: 'not-notified', code: answer.kind }, now);
}

/** Discord allows two changes of a topic in ten minutes. A refusal is final: the maker knows of it. */
function topicCleared(state: State, answer: RequestResult, now: Moment): State {
  const next = { ...state, ticket: null };
  if (answer.kind === 'lost') return { ...next, topicAt: now.monotonic + MINUTE };
  if (answer.kind === 'too-fast')
    return { ...next, topicAt: now.monotonic + Math.max(MINUTE, answer.retryAfter) };
  const isCounted = answer.kind === 'forbidden' || answer.kind === 'two-factor';
  const pausing = isCounted ? backoff.noteInvalid(state.backoff, now.monotonic) : state.backoff;
  return mergeLearned({ ...next, backoff: pausing }, { topic: [] });
}

function searched(state: State, answer: SearchResult, now: Moment): State {
  if (answer.kind !== 'found') return refused(state, answer, now);
  const next = { ...answered(state, now), searched: true };
  const { settings, stored } = state;
  const ownMessageId = settings.removed ? undefined : answer.messageIds[0];
  const doubles = answer.messageIds.filter((id) => id !== ownMessageId && !stored.orphans.includes(id));
  const orphans = [...stored.orphans, ...doubles];
  if (ownMessageId !== undefined)
    return mergeLearned(unknownShown(next), { posted: ownMessageId, sending: null, orphans });
  return doubles.length > 0 ? mergeLearned(next, { orphans }) : next;
}

function applySent(
  state: State,
  { frame, answer }: Extract<BoardEvent, { kind: 'sent' }>,
  now: Moment,
): State {
  // A search is needed only where the message may have been sent.
  if (answer.kind !== 'sent')
    return refused({ ...state, attempted: true, searched: answer.kind !== 'lost' }, answer, now);
  const postedState = mergeLearned(applyAcceptance(state, now), { posted: answer.messageId, sending: null });
  const isNew = now.wall - state.settings.madeAt < EDIT_RULE.aheadMs;
  const aheadUntil = isNew ? now.monotonic + EDIT_RULE.aheadMs : state.aheadUntil;
  const next = { ...postedState, aheadUntil, backoff: backoff.noteEdit(postedState.backoff, now.monotonic) };
  // The message may be from an earlier attempt, with an older frame.
  return state.attempted ? unknownShown(next) : showing(next, frame, now);
}

function edited(
  state: State,
  { frame, began, answer }: { readonly frame: Frame; readonly began: Moment; readonly answer: RequestResult },
  now: Moment,
): State {
  const noteThis = isNews({ ...state, frame }) ? backoff.noteEdit : backoff.noteRenewal;
  const paced = { ...state, ticket: null, backoff: noteThis(state.backoff, began.monotonic) };
  const next = showing(paced, frame, began);
  if (answer.kind === 'ok') return applyAcceptance(next, now);
  // The edit may or may not have arrived.
  const { lastEdit } = state.stored;
  const doubtful = { ...next, shown: { ...state.shown, hash: null }, stored: { ...next.stored, lastEdit } };
  return messageRefused(doubtful, answer, now);
}

function orphanRemoved(state: State, messageId: string, answer: RequestResult, now: Moment): State {
  const isOpen = answer.kind === 'lost' || answer.kind === 'too-fast';
  if (isOpen || (answer.kind === 'forbidden' && !state.settings.removed)) return refused(state, answer, now);
  // The message is deleted, or we cannot delete it.
  return mergeLearned(state, { orphans: state.stored.orphans.filter((id) => id !== messageId) });
}

function showing(state: State, { hash, mode, checked, times }: Frame, seen: Moment): State {
  return {
    ...state,
    shown: { hash, mode, checked, times, at: seen.monotonic },
    stored: { ...state.stored, lastEdit: seen.wall },
    unsaved: state.unsaved === 'no' ? 'later' : state.unsaved,
  };
}

function unknownShown(state: State): State {
  return { ...state, shown: { ...state.shown, hash: null } };
}

/** After a normal answer from Discord. */
function answered(state: State, { monotonic }: Moment): State {
  return { ...state, backoff: backoff.noteAnswer(state.backoff), checkAt: monotonic + state.checkEvery };
}

/** Clears the obstacle, since the bot may write there. */
function applyAcceptance(state: State, now: Moment): State {
  const next = { ...answered(state, now), probing: false, probePause: FIRST_PROBE_PAUSE_MS };
  return state.stored.paused === null ? next : mergeLearned(next, { paused: null });
}

/** For a request about the board's own message, which may be deleted. */
function messageRefused(state: State, refusal: RequestFailure, now: Moment): State {
  if (refusal.kind !== 'unknown-message') return refused(state, refusal, now);
  const recentDeletions = state.stored.deletions.filter((at) => Math.abs(now.wall - at) < UNWANTED.within);
  const deletions = [...recentDeletions, now.wall];
  const withoutMessage = {
    ...mergeLearned(state, { posted: null, sending: null, deletions }),
    searched: false,
  };
  const next = addError(withoutMessage, { what: 'deleted' }, now);
  return deletions.length >= UNWANTED.times ? paused(next, 'unwanted', [], now) : next;
}

/** For any request. */
function refused(state: State, refusal: RequestFailure, now: Moment): State {
  const { monotonic, chance } = now;
  const what = refusal.kind === 'unknown-message' ? 'deleted' : refusal.kind;
  const next = addError(state, { what, code: 'why' in refusal ? refusal.why : null }, now);
  const pace = next.backoff;
  if (refusal.kind === 'lost') return { ...next, backoff: backoff.noteFailure(pace, monotonic, chance) };
  if (refusal.kind === 'too-fast') {
    const counted = refusal.counted ? backoff.noteInvalid(pace, monotonic) : pace;
    return { ...next, backoff: backoff.tooFast(counted, monotonic, refusal.retryAfter, chance) };
  }
  // We cannot delete what we may not see.
  if (state.settings.removed) return mergeLearned({ ...next, searched: true }, { orphans: [] });
  if (refusal.kind === 'blocked' || refusal.kind === 'refused' || refusal.kind === 'two-factor')
    return { ...next, backoff: backoff.closeFor(pace, monotonic, REFUSED_RETRY_MS) };
  const isForbidden = refusal.kind === 'forbidden';
  const waitingState = {
    ...next,
    backoff: isForbidden ? backoff.noteInvalid(pace, monotonic) : pace,
    probing: false,
    refusedAt: monotonic,
    probeAt: monotonic + state.probePause,
    probePause: Math.min(LONGEST_PROBE_PAUSE_MS, state.probePause * 2),
  };
  return paused(waitingState, isForbidden ? 'rights' : 'channel', [], now);
}

function paused(state: State, why: Paused['why'], missing: readonly string[], now: Moment): State {
  if (state.stored.paused?.why === why) return state;
  const pause = { why, missing: [...missing], since: now.wall, notified: false };
  return mergeLearned(
    { ...state, notifyAt: now.monotonic + NOTIFY_DELAY_MS, noticeDue: false },
    { paused: pause },
  );
}
