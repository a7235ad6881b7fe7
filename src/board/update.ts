/** A board's state after an event. Pure: nothing else changes a state. */

import { MINUTE } from '../base/duration.ts';
import type { BoardSettings, BoardState, Paused } from '../service/models/board.ts';
import * as backoff from './backoff.ts';
import type { RequestFailure, RequestResult, SearchResult, SendResult } from './channels.ts';
import { voiceOf } from './headline.ts';
import { troubleOf } from './next-step.ts';
import { allowed, answered, learned, messageRefused, noted, paused, refused } from './refusal.ts';
import type { Frame } from './render.ts';
import { type BoardSurroundings, type Moment, STATUS_EVERY, type State, TOPIC_EVERY } from './state.ts';

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
  | { readonly kind: 'message-checked' | 'notified'; readonly answer: RequestResult }
  | { readonly kind: 'orphan-removed'; readonly messageId: string; readonly answer: RequestResult }
  // The headline outside the message, where no failure holds up the message.
  | { readonly kind: 'topic-planned'; readonly line: string | null }
  | { readonly kind: 'topic-set'; readonly answer: RequestResult }
  | { readonly kind: 'voice-marked'; readonly channelId: string }
  | {
      readonly kind: 'status-set';
      readonly channelId: string;
      readonly headline: string | null;
      readonly answer: RequestResult;
    };

/** The minimum time between two retries caused by gateway news, in ms. */
const PROBES_APART = 10_000;
/** How long a person looks at what has become of a board that they have made or changed, in ms. */
const LOOKED_AT = 15_000;

export function update(state: State, event: BoardEvent, now: Moment): State {
  switch (event.kind) {
    case 'observed':
      return observed(state, event.observed);
    case 'settings-changed':
      return { ...state, wanted: event.settings };
    case 'access-changed':
      return accessChanged(state, now);
    case 'wanted-again':
      return learned(state, { paused: null, deletions: [] });
    case 'stopping':
      return { ...state, stopping: true };
    case 'handing-over':
      return { ...state, stopping: true, pauseNotices: Number.POSITIVE_INFINITY };
    case 'abandoned':
    case 'ended':
      return { ...state, ended: true };
    case 'bug':
      return { ...noted(state, { what: 'bug' }, now), ended: state.ended || state.stopping };
    case 'settings-taken':
      return settingsTaken(state, now);
    case 'probing':
      return { ...state, probing: true };
    case 'marked-notified':
      return markedNotified(state);
    case 'nonce-chosen':
      return { ...learned(state, { sending: { nonce: event.nonce } }), attempted: false };
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
      return sent(state, event, now);
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
    case 'topic-planned':
      return topicPlanned(state, event.line);
    case 'topic-set':
      return topicSet(state, event.answer, now);
    case 'voice-marked':
      return learned({ ...state, statusShown: null }, { voice: event.channelId });
    case 'status-set':
      return statusSet(state, event, now);
  }
}

function observed(state: State, news: BoardSurroundings): State {
  const next = { ...state, ...news, ticket: mayUseTicket(news) ? state.ticket : null };
  // Once the gateway reports a reason, it will also report when the reason is gone.
  const isKnown = state.stored.paused !== null && troubleOf(news.access) !== null;
  return isKnown ? { ...next, probing: false, probeAt: 0 } : next;
}

/** A board that is held up gives its ticket up: otherwise all that were held up together would edit at once. */
function mayUseTicket({ mayAct, access }: BoardSurroundings): boolean {
  return mayAct && access.kind === 'open';
}

/** A refused request is retried, but not for each of several changes in a row. */
function accessChanged(state: State, now: Moment): State {
  const soon = Math.max(now.monotonic, state.refusedAt + PROBES_APART);
  return { ...state, probeAt: Math.min(state.probeAt, soon) };
}

function settingsTaken(state: State, now: Moment): State {
  const { wanted, settings, stored } = state;
  // A planned line may be unwanted by now; should it have been set, it is known.
  const taken = { ...state, settings: wanted, topicPlan: null, aheadUntil: now.monotonic + LOOKED_AT };
  if (wanted.removed === settings.removed) return taken;
  // Removed, or wanted again before the removal was done: either way the channel is searched.
  const orphans = wanted.removed && stored.posted !== null ? [...stored.orphans, stored.posted] : [];
  const fresh = { posted: null, sending: null, orphans, paused: null, deletions: [] };
  return { ...learned(taken, fresh), searched: false };
}

/** Stored before the message is sent, so that no person is notified twice. */
function markedNotified(state: State): State {
  const { access, stored } = state;
  if (stored.paused === null) return state;
  const missing = access.kind === 'missing' ? access.rights : stored.paused.missing;
  const marked = { ...stored.paused, missing: [...missing], notified: true };
  return { ...learned(state, { paused: marked }), noticeDue: true };
}

function storeFailed(state: State, now: Moment): State {
  const pausing = backoff.failed(state.backoff, now.monotonic, now.chance);
  // Many boards wait for the same store; afterwards each takes a new ticket.
  return noted({ ...state, ticket: null, backoff: pausing }, { what: 'store' }, now);
}

function messageChecked(state: State, answer: RequestResult, now: Moment): State {
  const next = { ...state, ticket: null };
  return answer.kind === 'ok' ? answered(next, now) : messageRefused(next, answer, now);
}

function notified(state: State, answer: RequestResult, now: Moment): State {
  const done = { ...state, noticeDue: false };
  return answer.kind === 'ok' ? done : noted(done, { what: 'not-notified', code: answer.kind }, now);
}

