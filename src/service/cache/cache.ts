import { within } from '../../clock.ts';
import { ServiceError } from '../../errors.ts';
import type { Call, Fetched, Layer } from '../call.ts';
import { createOneAsker } from '../deduplicate/cross-process.ts';
import type { QuestionLock } from '../deduplicate/question-lock.ts';
import { createShelf, type Kept, LAST_GOOD, type ShelfSettings, UNKNOWN } from './entry-store.ts';

export interface CacheSettings extends ShelfSettings {
  /** Where several processes share the store; null or absent: each asks for itself. Live files are never locked. */
  readonly lock?: QuestionLock | null;
}

/** How long a person waits for a fresh record while there is an older one. */
const PATIENCE = 1500;

/** A clock that stepped back makes ages negative: such an entry counts as old. */
function isWithin(age: number, limit: number): boolean {
  return age >= 0 && age < limit;
}

function ageOf({ answer }: Kept, now: number): number {
  return answer === null ? Number.POSITIVE_INFINITY : now - answer.fetchedAt;
}

/** A body that this version cannot read counts as none. */
function isReadable(call: Call, body: unknown): boolean {
  try {
    call.trueAt(body);
    return true;
  } catch (error) {
    if (error instanceof ServiceError) return false;
    throw error;
  }
}

/** One question under way, shared by all who ask it meanwhile. */
interface Flight {
  readonly fetched: Promise<Fetched>;
  readonly isHurried: () => boolean;
  /**
   * Asks the next layer (again, with another priority): the first answer serves everybody. Rejects if it is refused
   * for the asker's share, which is nobody else's.
   */
  readonly ask: (call: Call) => Promise<Fetched>;
}

/**
 * Answers from what was fetched before, asks the next layer once for all who ask together, and has the last good
 * record ready when the service is slow, down or not to be asked. A question without key never touches the store.
 */
export function createCache(settings: CacheSettings): (next: Layer) => Layer {
  const { clock, lock } = settings;
  const shelf = createShelf(settings);
  const askAlone = lock === undefined || lock === null ? null : createOneAsker(lock);

  return (next) => {
    const flights = new Map<string, Flight>();
    const readings = new Map<string, Promise<Kept>>();

    /** One read of the store for all who ask together. */
    function readShelf(call: Call): Promise<Kept> {
      const under = readings.get(call.cacheKey);
      if (under !== undefined) return under;
      const reading = shelf.get(call).finally(() => readings.delete(call.cacheKey));
      readings.set(call.cacheKey, reading);
      return reading;
    }

    function fetchAndKeep(call: Call, kept: Kept): Promise<Fetched> {
      const ask = (asked: Call) => fetchHere(asked, kept);
      if (askAlone === null || !call.keyed) return ask(call);
      return askAlone(call, { ask, found: () => findNewer(call, kept) });
    }

    /** What another process has learned since; its clock need not be ours. */
    async function findNewer(call: Call, before: Kept): Promise<Fetched | null> {
      const kept = await shelf.get(call);
      if (kept.unknownAt !== null && kept.unknownAt !== before.unknownAt) throw unknown(call);
      const { answer } = kept;
      if (answer === null || answer.fetchedAt === before.answer?.fetchedAt) return null;
      if (!isReadable(call, answer.body)) return null;
      return { body: answer.body, asOf: answer.asOf, stale: null, rate: null };
    }

    async function fetchHere(call: Call, kept: Kept): Promise<Fetched> {
      try {
        const fetched = await next(call);
        const { body, asOf } = fetched;
        await shelf.set(call, { answer: { body, asOf, fetchedAt: clock.now() }, unknownAt: null });
        return { ...fetched, rate: null };
      } catch (error) {
        if (isUnknown(error)) await shelf.set(call, { ...kept, unknownAt: clock.now() });
        throw error;
      }
    }

    function start({ cacheKey }: Call, kept: Kept): Flight {
      const { promise, resolve, reject } = Promise.withResolvers<Fetched>();
      const over = new AbortController();
      let waiting = 0;
      let hurried = false;
      const flight: Flight = {
        fetched: promise.finally(() => {
          over.abort();
          flights.delete(cacheKey);
        }),
        isHurried: () => hurried,
        ask: (call) => {
          waiting += 1;
          hurried ||= call.priority === 'interactive';
          const asked = fetchAndKeep({ ...call, signal: over.signal }, kept);
          asked.then(resolve, (error: unknown) => {
            waiting -= 1;
            // The background's turn is still to come, for those who wait for it; the next person may hurry it.
            if (isRefusedShare(error) && waiting > 0) hurried = false;
            // A person is not kept waiting for the background's turn once their own request has failed.
            else if (isUnknown(error) || waiting === 0 || call.priority === 'interactive') reject(error);
          });
          const own = asked.catch((error: unknown) => {
            if (isRefusedShare(error)) throw error;
            return flight.fetched;
          });
          return Promise.race([flight.fetched, own]);
        },
      };
      // Nobody may be left to hear of a failure: those who asked may have got the older record meanwhile.
      flight.fetched.catch(() => {});
      flights.set(cacheKey, flight);
      return flight;
    }

    /** Joins the question under way or starts it. A person who joins one of the background hurries it. */
    async function fly(call: Call, kept: Kept): Promise<Fetched> {
      const under = flights.get(call.cacheKey);
      if (under === undefined) return start(call, kept).ask(call);
      if (call.priority === 'interactive' && !under.isHurried()) return under.ask(call);
      return join(under, call, kept);
    }

    /** Waits with whoever asked. If that one was refused for their own share, asks in their place. */
    async function join(flight: Flight, call: Call, kept: Kept): Promise<Fetched> {
      try {
        return await flight.fetched;
      } catch (error) {
        if (isRefusedShare(error)) return fly(call, kept);
        throw error;
      }
    }

    return async (call) => {
      const joined = flights.get(call.cacheKey);
      const kept = await readShelf(call);
      const now = clock.now();
      if (kept.unknownAt !== null && isWithin(now - kept.unknownAt, UNKNOWN)) {
        throw unknown(call);
      }
      const good =
        isWithin(ageOf(kept, now), LAST_GOOD) && isReadable(call, kept.answer?.body) ? kept.answer : null;
      const last = good === null ? null : { body: good.body, asOf: good.asOf, rate: null };
      if (last !== null && isWithin(ageOf(kept, now), call.maxAge)) return { ...last, stale: null };

      // What was under way when the store was asked may have ended since, and still is the newest answer.
      const ended = joined !== undefined && !flights.has(call.cacheKey);
      const before = { ...kept, answer: good };
      const fetched = ended ? join(joined, call, before) : fly(call, before);
      if (last === null) return fetched;
      try {
        const fresh = call.priority === 'interactive' ? await within(fetched, PATIENCE) : await fetched;
        return fresh ?? { ...last, stale: 'slow' };
      } catch (error) {
        if (!(error instanceof ServiceError) || isUnknown(error)) throw error;
        return { ...last, stale: isRefusedShare(error) ? 'share' : error.fault };
      }
    };
  };
}

function unknown({ endpoint }: Call): ServiceError {
  return new ServiceError('not-found', { endpoint, sent: 'no', detail: 'asked lately' });
}

function isUnknown(error: unknown): boolean {
  return error instanceof ServiceError && error.fault === 'not-found';
}

/** Whether it concerns the one who asked, and not the question. */
function isRefusedShare(error: unknown): boolean {
  return error instanceof ServiceError && error.share !== null;
}
