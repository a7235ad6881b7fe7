/** How Discord's answers change a board's state: when it may continue, and whether it must pause. */

import { MINUTE } from '../base/duration.ts';
import type { BoardState, BoardTrouble, Paused } from '../service/models/board.ts';
import * as backoff from './backoff.ts';
import type { RequestFailure } from './channels.ts';
import { FIRST_PROBE, type Moment, type State } from './state.ts';

/** This many deletions of its message within this time mean that someone does not want it. */
const UNWANTED = { times: 3, within: 10 * MINUTE };
/** The gateway may report lost permissions a little later than a refusal does. */
const NOTIFY_AFTER = 3000;
const LAST_PROBE = 10 * MINUTE;
/** The wait before retrying a request that Discord refused. */
const REFUSED = 2 * MINUTE;
const ERRORS = 5;

/** After a normal answer from Discord. */
export function answered(state: State, { monotonic }: Moment): State {
  return { ...state, backoff: backoff.answered(state.backoff), checkAt: monotonic + state.checkEvery };
}

/** We may write there: any obstacle is gone. */
export function allowed(state: State, now: Moment): State {
  const next = { ...answered(state, now), probing: false, probePause: FIRST_PROBE };
  return state.stored.paused === null ? next : learned(next, { paused: null });
}

/** For a request about the board's own message, which may be deleted. */
export function messageRefused(state: State, refusal: RequestFailure, now: Moment): State {
  if (refusal.kind !== 'unknown-message') return refused(state, refusal, now);
  const lately = state.stored.deletions.filter((at) => Math.abs(now.wall - at) < UNWANTED.within);
  const deletions = [...lately, now.wall];
  const gone = { ...learned(state, { posted: null, sending: null, deletions }), searched: false };
  const next = noted(gone, { what: 'deleted' }, now);
  return deletions.length >= UNWANTED.times ? paused(next, 'unwanted', [], now) : next;
}

/** For any request. */
export function refused(state: State, refusal: RequestFailure, now: Moment): State {
  const { monotonic, chance } = now;
  const what = refusal.kind === 'unknown-message' ? 'deleted' : refusal.kind;
  const next = noted(state, { what, code: 'why' in refusal ? refusal.why : null }, now);
  const pace = next.backoff;
  if (refusal.kind === 'lost') return { ...next, backoff: backoff.failed(pace, monotonic, chance) };
  if (refusal.kind === 'too-fast') {
    const counted = refusal.counted ? backoff.invalid(pace, monotonic) : pace;
    return { ...next, backoff: backoff.tooFast(counted, monotonic, refusal.retryAfter, chance) };
  }
  // We cannot delete what we may not see.
  if (state.settings.removed) return learned({ ...next, searched: true }, { orphans: [] });
  if (refusal.kind === 'blocked' || refusal.kind === 'refused' || refusal.kind === 'two-factor')
    return { ...next, backoff: backoff.close(pace, monotonic, REFUSED) };
  const isForbidden = refusal.kind === 'forbidden';
  const waiting = {
    ...next,
    backoff: isForbidden ? backoff.invalid(pace, monotonic) : pace,
    probing: false,
    refusedAt: monotonic,
    probeAt: monotonic + state.probePause,
    probePause: Math.min(LAST_PROBE, state.probePause * 2),
  };
  return paused(waiting, isForbidden ? 'rights' : 'channel', [], now);
}

export function paused(state: State, why: Paused['why'], missing: readonly string[], now: Moment): State {
  if (state.stored.paused?.why === why) return state;
  const pause = { why, missing: [...missing], since: now.wall, notified: false };
  return learned({ ...state, notifyAt: now.monotonic + NOTIFY_AFTER, noticeDue: false }, { paused: pause });
}

/** Adds something that must be stored before the next request. */
export function learned(state: State, part: Partial<BoardState>): State {
  return { ...state, stored: { ...state.stored, ...part }, unsaved: 'now' };
}

export function noted(
  state: State,
  { what, code = null }: { readonly what: BoardTrouble; readonly code?: string | null },
  { wall }: Moment,
): State {
  return { ...state, errors: [...state.errors, { at: wall, what, code }].slice(-ERRORS) };
}