function searched(state: State, answer: SearchResult, now: Moment): State {
  if (answer.kind !== 'found') return refused(state, answer, now);
  const next = { ...answered(state, now), searched: true };
  const { settings, stored } = state;
  const own = settings.removed ? undefined : answer.messageIds[0];
  const doubles = answer.messageIds.filter((id) => id !== own && !stored.orphans.includes(id));
  const orphans = [...stored.orphans, ...doubles];
  if (own !== undefined) return learned(unknownShown(next), { posted: own, sending: null, orphans });
  return doubles.length > 0 ? learned(next, { orphans }) : next;
}

function sent(state: State, { frame, answer }: Extract<BoardEvent, { kind: 'sent' }>, now: Moment): State {
  // A search is needed only where the message may have been sent.
  if (answer.kind !== 'sent')
    return refused({ ...state, attempted: true, searched: answer.kind !== 'lost' }, answer, now);
  const posted = learned(allowed(state, now), { posted: answer.messageId, sending: null });
  const isNew = now.wall - state.settings.madeAt < LOOKED_AT;
  const aheadUntil = isNew ? now.monotonic + LOOKED_AT : state.aheadUntil;
  const next = { ...posted, aheadUntil, backoff: backoff.edited(posted.backoff, now.monotonic) };
  // The message may be from an earlier attempt, with an older frame.
  return state.attempted ? unknownShown(next) : showing(next, frame, now);
}

function edited(
  state: State,
  { frame, began, answer }: { readonly frame: Frame; readonly began: Moment; readonly answer: RequestResult },
  now: Moment,
): State {
  const paced = { ...state, ticket: null, backoff: backoff.edited(state.backoff, began.monotonic) };
  const next = showing(paced, frame, began);
  if (answer.kind === 'ok') return allowed(next, now);
  // It may or may not be there.
  const { lastEdit } = state.stored;
  const doubtful = { ...next, shown: { ...state.shown, hash: null }, stored: { ...next.stored, lastEdit } };
  return messageRefused(doubtful, answer, now);
}

function orphanRemoved(state: State, messageId: string, answer: RequestResult, now: Moment): State {
  const isOpen = answer.kind === 'lost' || answer.kind === 'too-fast';
  if (isOpen || (answer.kind === 'forbidden' && !state.settings.removed)) return refused(state, answer, now);
  // It is deleted, or we cannot delete it.
  return learned(state, { orphans: state.stored.orphans.filter((id) => id !== messageId) });
}

function showing(state: State, { hash, mode, checked }: Frame, seen: Moment): State {
  return {
    ...state,
    shown: { hash, mode, checked, at: seen.monotonic },
    stored: { ...state.stored, lastEdit: seen.wall },
    unsaved: state.unsaved === 'no' ? 'later' : state.unsaved,
  };
}

function unknownShown(state: State): State {
  return { ...state, shown: { ...state.shown, hash: null } };
}

/** After a refusal that will not end by itself. */
const REFUSED = 10 * MINUTE;
/** Our lines that may stand in a topic: answers that were lost leave one each. */
const LINES = 5;

/** Stored before the topic is changed: what is ours in it has to be known for as long as it is there. */
function topicPlanned(state: State, line: string | null): State {
  const planned = { ...state, topicPlan: { line } };
  return line === null ? planned : learned(planned, { topic: [...state.stored.topic, line].slice(-LINES) });
}

/** Discord counts from when the request arrived, which was before `now`. */
function topicSet(state: State, answer: RequestResult, now: Moment): State {
  const line = state.topicPlan?.line ?? null;
  const next = { ...state, ticket: null, topicPlan: null, topicAt: now.monotonic + TOPIC_EVERY };
  if (answer.kind === 'ok') return learned(next, { topic: line === null ? [] : [line] });
  const waiting = {
    ...counted(next, answer, now),
    topicOpenAt: now.monotonic + waitAfter(answer, MINUTE),
  };
  // Where we may not change it any more, there is nothing to wait for.
  return state.settings.removed && isFinal(answer) ? learned(waiting, { topic: [] }) : waiting;
}

function statusSet(
  state: State,
  { channelId, headline, answer }: Extract<BoardEvent, { kind: 'status-set' }>,
  now: Moment,
): State {
  const next = { ...state, ticket: null };
  const isOver = channelId !== voiceOf(state) && (answer.kind === 'ok' || isFinal(answer));
  const settled = isOver ? learned({ ...next, statusShown: null }, { voice: null }) : next;
  if (answer.kind === 'ok') {
    const statusShown = isOver ? null : { headline, at: now.monotonic };
    return { ...settled, statusShown, statusAt: now.monotonic + STATUS_EVERY };
  }
  const statusAt = now.monotonic + waitAfter(answer, STATUS_EVERY);
  return { ...counted(settled, answer, now), statusShown: null, statusAt };
}

function isFinal({ kind }: RequestFailure): boolean {
  return kind !== 'lost' && kind !== 'too-fast';
}

function waitAfter(refusal: RequestFailure, atLeast: number): number {
  if (isFinal(refusal)) return REFUSED;
  return refusal.kind === 'too-fast' ? Math.max(atLeast, refusal.retryAfter) : atLeast;
}

/** Notes it, except that Discord spaces changes of a topic out, and counts what Discord counts towards a ban. */
function counted(state: State, refusal: RequestFailure, now: Moment): State {
  const isUsual = refusal.kind === 'too-fast';
  const isTwoFactor = refusal.kind === 'two-factor';
  const trouble = isTwoFactor ? { what: refusal.kind } : ({ what: 'headline', code: refusal.kind } as const);
  const next = isUsual ? state : noted(state, trouble, now);
  const isInvalid =
    isTwoFactor || refusal.kind === 'forbidden' || (refusal.kind === 'too-fast' && refusal.counted);
  return isInvalid ? { ...next, backoff: backoff.invalid(next.backoff, now.monotonic) } : next;
}
