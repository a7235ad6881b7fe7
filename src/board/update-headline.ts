/** A board's state after a step that sets the headline outside the message. No failure there holds up the message. */
import { MINUTE } from '../base/duration.ts';
import * as backoff from './backoff.ts';
import type { RequestFailure, RequestResult } from './channels.ts';
import { voiceOf } from './headline.ts';
import { learned, noted } from './refusal.ts';
import { type Moment, STATUS_EVERY, type State, TOPIC_EVERY } from './state.ts';
import type { BoardEvent } from './update.ts';

/** After a refusal that will not end by itself. */
const REFUSED = 10 * MINUTE;
/** Our lines that may stand in a topic: answers that were lost leave one each. */
const LINES = 5;

/** Stored before the topic is changed: what is ours in it has to be known for as long as it is there. */
export function topicPlanned(state: State, line: string | null): State {
  const planned = { ...state, topicPlan: { line } };
  return line === null ? planned : learned(planned, { topic: [...state.stored.topic, line].slice(-LINES) });
}

/** Discord counts from when the request arrived, which was before `now`. */
export function topicSet(state: State, answer: RequestResult, now: Moment): State {
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

export function statusSet(
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
  const next = isUsual ? state : noted(state, { what: 'headline', code: refusal.kind }, now);
  const isInvalid = refusal.kind === 'forbidden' || (refusal.kind === 'too-fast' && refusal.counted);
  return isInvalid ? { ...next, backoff: backoff.invalid(next.backoff, now.monotonic) } : next;
}
