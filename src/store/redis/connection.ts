import { createClient, ErrorReply } from '@redis/client';
import { systemClock } from '../../base/clock.ts';
import { doublePause } from '../../base/duration.ts';
import { StoreError } from '../../base/errors.ts';
import { createOutage } from '../../base/outage.ts';
import { repeatEvery } from '../../base/repeat-every.ts';
import { troubleOf } from './trouble.ts';

/** Prefix of every key, since the database may have other uses. */
export const PREFIX = 'pitwall';

/** A connection to Redis or Valkey that reconnects by itself. */
export type RedisConnection = ReturnType<typeof connectRedis>;

type Send = (...command: readonly string[]) => Promise<unknown>;

/** Longer than any answer takes on a healthy network, and short enough for a person to wait. */
const ANSWER_DEADLINE_MS = 500;
/** Longest time for a connection; longer for the first one, since both sides may still be starting and nobody waits. */
const CONNECT_TIMEOUT_MS = { first: 5000, later: 1000 };
/** How often the server is looked at, and how many misses in a row are tolerated before the connection is replaced. */
const LOOK_INTERVAL_MS = 1000;
const MAX_MISSES = { first: 5, later: 2 };
/** Pause before reconnecting; it doubles from `first` up to `longest`. */
const RECONNECT_PAUSE_MS = { first: 50, longest: 1000 };
/** Pause between two replacements of a connection whose server has become a replica. */
const DEMOTED_INTERVAL_MS = 30_000;

export function connectRedis({
  url,
  onFailure,
  onAway,
  onBack,
  look = (send) => send('TIME'),
  answerDeadlineMs = ANSWER_DEADLINE_MS,
}: {
  readonly url: string;
  /** Called with every error of the connection. */
  readonly onFailure?: (error: unknown) => void;
  /** Called once per outage, with its cause. */
  readonly onAway: (error: unknown) => void;
  /** Called when it ends. */
  readonly onBack: () => void;
  /** Looks at the server, every second. */
  readonly look?: (send: Send) => Promise<unknown>;
  /** Time that a command may take, in ms. */
  readonly answerDeadlineMs?: number | undefined;
}) {
  const outage = createOutage(onAway, onBack);
  let isClosed = false;
  let phase: keyof typeof CONNECT_TIMEOUT_MS = 'first';
  let misses = 0;
  const up = Promise.withResolvers<true>();
  let client = connect();

  function connect(): ReturnType<typeof newClient> {
    const newest = newClient(url, { connectTimeout: CONNECT_TIMEOUT_MS[phase], answerDeadlineMs });
    newest.on('error', (error) => {
      if (newest !== client || isClosed) return;
      onFailure?.(error);
      outage.failed(error);
    });
    newest.on('ready', () => {
      outage.worked();
      phase = 'later';
      misses = 0;
      up.resolve(true);
    });
    // The client retries forever; the error event reports the cause.
    newest.connect().catch(() => {});
    return newest;
  }

  const isDemoted = noticeDemotion();
  function replace(error: unknown): void {
    if (isClosed) return;
    misses = 0;
    outage.failed(error);
    const old = client;
    client = connect();
    old.destroy();
  }

  /**
   * Sends one command. Rejects with a {@link StoreError} at once while disconnected, and after half a second at the
   * latest; the command may have been carried out all the same.
   */
  async function send(...command: readonly string[]): Promise<unknown> {
    try {
      return await answerWithin(answerDeadlineMs, client.sendCommand([...command]));
    } catch (error) {
      if (isDemoted(error)) replace(error);
      throw refusal(error);
    }
  }

  /**
   * The client's own deadline covers only writing a command, and its connection to a dead machine may stay open for
   * a quarter of an hour: a server that does not answer needs a new connection.
   */
  async function ping(): Promise<void> {
    try {
      await look(send);
      misses = 0;
    } catch (error) {
      misses += 1;
      if (misses > MAX_MISSES[phase]) replace(error);
    }
  }
  const pings = repeatEvery(systemClock, LOOK_INTERVAL_MS, ping);

  return {
    send,
    /** Runs a script, atomically. */
    eval: (
      script: string,
      {
        keys,
        arguments: values,
      }: { readonly keys: readonly string[]; readonly arguments: readonly string[] },
    ) => send('EVAL', script, String(keys.length), ...keys, ...values),
    /** Resolves when it has been connected for the first time. */
    reached: up.promise,
    close(): void {
      isClosed = true;
      void pings.stop();
      client.destroy();
    },
  };
}

/**
 * Tells whether an error says that the server takes no writes any more and another connection may find the one that does: after
 * a failover the address leads there, while the old connection stays with a replica, which answers pings.
 */
function noticeDemotion(): (error: unknown) => boolean {
  let nextReplacementAt = Number.NEGATIVE_INFINITY;
  return (error) => {
    const now = performance.now();
    if (!(error instanceof ErrorReply && error.message.startsWith('READONLY')) || now < nextReplacementAt)
      return false;
    nextReplacementAt = now + DEMOTED_INTERVAL_MS;
    return true;
  };
}

function newClient(
  url: string,
  {
    connectTimeout,
    answerDeadlineMs,
  }: { readonly connectTimeout: number; readonly answerDeadlineMs: number },
) {
  return createClient({
    url,
    // A queued command would run after its caller has given up.
    disableOfflineQueue: true,
    commandOptions: { timeout: answerDeadlineMs },
    socket: {
      connectTimeout,
      reconnectStrategy: (retries) => doublePause(RECONNECT_PAUSE_MS, retries) * (0.75 + Math.random() / 2),
    },
  });
}

/** Error for the caller of a command. */
function refusal(error: unknown): StoreError {
  const trouble = troubleOf(error);
  const defaultReason =
    error instanceof ErrorReply ? 'Redis did not do what it was asked' : 'Redis does not answer';
  return new StoreError(trouble?.why ?? defaultReason, {
    cause: error,
    trouble: trouble?.isFull === true ? 'full' : 'away',
  });
}

async function answerWithin<T>(ms: number, work: Promise<T>): Promise<T> {
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const giveUp = (): void => reject(new Error(`no answer within ${ms} ms`));
  // A process that was held up runs its timers before it reads answers that came in time.
  const timer = setTimeout(() => setImmediate(giveUp), ms);
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
