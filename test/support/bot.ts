import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { botSettings } from '../../src/sandbox/bot-settings.ts';
import type { ChatServer } from '../../src/sandbox/chat/chat-server.ts';
import type { DataService } from '../../src/sandbox/service/data-service.ts';
import { listenTo } from './program.ts';

/** What `npm start` runs; it is built before the tests where its sources have changed. */
export const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

const later = new URL('later.ts', import.meta.url).href;

/**
 * Discord takes one login in five seconds. Each further start of a bot comes so much later by the bot's own clock (ms),
 * so that it need not wait for its turn; where processes share a store, the database has the clock.
 */
export const BETWEEN_LOGINS = 6000;

/** The real bot as its own process, over the sandbox. Its store outlives a restart, not the test. */
export interface Bot {
  /** Resolves when its commands are published. Its wall clock can run `ahead` by so many milliseconds. */
  start(ahead?: number): Promise<void>;
  /** SIGTERM by default; resolves with the exit code, null where a signal ended it. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  signal(signal: NodeJS.Signals): void;
  /** All that it has printed so far, over every start. */
  readonly output: string;
  readonly folder: string;
}

/** `detached`: without the terminal that the tests may have. */
export async function createBot(
  chat: ChatServer,
  dataService: DataService,
  settings: Readonly<Record<string, string>> = {},
  { detached = false }: { readonly detached?: boolean } = {},
): Promise<Bot & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), 'pitwall-'));
  let output = '';
  let running: ReturnType<typeof spawn> | null = null;
  let starts = 0;

  async function stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    const child = running;
    running = null;
    if (child === null) return 0;
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    child.kill(signal);
    await once(child, 'exit');
    return child.exitCode;
  }

  return {
    folder,
    get output() {
      return output;
    },
    async start(ahead = 0) {
      const shift = ahead + starts * BETWEEN_LOGINS;
      starts += 1;
      const child = spawn(process.execPath, [...(shift === 0 ? [] : ['--import', later]), main], {
        cwd: folder,
        env: {
          PATH: process.env['PATH'],
          ...botSettings(chat, dataService, `sqlite://${join(folder, 'store.sqlite')}`),
          LOG_LEVEL: 'debug',
          LATER_MS: String(shift),
          ...settings,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
        detached,
      });
      running = child;
      listenTo(child, (text) => {
        output += text;
      });
      const died = once(child, 'exit').then(() => {
        throw new Error(`the bot ended before it was ready:\n${output}`);
      });
      await Promise.race([chat.ready(), died]);
      died.catch(() => {});
    },
    stop,
    signal: (signal) => void running?.kill(signal),
    async [Symbol.asyncDispose]() {
      await stop('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
