import { randomUUID } from 'node:crypto';
import { ServiceError } from '../../errors.ts';
import type { Call, Fetched } from '../call.ts';
import type { Asking, Claim, QuestionLock } from './question-lock.ts';

/** Milliseconds after which others ask where the one who asked has died, and how often it says that it has not. */
const HOLD = 2000;
const RENEW_EVERY = 500;
/** The pause between two looks whether the other one is done doubles from the first to the second of these. */
const LOOK = { first: 20, longest: 160 };

interface Steps {
  /** The answer that somebody has fetched meanwhile; null where there is none. */
  readonly found: () => Promise<Fetched | null>;
  readonly ask: (call: Call) => Promise<Fetched>;
}

/**
 * Of all processes that have the same question one asks it, and the others find its answer or hear of its failure.
 * A person does not wait for a poller, whose turn may be far. Without the store everybody asks for themselves.
 */
export function createOneAsker(lock: QuestionLock): (call: Call, steps: Steps) => Promise<Fetched> {
  async function attempt(asking: Asking, waitedFor: string | null): Promise<Claim | null> {
    try {
      return await lock.claim(asking, waitedFor, HOLD);
    } catch {
      return null;
    }
  }

  /** Null: somebody else has become the one who asks. */
  async function askHolding(asking: Asking, call: Call, { found, ask }: Steps): Promise<Fetched | null> {
    const lost = new AbortController();
    const renewing = setInterval(() => {
      // A store that is away for a moment takes the lock from nobody.
      const renewed = lock.renew(asking, HOLD).catch(() => true);
      void renewed.then((isHeld) => {
        if (!isHeld) lost.abort();
      });
    }, RENEW_EVERY);
    const signal = call.signal === undefined ? lost.signal : AbortSignal.any([call.signal, lost.signal]);
    const release = (failure: Parameters<QuestionLock['release']>[1]): Promise<void> =>
      lock.release(asking, failure).catch(() => {});
    try {
      // Between the look at the store and the claim another may have been here.
      const fetched = (await found()) ?? (await ask({ ...call, signal }));
      await release(null);
      return fetched;
    } catch (error) {
      const concernsAll =
        error instanceof ServiceError &&
        error.share === null &&
        error.fault !== 'not-found' &&
        call.signal?.aborted !== true;
      await release(concernsAll ? { fault: error.fault, retryAt: error.retryAt } : null);
      if (lost.signal.aborted && isNoTurn(error)) return null;
      throw error;
    } finally {
      clearInterval(renewing);
    }
  }

  return async (call, steps) => {
    const { cacheKey, priority, endpoint } = call;
    const asking = { cacheKey, priority, id: randomUUID() };
    let waitedFor: string | null = null;
    let pause = LOOK.first;
    for (;;) {
      if (call.signal?.aborted)
        throw new ServiceError('over-budget', { endpoint, sent: 'no', detail: 'nobody wants it any more' });
      const claim = await attempt(asking, waitedFor);
      if (claim === null) return steps.ask(call);
      if (claim.state === 'failed') {
        const { fault, retryAt } = claim;
        const detail = 'asked by another process';
        throw new ServiceError(fault, {
          endpoint,
          sent: 'no',
          detail,
          ...(retryAt === null ? {} : { retryAt }),
        });
      }
      if (claim.state === 'ours') {
        const fetched = await askHolding(asking, call, steps);
        if (fetched !== null) return fetched;
      } else {
        waitedFor = claim.holder;
      }
      await passed(pause);
      pause = Math.min(LOOK.longest, pause * 2);
    }
  };
}

function isNoTurn(error: unknown): boolean {
  return error instanceof ServiceError && error.fault === 'over-budget' && error.sent === 'no';
}

function passed(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
