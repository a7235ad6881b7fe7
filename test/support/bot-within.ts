import { cpSync, mkdtempDisposableSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { readConfig } from '../../src/base/config.ts';
import { SECOND } from '../../src/base/duration.ts';
import { createLog } from '../../src/base/log.ts';
import { startBot } from '../../src/bot/start.ts';
import { botSettings } from '../../src/sandbox/bot-settings.ts';
import type { ChatServer } from '../../src/sandbox/chat/chat-server.ts';
import type { DataService } from '../../src/sandbox/service/data-service.ts';
import { BETWEEN_LOGINS, type Bot } from './bot.ts';

/**
 * The real bot over the sandbox within the tests' own process, with its own connections, store and log: a quarter of
 * the processor time of a process.
 */
export type BotWithin = Pick<Bot, 'start' | 'output' | 'folder'> & {
  stop(): Promise<void>;
  /** As SIGKILL leaves it: what has not been written to its folder by now is lost. */
  crash(): Promise<void>;
};

/** Interval at which features look at what they watch. */
const ROUND_INTERVAL_MS = 15 * SECOND;

/** The wait for the next look at what is watched, less the time that the last one took. */
const isUntilLook = (ms: number): boolean => ms <= ROUND_INTERVAL_MS && ms > ROUND_INTERVAL_MS - 2 * SECOND;

/** `watchEvery`: it looks at what is watched so often, in ms. `later`: how far its wall clock has been set on, in ms. */
export async function createBotWithin(
  chat: ChatServer,
  dataService: DataService,
  settings: Readonly<Record<string, string>> = {},
  {
    watchEvery = ROUND_INTERVAL_MS,
    later = () => 0,
  }: { readonly watchEvery?: number; readonly later?: () => number } = {},
): Promise<BotWithin & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), 'pitwall-'));
  const { config } = readConfig({
    ...botSettings(chat, dataService, `sqlite://${join(folder, 'store.sqlite')}`),
    ...settings,
  });
  if (config === null) throw new Error('the settings that point a bot at the sandbox are wrong');
  let output = '';
  const log = createLog({
    level: 'debug',
    secrets: [config.discord.token, config.service.key],
    stream: {
      write: (line) => {
        output += line;
      },
    },
  });
  let resources = new AsyncDisposableStack();
  let starts = 0;

  async function stop(): Promise<void> {
    const running = resources;
    resources = new AsyncDisposableStack();
    await running.disposeAsync();
  }

  return {
    folder,
    get output() {
      return output;
    },
    async start(ahead = 0) {
      const shift = ahead + starts * BETWEEN_LOGINS;
      starts += 1;
      // Before that a wait of the same length is one for Discord.
      let isRunning = false;
      const clock: Clock = {
        ...systemClock,
        now: () => systemClock.now() + shift + later(),
        after: (ms, callback) => systemClock.after(isRunning && isUntilLook(ms) ? watchEvery : ms, callback),
      };
      const starting = startBot(config, { clock, log, resources });
      await Promise.all([starting, chat.ready()]);
      isRunning = true;
    },
    stop,
    async crash() {
      using left = mkdtempDisposableSync(join(tmpdir(), 'pitwall-'));
      cpSync(folder, left.path, { recursive: true });
      await stop();
      rmSync(folder, { recursive: true });
      cpSync(left.path, folder, { recursive: true });
    },
    async [Symbol.asyncDispose]() {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
