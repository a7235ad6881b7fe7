/** Keeps a session open: a new one follows each that has ended. */
import { type Clock, sleep } from '../../base/clock.ts';
import { doublePause } from '../../base/duration.ts';
import { StartError, StoreError } from '../../base/errors.ts';
import { createOutage } from '../../base/outage.ts';
import type { Session } from './session.ts';

/** Pause before a new session; it doubles from `first` up to `longest`. */
const PAUSE_MS = { first: 50, longest: 1000 };

/**
 * `first`: null for one that is opened, too. `open`: opens a session and all that it needs, until the signal is aborted.
 * `refused`: called with its error if another attempt is pointless.
 */
export function keepSession(
  first: Session | null,
  {
    open,
    clock,
    away = () => {},
    back,
    refused,
  }: {
    readonly open: (signal: AbortSignal) => Promise<Session>;
    readonly clock: Clock;
    readonly away?: (error: unknown) => void;
    readonly back?: () => void;
    readonly refused: (error: StartError) => void;
  },
) {
  const stopping = new AbortController();
  const outage = createOutage(away, back);
  const opened = Promise.withResolvers<void>();
  let current = first;

  async function reopen(): Promise<Session> {
    for (let attempts = 0; ; attempts += 1) {
      try {
        return await open(stopping.signal);
      } catch (error) {
        stopping.signal.throwIfAborted();
        if (error instanceof StartError) refused(error);
        else outage.failed(error);
        await sleep(clock, doublePause(PAUSE_MS, attempts) * (0.75 + Math.random() / 2), stopping.signal);
      }
    }
  }

  async function keep(): Promise<void> {
    for (let session = first ?? (await reopen()); ; session = await reopen()) {
      outage.worked();
      current = session;
      opened.resolve();
      if (stopping.signal.aborted) session.end();
      const why = await session.ended;
      current = null;
      if (stopping.signal.aborted) return;
      outage.failed(why);
    }
  }
  opened.promise.catch(() => {});
  keep().catch((error: unknown) => {
    opened.reject(error);
    // The pause before a new session ends with the process.
    if (!stopping.signal.aborted) throw error;
  });

  return {
    /** Resolves when there is the first session; rejects if it is closed before that. */
    opened: opened.promise,
    /** See {@link Session}; infinite while there is no session. */
    silentMs: (): number => current?.silentMs() ?? Number.POSITIVE_INFINITY,
    /** Throws a {@link StoreError} while there is no session. */
    current(): Session {
      if (current === null) throw new StoreError('PostgreSQL does not answer');
      return current;
    },
    close(): void {
      stopping.abort();
      current?.end();
    },
  };
}
