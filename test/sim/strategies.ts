import Bottleneck from 'bottleneck';
import type { Clock } from '../../src/base/clock.ts';
import { ServiceError } from '../../src/base/errors.ts';
import { createBudget } from '../../src/service/budget/budget.ts';
import { createLedger, type Ledger } from '../../src/service/budget/ledger/ledger.ts';
import type { Call, Fetched, Layer } from '../../src/service/call.ts';
import { ledgerDatabase, ledgerStoreOver } from '../support/ledger-database.ts';
import type { VirtualTime } from './virtual-time.ts';

/** One start of the bot's process. */
export interface Process {
  readonly layer: Layer;
  /** Nothing of it happens any more, and what it had in memory is lost. */
  kill(): void;
}

export interface Runner {
  start(transport: Layer): Process;
  close(): void;
}

interface Budget {
  readonly requests: number;
  readonly windowMs: number;
}

/** A way to spend a budget. What outlives a restart lives in the runner. */
export type Strategy = (time: VirtualTime, budget: Budget) => Runner;

/** The bot's own layer, with a real ledger that outlives its processes. */
export const governor: Strategy = (time) => {
  const database = ledgerDatabase();
  return {
    start: (transport) => {
      const life = { alive: true };
      const clock = mortalClock(time.clock, life);
      const store = ledgerStoreOver({ database, clock, boot: 'simulated' });
      const ledger = mortalLedger(createLedger(store, { headroom: 0 }), life);
      return {
        layer: createBudget({ ledger, clock })(mortal(transport, life)),
        kill: () => {
          life.alive = false;
        },
      };
    },
    close: () => database.close(),
  };
};

/** Plain Bottleneck: one limiter, people before pollers, set up by `configure`. */
function bottleneck(
  configure: (budget: Budget) => Bottleneck.ConstructorOptions,
  onAnswer?: (limiter: Bottleneck, fetched: Fetched, time: VirtualTime, budget: Budget) => void,
): Strategy {
  return (time, budget) => ({
    start: (transport) => {
      const life = { alive: true };
      const send = mortal(transport, life);
      const limiter = new Bottleneck({ maxConcurrent: 5, ...configure(budget) });
      const layer = (call: Call): Promise<Fetched> =>
        limiter.schedule({ priority: call.priority === 'interactive' ? 4 : 6 }, async () => {
          const fetched = await send(call);
          onAnswer?.(limiter, fetched, time, budget);
          return fetched;
        });
      return {
        layer,
        kill: () => {
          life.alive = false;
        },
      };
    },
    close: () => {},
  });
}

export const plainStrategies: Readonly<Record<string, Strategy>> = {
  'Bottleneck minTime 5 s': bottleneck(({ requests, windowMs }) => ({ minTime: windowMs / requests })),
  'Bottleneck reservoir, refreshed hourly': bottleneck(({ requests, windowMs }) => ({
    reservoir: requests,
    reservoirRefreshAmount: requests,
    reservoirRefreshInterval: windowMs,
  })),
  'Bottleneck reservoir + 1 every 5 s': bottleneck(({ requests, windowMs }) => ({
    reservoir: requests,
    reservoirIncreaseAmount: 1,
    reservoirIncreaseInterval: windowMs / requests,
    reservoirIncreaseMaximum: requests,
  })),
  'Bottleneck reservoir set from the headers': bottleneck(
    ({ requests }) => ({ reservoir: requests }),
    (limiter, { rate }, time, { requests }) => {
      if (rate?.remaining == null || rate.reset === null) return;
      void limiter.updateSettings({ reservoir: rate.remaining });
      const reset = rate.reset * 1000 - time.clock.now();
      if (rate.remaining === 0)
        time.clock.after(reset, () => void limiter.updateSettings({ reservoir: requests }));
    },
  ),
};

interface Life {
  alive: boolean;
}

function mortal(layer: Layer, life: Life): Layer {
  return async (call) => {
    if (!life.alive) return new Promise(() => {});
    try {
      const fetched = await layer(call);
      return life.alive ? fetched : await new Promise<never>(() => {});
    } catch (error) {
      if (!life.alive && error instanceof ServiceError) await new Promise(() => {});
      throw error;
    }
  };
}

function mortalClock(clock: Clock, life: Life): Clock {
  return {
    ...clock,
    after: (ms, callback) =>
      clock.after(ms, () => {
        if (life.alive) callback();
      }),
  };
}

function mortalLedger(ledger: Ledger, life: Life): Ledger {
  const never = <T>(): Promise<T> => new Promise(() => {});
  return {
    take: (...asked) => (life.alive ? ledger.take(...asked) : never()),
    settle: (...told) => (life.alive ? ledger.settle(...told) : never()),
    snapshot: () => ledger.snapshot(),
  };
}
