import { randomUUID } from 'node:crypto';
import { type Clock, sleep } from '../../base/clock.ts';
import { ServiceError } from '../../base/errors.ts';
import { every } from '../../base/every.ts';
import { type Call, type DatedBody, type Fetched, isReadable, type Layer } from '../call.ts';

/** One process's call; `id` is unique across processes. */
interface Holder extends Pick<Call, 'cacheKey' | 'priority'> {
  readonly id: string;
}

/** A call's outcome, for waiting processes. */
export type Outcome =
  | { readonly answer: DatedBody }
  | { readonly failure: Pick<ServiceError, 'fault' | 'refusal' | 'retryAt'> };

export type Claim =
  | { readonly state: 'ours' }
  /** `holder`: the id of the current holder. */
  | { readonly state: 'theirs'; readonly holder: string }
  /** It was released a moment ago with this outcome. */
  | { readonly state: 'over'; readonly outcome: Outcome };

/**
 * Lets only one process make the request for a cache key. The lock expires, so that others can go on if its holder
 * dies. Every operation rejects when the store is unavailable.
 */
export interface FlightLock {
  /**
   * Takes the lock for `ms` if it is free, if a person wants it from a poller, or if it is already the holder's
   * own, whose priority is then updated. For a moment after a release, returns its outcome instead: an answer to
   * everyone, a failure to those who `waitedFor` that holder.
   */
  claim(holder: Holder, waitedFor: string | null, ms: number): Promise<Claim>;
  /** False: another process holds it now. */
  renew(holder: Holder, ms: number): Promise<boolean>;
  /** Releases it if still held. Null: no outcome to share. */
  release(holder: Holder, outcome: Outcome | null): Promise<void>;
}

/** How long a lock outlives a process that has died, and how often it is renewed, in ms. */
const HOLD = 2000;
const RENEW_EVERY = 500;
/** The pause between two checks of the lock in ms; it doubles from `first` up to `longest`. */
const LOOK = { first: 20, longest: 160 };

interface CrossProcessSettings {
  readonly lock: FlightLock;
  readonly clock: Clock;
}

/**
 * Across all processes, one makes the request and the others get its outcome. A person does not wait for a poller
 * that is still queued. Without the store, each process makes its own request. Keyless calls are not worth a lock.
 */
export function createCrossProcess(settings: CrossProcessSettings): (next: Layer) => Layer {
  const { lock, clock } = settings;

  return (next) => async (call) => {
    if (!call.keyed) return next(call);
    const { cacheKey, priority } = call;
    const holder = { cacheKey, priority, id: randomUUID() };
    let waitedFor: string | null = null;
    for (let pause = LOOK.first; ; pause = Math.min(LOOK.longest, pause * 2)) {
      if (call.signal?.aborted) throw unsent(call, 'no longer wanted');
      const claim: Claim | null = await lock.claim(holder, waitedFor, HOLD).catch(() => null);
      if (claim === null) return next(call);
      if (claim.state === 'over') return readOutcome(claim.outcome, call) ?? next(call);
      if (claim.state === 'ours') {
        const fetched = await askHolding(settings, next, call, holder);
        if (fetched !== null) return fetched;
      } else waitedFor = claim.holder;
      await sleep(clock, pause);
    }
  };
}

/** Null if another process has taken the lock. */
async function askHolding(
  { lock, clock }: CrossProcessSettings,
  next: Layer,
  call: Call,
  holder: Holder,
): Promise<Fetched | null> {
  const lost = new AbortController();
  let held = holder;
  const stopRenewing = renewAlways(
    { lock, clock },
    () => held,
    () => lost.abort(),
  );
  const onProgress: Call['onProgress'] = (progress) => {
    call.onProgress?.(progress);
    if (call.priority === 'interactive') return;
    // Once a poller's request is sent, people wait for it: the lock is then held with a person's priority.
    held = { ...holder, priority: progress === 'sent' ? 'interactive' : 'background' };
    lock.claim(held, null, HOLD).catch(() => {});
  };
  const signal = call.signal === undefined ? lost.signal : AbortSignal.any([call.signal, lost.signal]);
  let outcome: Outcome | null = null;
  try {
    const fetched = await next({ ...call, signal, onProgress });
    outcome = { answer: { body: fetched.body, asOf: fetched.asOf } };
    return fetched;
  } catch (error) {
    if (!(error instanceof ServiceError) || call.signal?.aborted) throw error;
    if (lost.signal.aborted && error.sent === 'no') return null;
    // A refused share concerns only its owner.
    const { fault, refusal, retryAt } = error;
    if (error.share === null) outcome = { failure: { fault, refusal, retryAt } };
    throw error;
  } finally {
    stopRenewing();
    // Nobody waits for it: it expires where it is not released.
    lock.release(held, outcome).catch(() => {});
  }
}

/** Renews the lock until stopped. `onLost` is called once, when another process has it. */
function renewAlways(
  { lock, clock }: CrossProcessSettings,
  holder: () => Holder,
  onLost: () => void,
): () => void {
  const renew = async (): Promise<void> => {
    if (await lock.renew(holder(), HOLD)) return;
    void renewing.stop();
    onLost();
  };
  // A brief failure of the store does not cost the lock.
  const renewing = every(clock, RENEW_EVERY, renew, () => {});
  return () => void renewing.stop();
}

/** Null where the answer came from a version whose format this one cannot read. */
function readOutcome(outcome: Outcome, call: Call): Fetched | null {
  if ('answer' in outcome) {
    const { body, asOf } = outcome.answer;
    return isReadable(call, body) ? { body, asOf, stale: null, rate: null } : null;
  }
  const { fault, ...why } = outcome.failure;
  const detail = 'asked by another process';
  throw new ServiceError(fault, { endpoint: call.endpoint, sent: 'no', detail, ...why });
}

function unsent({ endpoint }: Call, detail: string): ServiceError {
  return new ServiceError('no-turn', { endpoint, sent: 'no', detail });
}
