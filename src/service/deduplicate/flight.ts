import { ServiceError } from '../../errors.ts';
import type { Call, Fetched, Layer } from '../call.ts';

/**
 * One question under way, shared by all who ask it meanwhile. A person who joins what the background asks does not
 * wait for the background's turn: the call is made again as interactive, and the first of the two to be sent serves
 * everybody. A refusal for somebody's share concerns nobody else.
 */
export interface Flight {
  /** Rejects with the refusal of a share where nothing is left but the call of somebody who has had theirs. */
  readonly answer: Promise<Fetched>;
  /** What comes of a call of one's own, which may be a refusal for one's own share; null where none has to be made. */
  join(call: Call): Promise<Fetched> | null;
}

/** One call to the next layer. */
interface Attempt {
  readonly call: Call;
  readonly dropped: AbortController;
  /** Whether it has its permit and is on its way. */
  isSent: boolean;
}

/** `landed` is called when nobody can join any more. */
export function createFlight(next: Layer, landed: () => void): Flight {
  const { promise: answer, resolve, reject } = Promise.withResolvers<Fetched>();
  const attempts = new Set<Attempt>();
  /** What a person asked, and what need not be sent as long as the background's call is on its way. */
  let person: Call | null = null;
  /** The last that was not for a share. */
  let failure: unknown = null;
  // All who asked may have got an older record meanwhile: then nobody is left to hear of a failure.
  answer.catch(() => {});

  function end(): void {
    landed();
    drop(attempts, null);
  }

  function progressed(attempt: Attempt, progress: 'sent' | 'waiting'): void {
    if (!attempts.has(attempt)) return;
    attempt.isSent = progress === 'sent';
    if (attempt.isSent) person = drop(attempts, attempt) ?? person;
    // The background's call has to be sent once more. If the person is refused for their share, it still will be.
    else if (person !== null && attempt.call.priority === 'background') void make(person).catch(() => {});
  }

  function make(call: Call): Promise<Fetched> {
    const attempt: Attempt = { call, dropped: new AbortController(), isSent: false };
    const { promise: refused, reject: refuse } = Promise.withResolvers<never>();
    attempts.add(attempt);
    const onProgress: Call['onProgress'] = (progress) => progressed(attempt, progress);
    next({ ...call, signal: attempt.dropped.signal, onProgress }).then(
      (fetched) => {
        resolve(fetched);
        end();
      },
      (error: unknown) => {
        if (!(error instanceof ServiceError)) reject(error);
        if (!attempts.delete(attempt)) return;
        if (isShareRefusal(error)) refuse(error);
        else failure = error;
        if (attempts.size > 0 && !endsAll(call, error)) return;
        reject(failure ?? error);
        end();
      },
    );
    return Promise.race([answer, refused]);
  }

  return {
    answer,
    join: (call) => {
      const all = [...attempts];
      // What needs no key waits for no permit, so that there is nothing to hurry.
      if (all.length > 0 && (call.priority === 'background' || !call.keyed)) return null;
      if (all.every((made) => made.call.priority === 'background' && !made.isSent)) return make(call);
      person ??= call;
      return null;
    },
  };
}

/** Drops every call but one. What comes back is the last that was a person's, if there was one. */
function drop(attempts: Set<Attempt>, except: Attempt | null): Call | null {
  let person: Call | null = null;
  for (const attempt of attempts) {
    if (attempt === except) continue;
    attempts.delete(attempt);
    if (attempt.call.priority === 'interactive') person = attempt.call;
    attempt.dropped.abort();
  }
  return person;
}

/** Nobody is kept waiting for the background's turn, which may be far, once their own request has failed. */
function endsAll({ priority }: Call, error: unknown): boolean {
  if (isShareRefusal(error)) return false;
  return priority === 'interactive' || (error instanceof ServiceError && error.fault === 'not-found');
}

/** Whether it concerns the one who asked, and not the question. */
export function isShareRefusal(error: unknown): boolean {
  return error instanceof ServiceError && error.share !== null;
}
