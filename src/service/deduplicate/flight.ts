import { ServiceError } from '../../errors.ts';
import type { Call, Fetched, Layer } from '../call.ts';

/**
 * One question under way, shared by all who ask it meanwhile. A person who joins what the background asks does not
 * wait for the background's turn: the call is made again as interactive, and the first of the two to be sent serves
 * everybody. A refusal for somebody's share concerns nobody else.
 */
export interface Flight {
  /** Rejects with a refusal for the caller's own share, or with what the question comes to. */
  join(call: Call): Promise<Fetched>;
}

interface FlightParts {
  readonly next: Layer;
  /** Where those ask for themselves who joined somebody that was refused for their own share. */
  readonly ask: Layer;
  /** Nobody can join any more. */
  readonly landed: () => void;
}

/** One call to the next layer. */
interface Attempt {
  readonly call: Call;
  readonly dropped: AbortController;
  /** Whether it has its permit and is on its way. */
  isSent: boolean;
}

export function createFlight({ next, ask, landed }: FlightParts): Flight {
  const { promise: answer, resolve, reject } = Promise.withResolvers<Fetched>();
  const attempts = new Set<Attempt>();
  /** What a person asked, and what need not be sent as long as the background's call is on its way. */
  let person: Call | null = null;
  let failure: unknown = null;
  // All who asked may have got an older record meanwhile: then nobody is left to hear of a failure.
  answer.catch(() => {});

  function end(): void {
    landed();
    drop(attempts, null);
  }

  function failed({ priority }: Call, error: unknown): void {
    const isShare = isShareRefusal(error);
    if (!isShare) failure ??= error;
    // Nobody is kept waiting for the background's turn, which may be far, once their own request has failed.
    const isOver = !isShare && (priority === 'interactive' || isUnknown(error));
    if (!isOver && attempts.size > 0) return;
    reject(isOver ? error : (failure ?? error));
    end();
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
    const made = next({
      ...call,
      signal: attempt.dropped.signal,
      onProgress: (progress) => progressed(attempt, progress),
    });
    made.then(
      (fetched) => {
        resolve(fetched);
        end();
      },
      (error: unknown) => {
        if (!(error instanceof ServiceError)) reject(error);
        if (!attempts.delete(attempt)) return;
        if (isShareRefusal(error)) refuse(error);
        failed(call, error);
      },
    );
    return Promise.race([answer, refused]);
  }

  async function wait(call: Call): Promise<Fetched> {
    try {
      return await answer;
    } catch (error) {
      if (isShareRefusal(error)) return ask(call);
      throw error;
    }
  }

  return {
    join: (call) => {
      if (attempts.size === 0) return make(call);
      if (call.priority === 'background') return wait(call);
      const mayBeFar = [...attempts].every((made) => made.call.priority === 'background' && !made.isSent);
      if (mayBeFar) return make(call);
      person ??= call;
      return wait(call);
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

function isUnknown(error: unknown): boolean {
  return error instanceof ServiceError && error.fault === 'not-found';
}

/** Whether it concerns the one who asked, and not the question. */
function isShareRefusal(error: unknown): boolean {
  return error instanceof ServiceError && error.share !== null;
}
