import { ServiceError } from '../../base/errors.ts';
import type { Call, Fetched, Layer } from '../call.ts';

/** Makes one request for identical concurrent calls in one process. */
export function createDeduplicate(next: Layer): Layer {
  const flights = new Map<string, ReturnType<typeof createFlight>>();

  const ask: Layer = async (call) => {
    const { cacheKey } = call;
    const flight = flights.get(cacheKey) ?? createFlight(next, () => flights.delete(cacheKey));
    flights.set(cacheKey, flight);
    const ownOutcome = flight.join(call);
    if (ownOutcome !== null) return ownOutcome;
    try {
      return await flight.answer;
    } catch (error) {
      // The share of the person whose call was sent is used up. That is nobody else's concern: this call is made
      // instead.
      if (isShareRefusal(error)) return ask(call);
      throw error;
    }
  };
  return ask;
}

/** One call to the next layer. */
interface Attempt {
  readonly call: Call;
  readonly dropped: AbortController;
  /** True once the call has its permit and is under way. */
  isSent: boolean;
}

/**
 * One call under way, shared by all who make it meanwhile. A person who joins a background call does not wait in
 * the background's queue: the call is made again as interactive, and the first of the two to be sent serves
 * everyone. A refused share concerns nobody else. `landed` is called once nobody can join any more.
 */
function createFlight(next: Layer, landed: () => void) {
  const { promise: answer, resolve, reject } = Promise.withResolvers<Fetched>();
  const attempts = new Set<Attempt>();
  /** A person's call that is not needed while the background's is under way. */
  let person: Call | null = null;
  /** The last failure that was not a share refusal. */
  let failure: unknown = null;
  // All callers may already have an older record; then nobody is left to handle a rejection.
  answer.catch(() => {});

  function end(): void {
    landed();
    drop(attempts, null);
  }

  function progressed(attempt: Attempt, progress: 'sent' | 'waiting'): void {
    if (!attempts.has(attempt)) return;
    attempt.isSent = progress === 'sent';
    if (attempt.isSent) person = drop(attempts, attempt) ?? person;
    // The background's call waits for a retry. It is still made if the person's share is refused.
    else if (person !== null && attempt.call.priority === 'background') void make(person).catch(() => {});
  }

  function make(call: Call): Promise<Fetched> {
    const attempt: Attempt = { call, dropped: new AbortController(), isSent: false };
    const { promise: refused, reject: refuse } = Promise.withResolvers<never>();
    attempts.add(attempt);
    const onProgress: Call['onProgress'] = (progress) => progressed(attempt, progress);
    next({ ...call, signal: attempt.dropped.signal, onProgress }).then(
      (fetched) => {
        attempts.delete(attempt);
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
    /** Rejects with a share refusal only if every caller left has used up their share. */
    answer,
    /** The outcome of the joining call itself, which may be a refused share; null if no call has to be made. */
    join(call: Call): Promise<Fetched> | null {
      const all = [...attempts];
      // Keyless calls wait for no permit, so there is nothing to hurry.
      if (all.length > 0 && (call.priority === 'background' || !call.keyed)) return null;
      if (all.every((attempt) => attempt.call.priority === 'background' && !attempt.isSent))
        return make(call);
      person ??= call;
      return null;
    },
  };
}

/** Drops every call but one. Returns the last of a person's dropped calls, if any. */
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

/** Once a person's own request has failed, nobody waits for the background's, which may be far back in its queue. */
function endsAll({ priority }: Call, error: unknown): boolean {
  if (isShareRefusal(error)) return false;
  return priority === 'interactive' || (error instanceof ServiceError && error.fault === 'not-found');
}

/** The error concerns only the person who asked. */
function isShareRefusal(error: unknown): boolean {
  return error instanceof ServiceError && error.share !== null;
}
