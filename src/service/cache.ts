import type { Keyv } from 'keyv';
import { z } from 'zod';
import { ServiceError } from '../errors.ts';
import type { Call, Clock, Fetched, Layer } from './call.ts';

export interface CacheSettings {
  /** Made with `throwOnErrors`: its own store, its own cap on entries. */
  readonly keyv: Keyv;
  readonly clock: Clock;
  /** Told when the store failed to read or write. Questions are then answered without it. */
  readonly onStoreFailure?: (doing: 'read' | 'write') => void;
}

/** How long a person waits for a fresh record while there is an older one. */
const PATIENCE = 1500;
/** How long the last good record may stand in for one that cannot be had. */
const LAST_GOOD = 24 * 60 * 60 * 1000;
/** How long an unknown name stays unknown without being asked again. */
const UNKNOWN = 60_000;
/** Entries held in memory: keyless answers, and those that the store did not take. */
const IN_MEMORY = 100;

/** What is stored for a question. It comes from outside again when it is read, perhaps written by an older version. */
const Kept = z.object({
  answer: z.object({ body: z.unknown(), asOf: z.number(), fetchedAt: z.number() }).nullable(),
  /**
   * Unix milliseconds of the last "unknown". It wins over the answer for a minute, but leaves it where it is: a
   * service that knows nobody while its database is being restored must not cost us the last good records.
   */
  unknownAt: z.number().nullable(),
});
type Kept = z.output<typeof Kept>;
const nothing: Kept = { answer: null, unknownAt: null };

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

interface Shelf {
  get(call: Call): Promise<Kept>;
  set(call: Call, kept: Kept): Promise<void>;
}

function createShelf({ keyv, clock, onStoreFailure }: CacheSettings): Shelf {
  const memory = new Map<string, Kept>();
  const remember = (question: string, kept: Kept): void => {
    // Deleted first, so that the entry written longest ago is the first one and the one to go.
    memory.delete(question);
    memory.set(question, kept);
    for (const oldest of memory.keys()) {
      if (memory.size <= IN_MEMORY) break;
      memory.delete(oldest);
    }
  };
  return {
    async get({ question, keyed }) {
      const remembered = memory.get(question) ?? nothing;
      if (!keyed) return remembered;
      try {
        const kept = Kept.safeParse(await keyv.get<unknown>(question));
        return kept.success ? kept.data : remembered;
      } catch {
        onStoreFailure?.('read');
        return remembered;
      }
    },
    async set({ question, keyed }, kept) {
      // A live file changes every second: nothing of it is worth a write.
      if (!keyed) return remember(question, kept);
      try {
        const age = kept.answer === null ? LAST_GOOD : clock.now() - kept.answer.fetchedAt;
        await keyv.set(question, kept, Math.max(UNKNOWN, Math.min(LAST_GOOD, LAST_GOOD - age)));
        memory.delete(question);
      } catch {
        onStoreFailure?.('write');
        remember(question, kept);
      }
    },
  };
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
  const { clock } = settings;
  const shelf = createShelf(settings);

  return (next) => {
    const flights = new Map<string, Flight>();
    const readings = new Map<string, Promise<Kept>>();

    /** One read of the store for all who ask together. */
    function readShelf(call: Call): Promise<Kept> {
      const under = readings.get(call.question);
      if (under !== undefined) return under;
      const reading = shelf.get(call).finally(() => readings.delete(call.question));
      readings.set(call.question, reading);
      return reading;
    }

    async function fetchAndKeep(call: Call, kept: Kept): Promise<Fetched> {
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

    function start({ question }: Call, kept: Kept): Flight {
      const { promise, resolve, reject } = Promise.withResolvers<Fetched>();
      const over = new AbortController();
      let waiting = 0;
      let hurried = false;
      const flight: Flight = {
        fetched: promise.finally(() => {
          over.abort();
          flights.delete(question);
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
      flights.set(question, flight);
      return flight;
    }

    /** Joins the question under way or starts it. A person who joins one of the background hurries it. */
    async function fly(call: Call, kept: Kept): Promise<Fetched> {
      const under = flights.get(call.question);
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
      const joined = flights.get(call.question);
      const kept = await readShelf(call);
      const now = clock.now();
      if (kept.unknownAt !== null && isWithin(now - kept.unknownAt, UNKNOWN)) {
        throw new ServiceError('not-found', { endpoint: call.endpoint, sent: 'no', seen: 'asked lately' });
      }
      const good =
        isWithin(ageOf(kept, now), LAST_GOOD) && isReadable(call, kept.answer?.body) ? kept.answer : null;
      const last = good === null ? null : { body: good.body, asOf: good.asOf, rate: null };
      if (last !== null && isWithin(ageOf(kept, now), call.maxAge)) return { ...last, stale: null };

      // What was under way when the store was asked may have ended since, and still is the newest answer.
      const ended = joined !== undefined && !flights.has(call.question);
      const before = { ...kept, answer: good };
      const fetched = ended ? join(joined, call, before) : fly(call, before);
      if (last === null) return fetched;
      try {
        const fresh = call.priority === 'interactive' ? await within(PATIENCE, fetched) : await fetched;
        return fresh ?? { ...last, stale: 'slow' };
      } catch (error) {
        if (!(error instanceof ServiceError) || isUnknown(error)) throw error;
        return { ...last, stale: isRefusedShare(error) ? 'share' : error.fault };
      }
    };
  };
}

function isUnknown(error: unknown): boolean {
  return error instanceof ServiceError && error.fault === 'not-found';
}

/** Whether it concerns the one who asked, and not the question. */
function isRefusedShare(error: unknown): boolean {
  return error instanceof ServiceError && error.share !== null;
}

/** `null` if it takes longer. */
async function within<T>(milliseconds: number, promise: Promise<T>): Promise<T | null> {
  const { promise: over, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(resolve, milliseconds, null);
  try {
    return await Promise.race([promise, over]);
  } finally {
    clearTimeout(timer);
  }
}
