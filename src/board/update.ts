/** What a board learns from what came of a request: what it may do, when it goes on, and what has gone wrong. */

import type { Clock } from '../clock.ts';
import type { BoardState } from '../store/board-records.ts';
import type { Pace } from './backoff.ts';
import type { Refusal } from './channel.ts';
import type { Mind, Paused } from './next-step.ts';
import type { Safeguards } from './safeguards.ts';

export interface Mishap {
  /** Unix milliseconds. */
  readonly at: number;
  readonly what: string;
}

export interface Lessons {
  /** The last five, oldest first. */
  readonly mishaps: readonly Mishap[];
  note(what: string): void;
  /** Something that has to be stored before anything else happens. */
  learn(part: Partial<BoardState>): void;
  /** Chat answered as it should. */
  answered(): void;
  /** We may write there: whatever was in the way no longer is. */
  allowed(): void;
  refused(refusal: Refusal): void;
  /** Of a request about the board's own message, which may be gone. */
  messageRefused(refusal: Refusal): void;
  pauseFor(why: Paused['why'], missing: readonly string[]): void;
  /** The live connection has told something: what is refused may be tried again. */
  accessChanged(): void;
}

const MINUTE = 60_000;
const UNWANTED = { times: 3, within: 10 * MINUTE };
/** The live connection may tell of lost rights a little later than a refusal does. */
const TELL_AFTER = 3000;
/** How long to wait before what is refused for no known reason is tried again, in milliseconds. */
const PROBE = { apart: 10_000, first: MINUTE, most: 10 * MINUTE };
/** Before what chat would not take is tried again. */
const REFUSED = 2 * MINUTE;

export function createLessons(parts: {
  readonly mind: Mind;
  readonly pace: Pace;
  readonly clock: Clock;
  readonly safeguards: Pick<Safeguards, 'pauseOnLostRights'>;
  /** In milliseconds. */
  readonly lookEvery: () => number;
}): Lessons {
  const { mind, pace, clock, safeguards } = parts;
  let probePause = PROBE.first;
  let refusedAt = Number.NEGATIVE_INFINITY;
  let mishaps: readonly Mishap[] = [];

  function pauseFor(why: Paused['why'], missing: readonly string[]): void {
    if (mind.state.paused?.why === why) return;
    mind.tellAt = clock.monotonic() + TELL_AFTER;
    learn({ paused: { why, missing: [...missing], since: clock.now(), told: false } });
  }

  function answered(): void {
    pace.done();
    mind.lookAt = clock.monotonic() + parts.lookEvery();
  }

  /** We may write there: whatever was in the way no longer is. */
  function allowed(): void {
    answered();
    mind.probing = false;
    probePause = PROBE.first;
    if (mind.state.paused !== null) learn({ paused: null });
  }

  function messageRefused(refusal: Refusal): void {
    if (refusal.kind !== 'unknown-message') {
      refused(refusal);
      return;
    }
    const now = clock.now();
    const lately = mind.state.deletions.filter((at) => Math.abs(now - at) < UNWANTED.within);
    learn({ posted: null, sending: null, deletions: [...lately, now] });
    mind.searched = false;
    note('its message was deleted');
    if (lately.length + 1 >= UNWANTED.times) pauseFor('unwanted', []);
  }

  function refused(refusal: Refusal): void {
    const now = clock.monotonic();
    note('why' in refusal ? `${refusal.kind}: ${refusal.why}` : refusal.kind);
    if (refusal.kind === 'lost') {
      pace.failed(now);
    } else if (refusal.kind === 'too-fast') {
      if (refusal.told) pace.invalid(now);
      pace.tooFast(now, refusal.retryAfter);
    } else if (mind.settings.removed) {
      // What we may not see we cannot take down.
      mind.searched = true;
      learn({ litter: [] });
    } else if (refusal.kind === 'refused') {
      pace.close(now, REFUSED);
    } else if (!safeguards.pauseOnLostRights) {
      pace.failed(now);
    } else {
      if (refusal.kind === 'forbidden') pace.invalid(now);
      mind.probing = false;
      refusedAt = now;
      mind.probeAt = now + probePause;
      probePause = Math.min(PROBE.most, probePause * 2);
      pauseFor(refusal.kind === 'forbidden' ? 'rights' : 'channel', []);
    }
  }

  function learn(part: Partial<BoardState>): void {
    mind.state = { ...mind.state, ...part };
    mind.unsaved = 'now';
  }

  function note(what: string): void {
    mishaps = [...mishaps, { at: clock.now(), what }].slice(-5);
  }

  return {
    get mishaps() {
      return mishaps;
    },
    note,
    learn,
    answered,
    allowed,
    refused,
    messageRefused,
    pauseFor,
    accessChanged() {
      mind.probeAt = Math.min(mind.probeAt, Math.max(clock.monotonic(), refusedAt + PROBE.apart));
    },
  };
}
