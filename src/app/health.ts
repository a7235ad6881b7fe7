/** How the bot is doing, for whoever manages it: told by the layers of the service and by the chat side as things happen. */
import type { Clock } from '../clock.ts';
import { type Fault, ServiceError } from '../errors.ts';
import type { BudgetSnapshot } from '../service/budget/ledger/ledger.ts';
import type { Call, Layer } from '../service/call.ts';
import { car, chatStatus, live, options, overview, profile } from '../service/endpoints.ts';
import { LiveServer } from '../service/models/live-status.ts';

/** One read of the data service: an endpoint, and each live file by itself. Times in unix milliseconds. */
export interface Source {
  readonly name: string;
  /** When the newest good answer was true; null where there was none since the start. */
  readonly goodAsOf: number | null;
  readonly lastFault: { readonly fault: Fault; readonly at: number } | null;
}

/** An error that nobody foresaw. What it says stays in the log, where its id leads to. */
export interface Bug {
  readonly id: string;
  /** Name of the command. */
  readonly command: string;
  /** The error's own name: TypeError. */
  readonly kind: string;
}

/** What the bot may do in the channel of a board. */
export type BoardAccess =
  | { readonly kind: 'open' | 'unknown-channel' | 'unavailable' }
  | { readonly kind: 'missing'; readonly rights: readonly string[] };

export interface BoardPlace {
  readonly channelId: string;
  readonly access: BoardAccess;
}

export interface Diagnosis {
  readonly version: string;
  /** Unix milliseconds. */
  readonly startedAt: number;
  /** Of the live connection, in milliseconds; null while it has not been measured. */
  readonly latencyMs: number | null;
  readonly sources: readonly Source[];
  /** Questions that need the key since the start, and how many of them cost no request. */
  readonly cache: { readonly asked: number; readonly kept: number };
  /** The last five, newest first; `at` in unix milliseconds. */
  readonly bugs: readonly (Bug & { readonly at: number })[];
  /** Null while the ledger is out of reach. */
  readonly budget: BudgetSnapshot | null;
  /** Of one guild. */
  readonly boards: readonly BoardPlace[];
}

export interface HealthSettings {
  readonly clock: Pick<Clock, 'now'>;
  readonly version: string;
  readonly latency: () => number | null;
  readonly budget: () => Promise<BudgetSnapshot>;
  readonly boards: (guildId: string) => Promise<readonly BoardPlace[]>;
}

export interface Health {
  /** A layer above the cache: counts what is asked. */
  readonly asked: (next: Layer) => Layer;
  /** A layer below the cache and the shares: counts what has to be fetched, and sees how the service answers. */
  readonly fetched: (next: Layer) => Layer;
  bug(bug: Bug): void;
  /** Null while the ledger is out of reach. */
  budget(): Promise<BudgetSnapshot | null>;
  diagnose(guildId: string | null): Promise<Diagnosis>;
}

const BUGS = 5;

const names = [
  ...[overview, chatStatus, profile, car, options].map(({ name }) => name),
  ...LiveServer.options.map((server) => `${live.name}/${server}`),
];

/** The live files fail one by one; of the others it does not matter who was asked for. */
function sourceOf({ keyed, endpoint, cacheKey }: Call): string {
  return keyed ? endpoint : cacheKey;
}

export function createHealth(settings: HealthSettings): Health {
  const { clock } = settings;
  const startedAt = clock.now();
  const sources = new Map<string, Source>(
    names.map((name) => [name, { name, goodAsOf: null, lastFault: null }]),
  );
  const bugs: (Bug & { at: number })[] = [];
  const cache = { asked: 0, fetched: 0 };

  function told(call: Call, change: Partial<Source>): void {
    const name = sourceOf(call);
    const source = sources.get(name);
    if (source !== undefined) sources.set(name, { ...source, ...change });
  }

  async function budget(): Promise<BudgetSnapshot | null> {
    try {
      return await settings.budget();
    } catch {
      return null;
    }
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
        told(call, { goodAsOf: fetched.asOf });
        return fetched;
      } catch (error) {
        // Whoever says that it does not know a name is well.
        if (error instanceof ServiceError && error.fault === 'not-found')
          told(call, { goodAsOf: clock.now() });
        // A call that was dropped, since another one brings its answer, says nothing of its source.
        else if (error instanceof ServiceError && !call.signal?.aborted)
          told(call, { lastFault: { fault: error.fault, at: clock.now() } });
        throw error;
      }
    },
    bug(bug) {
      bugs.unshift({ ...bug, at: clock.now() });
      bugs.splice(BUGS);
    },
    budget,
    diagnose: async (guildId) => ({
      boards: guildId === null ? [] : await settings.boards(guildId),
      version: settings.version,
      startedAt,
      latencyMs: settings.latency(),
      sources: [...sources.values()],
      // What the background asks and a person hurries goes down twice.
      cache: { asked: cache.asked, kept: Math.max(0, cache.asked - cache.fetched) },
      bugs: [...bugs],
      budget: await budget(),
    }),
  };
}
