import { bounded } from '../../base/bounded.ts';
import type { Claims } from '../../base/claims.ts';
import { type Clock, sleep } from '../../base/clock.ts';
import { doubled } from '../../base/duration.ts';
import { ServiceError } from '../../base/errors.ts';
import type { Call, Fetched, Layer } from '../call.ts';
import { type Entries, isWithin, knownAnswer, suffices } from './entries.ts';

interface FetchAndStoreSettings {
  readonly entries: Entries;
  /** Null: no other process stores anything. */
  readonly claims: Claims | null;
  readonly clock: Clock;
}

/** There are four live files. */
const MOST_FILES = 16;
/**
 * How long one process may keep the others from asking, dead or alive, in ms. A poller may wait for several turns of the
 * background, which come every six seconds (`budget/`).
 */
const HOLD: Readonly<Record<Call['priority'], number>> = { interactive: 5000, background: 30_000 };
/** The pause between two looks at what another process has stored, in ms. */
const LOOK = { first: 20, longest: 160 };

/**
 * Makes a call and stores what it learns. Across processes the first to claim it makes it, and the others take what that one
 * stores; where it fails, they try for themselves. A person does not wait for another process's poller, which may be far back
 * in its queue. Without the store, each process asks for itself.
 */
export function createFetchAndStore(settings: FetchAndStoreSettings): (next: Layer) => Layer {
  const { entries, claims, clock } = settings;
  /** Of keyless calls: no budget slows down who repeats them while the service is down. */
  const failed = bounded<string, { readonly error: ServiceError; readonly at: number }>(MOST_FILES);

  return (next) => {
    /** `stored`: called once everybody can read what was learned. */
    async function fetchAndStore(call: Call, stored: () => void = () => {}): Promise<Fetched> {
      // Nobody waits for it: it never rejects, and memory has it at once.
      let storing = Promise.resolve();
      try {
        const { body, asOf, stale } = await next(call);
        storing = entries.set(call, { answer: { body, asOf, fetchedAt: clock.now() }, unknownAt: null });
        return { body, asOf, stale, rate: null };
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        if (error.fault === 'not-found') storing = entries.set(call, { unknownAt: clock.now() });
        if (!call.keyed) failed.set(call.cacheKey, { error, at: clock.now() });
        throw error;
      } finally {
        void storing.then(stored);
      }
    }

    return async (call) => {
      const failure = failed.get(call.cacheKey);
      if (failure !== undefined && isWithin(clock.now() - failure.at, waitAfter(failure, call)))
        throw failure.error;
      // A live file comes every second, and is not worth a claim.
      if (claims === null || !call.keyed) return fetchAndStore(call);

      const turn = await awaitTurn(call, { entries, claims, clock });
      return 'known' in turn ? turn.known : fetchAndStore(call, turn.release);
    };
  };
}

/** How long a keyless failure answers for the service, in ms: as long as an answer, or as the service asks for. */
function waitAfter(
  { error, at }: { readonly error: ServiceError; readonly at: number },
  { maxAge }: Call,
): number {
  return Math.max(maxAge, (error.retryAt ?? at) - at);
}

/** Resolves with what another process has stored meanwhile, or once this one is to make the call. */
async function awaitTurn(
  call: Call,
  { entries, claims, clock }: FetchAndStoreSettings & { readonly claims: Claims },
): Promise<{ readonly known: Fetched } | { readonly release: () => void }> {
  const key = `asking/${call.priority}/${call.cacheKey}`;
  const hold = HOLD[call.priority];
  const begun = clock.monotonic();
  for (let looks = 0; ; looks += 1) {
    if (call.signal?.aborted)
      throw new ServiceError('no-turn', { endpoint: call.endpoint, sent: 'no', detail: 'no longer wanted' });
    const claimedAt = clock.monotonic();
    const isOurs = await claims.claim(key, hold).catch(() => null);
    const release = (): void => {
      // One that has ended by itself may be another process's by now.
      if (isOurs === true && clock.monotonic() - claimedAt < hold) claims.release(key).catch(() => {});
    };
    // Its store is away: there is nobody to wait for.
    if (isOurs === null) return { release };
    const entry = await entries.get(call);
    const now = clock.now();
    if (suffices(entry, call, now)) {
      release();
      const known = knownAnswer(entry, call, now);
      if (known !== null) return { known };
    }
    if (isOurs || clock.monotonic() - begun >= hold) return { release };
    await sleep(clock, doubled(LOOK, looks));
  }
}
