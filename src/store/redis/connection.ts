import { setTimeout as pause } from 'node:timers/promises';
import { createClient, ErrorReply } from '@redis/client';
import { StoreError } from '../../errors.ts';

/** A connection to Redis or Valkey that reconnects by itself. */
export interface RedisConnection {
  /**
   * Sends one command. Rejects with a {@link StoreError} at once while disconnected, and after half a second at the
   * latest; the command may have been carried out all the same.
   */
  send(...command: readonly string[]): Promise<unknown>;
  /** Runs a script, atomically. */
  eval(script: string, options: ScriptOptions): Promise<unknown>;
  /** The same by its hash. If the server does not have it, the error's message starts with NOSCRIPT. */
  evalSha(sha: string, options: ScriptOptions): Promise<unknown>;
  /** Resolves with true once connected, or with false after `patience` ms. */
  reached(patience: number): Promise<boolean>;
  close(): void;
}

interface ScriptOptions {
  readonly keys: readonly string[];
  readonly arguments: readonly string[];
}

/** Longer than any answer takes on a healthy network, and short enough for a person to wait. */
const DEADLINE = 500;
const CONNECT_DEADLINE = 1000;
/** How often the server is pinged, and how many misses in a row replace the connection. */
const LOOK_EVERY = 1000;
const MISSES = 2;
/** The pause before reconnecting, in ms; it doubles from `first` up to `longest`. */
const PAUSE = { first: 50, longest: 1000 };

/** `onAway` is called once per outage, with its cause; `onBack` when it ends. */
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
      // A queued command would run after its caller has given up.
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
    // It retries forever; the error event reports what is wrong.
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
        // The replies for no memory (OOM) and no disk space (MISCONF).
        trouble: error instanceof ErrorReply && /^(?:OOM|MISCONF)/.test(error.message) ? 'full' : 'away',
      });
    }
  }

  /**
   * The client's own deadline covers only writing a command, and its connection to a dead machine may stay open for
   * a quarter of an hour: a server that does not answer pings gets a new connection.
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
