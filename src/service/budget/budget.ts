import type { Clock } from '../../clock.ts';
import { ServiceError } from '../../errors.ts';
import type { Call, Fetched, Layer } from '../call.ts';
import type { Priority } from '../endpoints.ts';
import { backgroundPace } from './admission.ts';
import { CLIENT_KEY, type Limit } from './estimate.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { Permit } from './ledger/ledger-store.ts';
import { createPermits, type Reason } from './permits.ts';
import { createGate } from './queue.ts';

export interface BudgetSettings {
  readonly ledger: Ledger;
  readonly clock: Clock;
  /** Told once when the service refuses us, with the milliseconds for which nothing will be sent. */
  readonly onRefusal?: (closedMs: number) => void;
  /** Told when the ledger is away, so that nothing is sent, and when it is back. */
  readonly onLedger?: (state: 'away' | 'back') => void;
}

/** How long a call waits for its permit. A poller comes again anyway, so it skips its turn. */
const PATIENCE_MS: Readonly<Record<Priority, number>> = { interactive: 10_000, background: 30_000 };
/** Requests on the network at a time. */
const CONNECTIONS = 5;
/** How long a request that has its permit may wait for one of them: no longer than each takes at most. */
const CONNECT_PATIENCE_MS = 9000;
/** From the permit to the last moment at which the request can reach the service; the transport gives up after 8 s. */
const FLIGHT_MS = CONNECT_PATIENCE_MS + 9000;

/** Places in the queues: what was sent once already goes first. */
const AGAIN = 4;
const FIRST = 5;

