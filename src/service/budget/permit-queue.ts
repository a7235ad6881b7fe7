import type { Clock } from '../../base/clock.ts';
import type { ServiceError } from '../../base/errors.ts';
import type { Call } from '../call.ts';
import type { Priority } from '../endpoints.ts';
import type { Permit } from './ledger/ledger-store.ts';
import { noPermit } from './no-permit.ts';
import type { Denial, Permits } from './permits.ts';
import { PATIENCE_MS, type Queues } from './queue.ts';

/** Where calls wait for their permits. Exactly one of the two callbacks is called. */
interface PermitQueue {
  join(
    call: Call,
    place: number,
    then: {
      /** Resolves when the next call of the same class may ask for a permit. */
      readonly granted: (permit: Permit) => Promise<void>;
      readonly givenUp: (why: ServiceError) => void;
    },
  ): void;
}

export function createPermitQueue(parts: {
  readonly clock: Clock;
  readonly permits: Permits;
  readonly queues: Queues;
}): PermitQueue {
  const { clock, permits, queues } = parts;
  /** Why each class was last denied a permit, and the monotonic time at which there may be one. */
  const denied: Record<Priority, { readonly reason: Denial | null; readonly at: number }> = {
    interactive: { reason: null, at: 0 },
    background: { reason: null, at: 0 },
  };

  /** Null: not in time. */
  async function takePermit(kind: Priority, wait: Wait): Promise<Permit | null> {
    while (!wait.isOver()) {
      const attempt = await permits.take(kind);
      if (attempt.limit !== null) queues.resize(attempt.limit);
      if (attempt.permit !== null) return attempt.permit;
      const { reason, waitMs } = attempt;
      const at = clock.monotonic() + waitMs;
      denied[kind] = { reason, at };
      if (at > wait.deadline) return null;
      // These waits may end early, with an answer that is under way.
      await permits.sleep(waitMs, reason === 'probe' || reason === 'headers');
    }
    return null;
  }

  return {
    join: (call, place, { granted, givenUp }) => {
      const kind = call.priority;
      const wait = beginWait(call, clock, () => {
        const { reason, at } = call.signal?.aborted ? { reason: 'dropped' as const, at: 0 } : denied[kind];
        const now = clock.now();
        givenUp(noPermit(call, { reason, at: now + at - clock.monotonic() }, now));
      });
      const work = async (): Promise<void> => {
        const permit = await takePermit(kind, wait);
        if (permit === null) return wait.giveUp();
        // Dropped while waiting for the ledger.
        if (wait.isOver()) return void (await permits.settle(permit, { kind: 'unsent' }));
        wait.end();
        denied[kind] = { reason: 'connections', at: 0 };
        await granted(permit);
        denied[kind] = { reason: null, at: 0 };
      };
      void queues[kind].run(place, work).then((ran) => {
        if (!ran) wait.giveUp();
      });
    },
  };
}

/** A call's wait for its permit. It ends with a permit, when nobody wants the answer any more, or at the deadline. */
interface Wait {
  /** Monotonic. */
  readonly deadline: number;
  isOver(): boolean;
  end(): void;
  giveUp(): void;
}

function beginWait({ priority, signal }: Call, clock: Clock, onGivenUp: () => void): Wait {
  let over = false;
  const end = (): void => {
    over = true;
    cancel();
    signal?.removeEventListener('abort', giveUp);
  };
  const giveUp = (): void => {
    if (over) return;
    end();
    onGivenUp();
  };
  const cancel = clock.after(PATIENCE_MS[priority], giveUp);
  signal?.addEventListener('abort', giveUp);
  if (signal?.aborted) giveUp();
  return { deadline: clock.monotonic() + PATIENCE_MS[priority], isOver: () => over, end, giveUp };
}
