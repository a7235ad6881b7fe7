import type { Clock } from '../base/clock.ts';
import { type Fault, ServiceError } from '../base/errors.ts';
import type { Call, Layer } from './call.ts';
import { type EndpointName, endpoints, isEndpointName } from './endpoints.ts';
import { isWidgetOff } from './models/chat-status.ts';
import { LiveServer } from './models/live-status.ts';
import type { SourceName, SourceStatistics } from './models/source-statistics.ts';

/** How often an endpoint's calls ended in one way since the start. */
interface CallCount {
  readonly endpoint: EndpointName;
  readonly result: 'answered' | Fault;
  readonly count: number;
}

export type CallStatistics = ReturnType<typeof createCallStatistics>;

const names = Object.keys(endpoints)
  .filter(isEndpointName)
  .flatMap((name): readonly SourceName[] =>
    name === 'live' ? LiveServer.options.map((server) => `${name}/${server}` as const) : [name],
  );

/** The live files fail one by one; for the other endpoints, the name asked for does not matter. */
function sourceOf({ keyed, endpoint, cacheKey }: Call): string {
  return keyed ? endpoint : cacheKey;
}

/** Counts calls on their way down, and remembers how each source answered last. */
export function createCallStatistics(clock: Pick<Clock, 'now'>) {
  const sources = new Map<string, SourceStatistics>(
    names.map((name) => [name, { name, goodAsOf: null, lastFault: null }]),
  );
  const counts = new Map<string, CallCount>();
  const cache = { asked: 0, fetched: 0 };

  function note(call: Call, change: Partial<SourceStatistics>): void {
    const name = sourceOf(call);
    const source = sources.get(name);
    if (source !== undefined) sources.set(name, { ...source, ...change });
  }

  function count({ endpoint }: Call, result: CallCount['result']): void {
    if (!isEndpointName(endpoint)) return;
    const key = `${endpoint} ${result}`;
    counts.set(key, { endpoint, result, count: (counts.get(key)?.count ?? 0) + 1 });
  }

  function failed(call: Call, { fault, isMissing }: ServiceError): void {
    // A service that answers "unknown" is working.
    if (fault === 'not-found') note(call, { goodAsOf: clock.now() });
    // A dropped call, which another one answers, says nothing about its source.
    else if (call.signal?.aborted) return;
    else note(call, { lastFault: { fault, at: clock.now(), ...(isMissing ? { isMissing } : {}) } });
    count(call, fault);
  }

  return {
    /** A layer above the cache: counts what is asked. */
    asked:
      (next: Layer): Layer =>
      (call) => {
        if (call.keyed) cache.asked += 1;
        return next(call);
      },
    /** A layer below the cache and the deduplication: counts what has to be fetched, and sees how the service answers. */
    fetched:
      (next: Layer): Layer =>
      async (call) => {
        if (call.keyed) cache.fetched += 1;
        try {
          const fetched = await next(call);
          note(call, { goodAsOf: fetched.asOf, isWidgetOff: isWidgetOff(fetched.body) });
          count(call, 'answered');
          return fetched;
        } catch (error) {
          if (error instanceof ServiceError) failed(call, error);
          throw error;
        }
      },
    sources: (): readonly SourceStatistics[] => [...sources.values()],
    /** The fault of the last call to that source; null where it succeeded or there was none. */
    faultOf(name: string): Fault | null {
      const { goodAsOf = null, lastFault = null } = sources.get(name) ?? {};
      return lastFault !== null && lastFault.at > (goodAsOf ?? 0) ? lastFault.fault : null;
    },
    /** Calls that had to be fetched; one that another call answers is not counted. */
    counts: (): readonly CallCount[] => [...counts.values()],
    /**
     * Calls that need the key since the start, and how many of them cost no request: a background call that a person joins goes
     * down twice.
     */
    cache: () => ({ ...cache, kept: Math.max(0, cache.asked - cache.fetched) }),
  };
}