/** One question that waits for a permit or for its answer, shared by all who ask it meanwhile. */
interface Asking {
  readonly call: Call;
  /** How many of those who asked still want the answer. */
  wanted: number;
  /** Whether one of them is a person. */
  urgent: boolean;
  /** Who waits for a permit for it: the first to get one sends it. */
  readonly waiting: Set<Priority>;
  /** What went wrong when it was sent before; null the first time. */
  failure: ServiceError | null;
  state: 'waiting' | 'sent' | 'over';
  readonly answer: Promise<Fetched>;
  readonly resolve: (fetched: Fetched) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Sends keyed calls when the key's budget allows, people first. Rejects with `over-budget` a call that gets no
 * permit in time. Sends once more what failed in a way that may pass, for a permit of its own.
 */
export function createBudget(settings: BudgetSettings): (next: Layer) => Layer {
  const { clock } = settings;
  const permits = createPermits({ ...settings, flightMs: FLIGHT_MS });

  return (next) => {
    const gates = {
      interactive: createGate({ clock, maxConcurrent: 1, highWater: roomFor('interactive', CLIENT_KEY) }),
      background: createGate({ clock, maxConcurrent: 1, highWater: roomFor('background', CLIENT_KEY) }),
    };
    const network = createGate({ clock, maxConcurrent: CONNECTIONS, highWater: null });
    const askings = new Map<string, Asking>();
    /** What each class was told last: why there was no permit, and the monotonic time at which there may be one. */
    const told: Record<Priority, { readonly reason: Reason | null; readonly at: number }> = {
      interactive: { reason: null, at: 0 },
      background: { reason: null, at: 0 },
    };

    function resize(limit: Limit): void {
      gates.interactive.resize(roomFor('interactive', limit));
      gates.background.resize(roomFor('background', limit));
    }

    function ask(call: Call): Promise<Fetched> {
      const asking = askings.get(call.cacheKey) ?? open(call);
      asking.wanted += 1;
      asking.urgent ||= call.priority === 'interactive';
      if (asking.state === 'waiting' && !asking.waiting.has(call.priority)) void queue(asking, call.priority);
      const unwant = (): void => {
        asking.wanted -= 1;
        if (asking.wanted === 0 && asking.state === 'waiting') refuse(asking, call.priority);
      };
      if (call.signal?.aborted) unwant();
      else call.signal?.addEventListener('abort', unwant, { once: true });
      return asking.answer;
    }

    function open(call: Call): Asking {
      const { promise, resolve, reject } = Promise.withResolvers<Fetched>();
      const asking: Asking = {
        call,
        wanted: 0,
        urgent: false,
        waiting: new Set(),
        failure: null,
        state: 'waiting',
        answer: promise,
        resolve,
        reject,
      };
      askings.set(call.cacheKey, asking);
      return asking;
    }

    function close(asking: Asking): void {
      asking.state = 'over';
      if (askings.get(asking.call.cacheKey) === asking) askings.delete(asking.call.cacheKey);
    }

    /** Ends a question that is not sent. */
    function refuse(asking: Asking, kind: Priority): void {
      asking.waiting.clear();
      close(asking);
      asking.reject(asking.failure ?? noPermit(asking.call, told[kind]));
      permits.wakeAll();
    }

    /** Waits for the class's turn and for a permit, and sends the question unless another has done so first. */
    async function queue(asking: Asking, kind: Priority): Promise<void> {
      const deadline = clock.monotonic() + PATIENCE_MS[kind];
      const stillWaits = (): boolean => asking.state === 'waiting' && asking.waiting.has(kind);
      const giveUp = (): void => {
        if (!stillWaits()) return;
        asking.waiting.delete(kind);
        // A poller may well be served by a person's permit; a person must not be left waiting for a poller's.
        if (kind === 'interactive' || asking.waiting.size === 0) refuse(asking, kind);
      };
      const cancel = clock.after(PATIENCE_MS[kind], giveUp);
      asking.waiting.add(kind);
      const hasRoom = await gates[kind].run(asking.failure === null ? FIRST : AGAIN, async () => {
        while (stillWaits()) {
          const attempt = await permits.take(kind);
          if (attempt.limit !== null) resize(attempt.limit);
          const now = clock.monotonic();
          if (attempt.permit !== null) {
            told[kind] = { reason: null, at: now };
            if (!stillWaits()) return void (await permits.settle(attempt.permit, { kind: 'unsent' }));
            asking.state = 'sent';
            asking.waiting.clear();
            return connect(asking, attempt.permit);
          }
          const { reason, waitMs } = attempt;
          told[kind] = { reason, at: now + waitMs };
          if (now + waitMs > deadline) return giveUp();
          // These may end before their time, with an answer that is under way.
          await permits.sleep(waitMs, reason === 'probe' || reason === 'headers');
        }
      });
      if (!hasRoom) giveUp();
      cancel();
    }

    /** Resolves when the request is on the network or never will be, so that few permits wait for a connection. */
    async function connect(asking: Asking, permit: Permit): Promise<void> {
      const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
      const latest = clock.monotonic() + CONNECT_PATIENCE_MS;
      const place = permit.kind === 'interactive' ? FIRST : FIRST + 1;
      void network.run(place, async () => {
        begin();
        if (clock.monotonic() <= latest) return send(asking, permit);
        await permits.settle(permit, { kind: 'unsent' });
        close(asking);
        const detail = 'the connections are busy with requests that are not answered';
        asking.reject(
          new ServiceError('unavailable', { endpoint: asking.call.endpoint, sent: 'no', detail }),
        );
      });
      await begun;
    }

    async function send(asking: Asking, permit: Permit): Promise<void> {
      try {
        const fetched = await next(asking.call);
        const settled = permits.settle(permit, { kind: 'answered', rate: fetched.rate });
        close(asking);
        asking.resolve({ ...fetched, rate: null });
        await settled;
      } catch (error) {
        const failure = await learnFrom(error, permit);
        if (failure instanceof ServiceError && failure.transient && asking.failure === null) {
          asking.failure = failure;
          asking.state = 'waiting';
          // Not awaited: this request's place on the network is free for others meanwhile.
          void queue(asking, asking.urgent ? 'interactive' : permit.kind);
          return;
        }
        close(asking);
        asking.reject(failure);
      }
    }

    /** Settles the permit of a request that failed; what comes back is what to tell. */
    async function learnFrom(error: unknown, permit: Permit): Promise<unknown> {
      if (!(error instanceof ServiceError) || error.sent === 'maybe') {
        await permits.settle(permit, { kind: 'doubtful' });
        return error;
      }
      if (error.sent === 'no') {
        await permits.settle(permit, { kind: 'unsent' });
        return error;
      }
      const { endpoint, rate } = error;
      if (error.fault !== 'over-budget') {
        await permits.settle(permit, { kind: 'answered', rate });
        return error;
      }
      const settled = await permits.settle(permit, { kind: 'refused', rate });
      if (settled?.closedNow) settings.onRefusal?.(settled.closedMs);
      return settled === null
        ? error
        : new ServiceError('over-budget', {
            endpoint,
            sent: 'yes',
            retryAt: clock.now() + settled.closedMs,
            detail: 'refused by the service',
          });
    }

    function noPermit({ endpoint }: Call, { reason, at }: (typeof told)[Priority]): ServiceError {
      if (reason === 'probe') {
        // The budget is not the trouble: the request that should have told how much is left has no answer.
        const detail = 'the request that asks for the budget is not answered';
        return new ServiceError('unavailable', { endpoint, sent: 'no', detail });
      }
      const waitMs = Math.max(1000, at - clock.monotonic());
      return new ServiceError('over-budget', {
        endpoint,
        sent: 'no',
        retryAt: clock.now() + waitMs,
        detail: reason === null ? 'no turn in time' : `no permit in time: ${reason}`,
      });
    }

    return (call) => (call.keyed ? ask(call) : next(call));
  };
}

/** How many may wait: people, no more than the whole limit; pollers, no more than get their turn in time. */
function roomFor(kind: Priority, limit: Limit): number {
  if (kind === 'interactive') return limit.requests;
  return Math.max(1, Math.floor(PATIENCE_MS.background / backgroundPace(limit)));
}
