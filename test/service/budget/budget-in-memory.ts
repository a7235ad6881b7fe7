import { type RateReport, ServiceError } from '../../../src/base/errors.ts';
import { createBudget } from '../../../src/service/budget/budget.ts';
import { createLedger, type Ledger } from '../../../src/service/budget/ledger/ledger.ts';
import type { Call, Fetched, Layer } from '../../../src/service/call.ts';
import type { Priority } from '../../../src/service/endpoints.ts';
import { VirtualTime } from '../../sim/virtual-time.ts';
import { ledgerDatabase, ledgerStoreOver } from '../../support/ledger-database.ts';

export const HOUR = 3_600_000;
export const MINUTE = 60_000;
export const START = 1_790_000_000_000;

/** A question to the simulated service. */
export function callOf(cacheKey: string, priority: Priority = 'interactive', more: Partial<Call> = {}): Call {
  return {
    endpoint: 'profile',
    cacheKey,
    path: ['profile'],
    query: {},
    keyed: true,
    asksByName: true,
    priority,
    maxAge: 0,
    pickUsedPart: (body) => body,
    trueAt: () => null,
    ...more,
  };
}

/** Headers as a healthy service sends them; `resetIn` and the limit's window are in seconds. */
export function rateOf(
  time: VirtualTime,
  told: Partial<RateReport> & { readonly resetIn?: number },
): RateReport {
  const { resetIn, ...rest } = told;
  const date = Math.floor(time.clock.now() / 1000) * 1000;
  return {
    limit: 720,
    windowSeconds: 3600,
    remaining: null,
    reset: resetIn === undefined ? null : date / 1000 + resetIn,
    date,
    retryAfter: null,
    ...rest,
  };
}

/** The service below the budget: each request waits here until the test answers it. */
export interface Request {
  readonly call: Call;
  /** Virtual milliseconds since the start. */
  readonly at: number;
  answer(rate?: RateReport | null, body?: unknown): void;
  fail(error: ServiceError): void;
}

export interface BudgetInMemory {
  readonly time: VirtualTime;
  readonly ledger: Ledger;
  readonly layer: Layer;
  /** All requests so far, oldest first. */
  readonly requests: readonly Request[];
  /** Those that no one has answered yet. */
  open(): readonly Request[];
  /** From now on, answers every request after `ms`. */
  answerAll(ms: number, rate?: () => RateReport | null): void;
  end(): void;
}

/** The real layer over the real embedded ledger, on virtual time. */
export function budgetInMemory(
  settings: { readonly wrap?: (ledger: Ledger) => Ledger } & Pick<
    Parameters<typeof createBudget>[0],
    'onLedger'
  > = {},
): BudgetInMemory {
  const time = new VirtualTime(START);
  const uninstall = time.install();
  const store = ledgerStoreOver({
    database: ledgerDatabase(),
    clock: time.clock,
    boot: 'one',
  });
  const { wrap = (same) => same, ...told } = settings;
  const ledger = wrap(createLedger(store, { headroom: 0 }));
  const requests: Request[] = [];
  const unanswered = new Set<Request>();
  let automatic: ((request: Request) => void) | null = null;

  const transport: Layer = (call) =>
    new Promise<Fetched>((resolve, reject) => {
      const request: Request = {
        call,
        at: time.elapsed,
        answer: (rate = null, body = null) => {
          unanswered.delete(request);
          resolve({ body, asOf: time.clock.now(), stale: null, rate });
        },
        fail: (error) => {
          unanswered.delete(request);
          reject(error);
        },
      };
      requests.push(request);
      unanswered.add(request);
      automatic?.(request);
    });

  return {
    time,
    ledger,
    layer: createBudget({ ledger, clock: time.clock, ...told })(transport),
    requests,
    open: () => [...unanswered],
    answerAll: (ms, rate = () => null) => {
      automatic = (request) => void time.clock.after(ms, () => request.answer(rate()));
      for (const request of unanswered) automatic(request);
    },
    end: uninstall,
  };
}

/** What a promise has come to by now: its value, its ServiceError, or nothing yet. */
export function watch(promise: Promise<Fetched>): { fetched: Fetched | null; error: ServiceError | null } {
  const detail: { fetched: Fetched | null; error: ServiceError | null } = { fetched: null, error: null };
  promise.then(
    (fetched) => {
      detail.fetched = fetched;
    },
    (error: unknown) => {
      if (!(error instanceof ServiceError)) throw error;
      detail.error = error;
    },
  );
  return detail;
}
