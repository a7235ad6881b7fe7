import type { Clock } from '../clock.ts';
import { type Fault, ServiceError } from '../errors.ts';
import type { Call, Layer } from './call.ts';
import { car, chatStatus, live, options, overview, profile } from './endpoints.ts';
import { LiveServer } from './models/live-status.ts';

/** One source of the data service: an endpoint, or a single live file. Times in unix milliseconds. */
export interface SourceStatistics {
  readonly name: string;
  /** When the newest good answer was true; null if there has been none since the start. */
  readonly goodAsOf: number | null;
  readonly lastFault: { readonly fault: Fault; readonly at: number } | null;
}

export interface CallStatistics {
  /** A layer above the cache: counts what is asked. */
  readonly asked: (next: Layer) => Layer;
  /**
   * A layer below the cache and the deduplication: counts what has to be fetched, and sees how the service answers.
   */
  readonly fetched: (next: Layer) => Layer;
  sources(): readonly SourceStatistics[];
  /** The fault of the last call to that source; null where it succeeded or there was none. */
  faultOf(name: string): Fault | null;
  /** Calls that need the key since the start, and how many of them cost no request. */
  cache(): { readonly asked: number; readonly kept: number };
}

const names = [
  ...[overview, chatStatus, profile, car, options].map(({ name }) => name),
  ...LiveServer.options.map((server) => `${live.name}/${server}`),
];

/** The live files fail one by one; for the other endpoints, the name asked for does not matter. */
function sourceOf({ keyed, endpoint, cacheKey }: Call): string {
  return keyed ? endpoint : cacheKey;
}

/** Counts calls on their way down, and remembers how each source answered last. */
export function createCallStatistics(clock: Pick<Clock, 'now'>): CallStatistics {
  const sources = new Map<string, SourceStatistics>(
    names.map((name) => [name, { name, goodAsOf: null, lastFault: null }]),
  );
  const cache = { asked: 0, fetched: 0 };

  function note(call: Call, change: Partial<SourceStatistics>): void {
    const name = sourceOf(call);
    const source = sources.get(name);
    if (source !== undefined) sources.set(name, { ...source, ...change });
  }

  return {
    asked: (next) => (call) => {
      if (call.keyed) cache.asked += 1;
      return next(call);
    },
    fetched: (next) => async (call) => {
      if (call.keyed) cache.fetched += 1;
      try {
        const fetched = await next(call);
        note(call, { goodAsOf: fetched.asOf });
        return fetched;
      } catch (error) {
        // A service that answers "unknown" is working.
        if (error instanceof ServiceError && error.fault === 'not-found')
          note(call, { goodAsOf: clock.now() });
        // A dropped call, which another one answers, says nothing about its source.
        else if (error instanceof ServiceError && !call.signal?.aborted)
          note(call, { lastFault: { fault: error.fault, at: clock.now() } });
        throw error;
      }
    },
    sources: () => [...sources.values()],
    faultOf(name) {
      const { goodAsOf = null, lastFault = null } = sources.get(name) ?? {};
      return lastFault !== null && lastFault.at > (goodAsOf ?? 0) ? lastFault.fault : null;
    },
    // A background call that a person joins goes down twice.
    cache: () => ({ asked: cache.asked, kept: Math.max(0, cache.asked - cache.fetched) }),
  };
}
