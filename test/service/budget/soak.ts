import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { createWindow, type WindowModel } from '../../../src/sandbox/service/window-models.ts';
import { mostWithin } from '../../sim/simulation.ts';
import { listenOnFreePort } from '../../support/listen.ts';

const spender = fileURLToPath(new URL('spender.ts', import.meta.url));

/** A service that counts what reaches it. */
export interface CountingService extends AsyncDisposable {
  readonly url: string;
  /** Monotonic milliseconds of every request, as they arrived. */
  readonly arrivals: readonly number[];
  readonly refused: number;
  /** The most requests within any one window, in any phase. */
  most(): number;
}

export interface Budget {
  readonly limit: number;
  readonly windowMs: number;
}

export async function startService(
  model: WindowModel,
  { limit, windowMs }: Budget,
): Promise<CountingService> {
  const window = createWindow(model, limit, windowMs);
  const arrivals: number[] = [];
  let refused = 0;
  const server = createServer((_request, response) => {
    arrivals.push(performance.now());
    const now = Date.now();
    const taken = window.take(now);
    if (!taken.allowed) refused += 1;
    response.statusCode = taken.allowed ? 200 : 429;
    response.setHeader('content-type', 'application/json');
    response.setHeader('date', new Date(now).toUTCString());
    response.setHeader('x-ratelimit-limit', `${limit}/${windowMs / 1000}`);
    response.setHeader('x-ratelimit-remaining', taken.remaining);
    response.setHeader('x-ratelimit-reset', Math.floor(taken.reset / 1000));
    if (!taken.allowed) response.setHeader('retry-after', Math.ceil(taken.retryAfter / 1000));
    setTimeout(() => response.end('{"ok": true}'), Math.random() * 30);
  });
  const port = await listenOnFreePort(server);
  return {
    url: `http://127.0.0.1:${port}`,
    arrivals,
    get refused() {
      return refused;
    },
    most: () => mostWithin(arrivals, windowMs),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A spending process that is started again whenever it has been killed. */
export interface Spender extends AsyncDisposable {
  /** Resolves when the next one has been started. */
  kill(): Promise<void>;
  readonly starts: number;
}

export function startSpender(url: string, place: string): Spender {
  let child: ChildProcess;
  let starts = 0;
  let over = false;
  const start = (): void => {
    starts += 1;
    child = spawn(process.execPath, [spender, url, place], { stdio: ['ignore', 'ignore', 'inherit'] });
    child.once('exit', () => {
      if (!over) start();
    });
  };
  start();
  return {
    kill: async () => {
      const before = starts;
      child.kill('SIGKILL');
      await until(() => starts > before);
    },
    get starts() {
      return starts;
    },
    [Symbol.asyncDispose]: async () => {
      over = true;
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Looks now and then whether it is so. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await pause(5);
}
