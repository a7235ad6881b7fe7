import { setTimeout as pause } from 'node:timers/promises';
import { createClient, ErrorReply } from '@redis/client';
import { StoreError } from '../../errors.ts';

/** A connection to Redis or Valkey that comes back by itself. */
export interface RedisConnection {
  /**
   * One command. Rejects with a {@link StoreError} at once while the store is away, and after half a second at the
   * latest: what was asked may have been done then or not.
   */
  send(...command: readonly string[]): Promise<unknown>;
  /** A script, which nothing else can come between. */
  eval(script: string, options: ScriptOptions): Promise<unknown>;
  /** The same by its hash. Where the server does not know it, the error's message begins with NOSCRIPT. */
  evalSha(sha: string, options: ScriptOptions): Promise<unknown>;
  /** Resolves once it has been reached, or after so many milliseconds; false: it has not been. */
  reached(patience: number): Promise<boolean>;
  close(): void;
}

interface ScriptOptions {
  readonly keys: readonly string[];
  readonly arguments: readonly string[];
}

/** Longer than any answer takes on a network that is well; as long as somebody is made to wait for nothing. */
const DEADLINE = 500;
const CONNECT_DEADLINE = 1000;
/** How often it is asked whether it still answers, and how often in a row it may fail to. */
const LOOK_EVERY = 1000;
const MISSES = 2;
/** The pause before connecting again doubles from the first to the second of these. */
const PAUSE = { first: 50, longest: 1000 };

/** `onAway` is told once for each outage, with its cause; `onBack` when it is over. */
export function connectRedis(options: {
  readonly url: string;
  readonly onAway: (error: unknown) => void;
  readonly onBack: () => void;
}): RedisConnection {
  let state: 'unknown' | 'up' | 'away' = 'unknown';
  let misses = 0;
  let closed = false;
  const up = Promise.withResolvers<true>();
  let client = begin();

  function went(error: unknown): void {
    if (state === 'away' || closed) return;
    state = 'away';
    options.onAway(error);
  }

  function begin() {
    const begun = createClient({
      url: options.url,
      // What waits in a queue is carried out when nobody wants it any more.
      disableOfflineQueue: true,
      commandOptions: { timeout: DEADLINE },
      socket: {
        connectTimeout: CONNECT_DEADLINE,
        reconnectStrategy: (retries) =>
          Math.min(PAUSE.longest, PAUSE.first * 2 ** retries) * (0.75 + Math.random() / 2),
      },
    });
    begun.on('error', (error) => {
      if (begun === client) went(error);
    });
    begun.on('ready', () => {
      if (state === 'away') options.onBack();
      state = 'up';
      misses = 0;
      up.resolve(true);
    });
    // It tries for ever; what is wrong is told by the event.
    begun.connect().catch(() => {});
    return begun;
  }

  async function send(...command: readonly string[]): Promise<unknown> {
    try {
      return await inTime(client.sendCommand([...command]));
    } catch (error) {
      if (error instanceof ErrorReply && error.message.startsWith('NOSCRIPT')) throw error;
      throw new StoreError('Redis did not do what it was asked', {
        cause: error,
        // It says so where it has no memory left (OOM), or no room on its disk (MISCONF).
        trouble: error instanceof ErrorReply && /^(?:OOM|MISCONF)/.test(error.message) ? 'full' : 'away',
      });
    }
  }

  /**
   * The client's own deadline ends when a command is written, and its connection may stay open for a quarter of an
   * hour towards a machine that is gone: whoever does not answer gets a new one.
   */
  async function look(): Promise<void> {
    try {
      await send('PING');
      misses = 0;
    } catch (error) {
      misses += 1;
      if (misses <= MISSES || closed) return;
      went(error);
      misses = 0;
      const old = client;
      client = begin();
      old.destroy();
    }
  }
  const looking = setInterval(() => void look(), LOOK_EVERY);
  looking.unref();

  const evaluate = (command: string, script: string, { keys, arguments: values }: ScriptOptions) =>
    send(command, script, String(keys.length), ...keys, ...values);

  return {
    send,
    eval: (script, given) => evaluate('EVAL', script, given),
    evalSha: (sha, given) => evaluate('EVALSHA', sha, given),
    reached: (patience) => Promise.race([up.promise, pause(patience, false, { ref: false })]),
    close() {
      closed = true;
      clearInterval(looking);
      client.destroy();
    },
  };
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${DEADLINE} ms`)), DEADLINE);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
