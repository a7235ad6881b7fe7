import type { LocalChat } from '../../../src/sandbox/chat/chat-server.ts';
import type { DataService } from '../../../src/sandbox/service/data-service.ts';
import { type Bot, createBot } from '../../support/bot.ts';

/** One process of the bot. */
interface Copy {
  readonly name: string;
  readonly bot: Bot & AsyncDisposable;
}

/** The processes of one bot over one store, each with an address of its own at the chat server. */
export interface Copies extends AsyncDisposable {
  readonly running: number;
  readonly killed: number;
  /** Resolves when it says that it is ready, or that it stands by. */
  add(): Promise<void>;
  /** A random one, as a crash does it. */
  kill(): Promise<void>;
  /** A random one, in order. */
  stop(): Promise<void>;
  /** When it was killed; infinity for the others. */
  killedAt(name: string): number;
  readonly figures: Readonly<Record<string, number>>;
  /** All that went wrong with any of them, but for a store that was slow because the machine was. */
  readonly complaints: readonly string[];
}

const READY = 20_000;

export function createCopies(
  { chat, dataService, storeUrl }: { chat: LocalChat; dataService: DataService; storeUrl: string },
  random: () => number,
): Copies {
  const running: Copy[] = [];
  const all: Copy[] = [];
  const killed = new Map<string, number>();
  const failures: string[] = [];
  let stopped = 0;

  function take(): Copy {
    const [copy] = running.splice(Math.floor(random() * running.length), 1);
    if (copy === undefined) throw new Error('no process is running');
    return copy;
  }

  return {
    get running() {
      return running.length;
    },
    get killed() {
      return killed.size;
    },
    async add() {
      const name = `p${all.length + 1}`;
      const settings = { STORE_URL: storeUrl, DISCORD_API_URL: chat.apiUrlOf(name), LOG_LEVEL: 'info' };
      const bot = await createBot(chat, dataService, settings);
      const copy = { name, bot };
      all.push(copy);
      running.push(copy);
      await bot.start();
      const end = performance.now() + READY;
      while (!/"msg":"(?:ready|stands by)/.test(bot.output)) {
        if (performance.now() > end) throw new Error(`${name} is not ready:\n${bot.output}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    async kill() {
      const { name, bot } = take();
      killed.set(name, Date.now());
      await bot.stop('SIGKILL');
    },
    async stop() {
      const { name, bot } = take();
      stopped += 1;
      const code = await bot.stop();
      if (code !== 0) failures.push(`${name} ended with ${code}`);
    },
    killedAt: (name) => killed.get(name) ?? Number.POSITIVE_INFINITY,
    get figures() {
      return { started: all.length, killed: killed.size, 'stopped in order': stopped };
    },
    get complaints() {
      const bugs = all.flatMap(({ name, bot }) =>
        bot.output
          .split('\n')
          .filter((line) => /"level":"(?:error|fatal)"|"bug"/.test(line) && !line.includes('StoreError'))
          .map((line) => `${name}: ${line}`),
      );
      return [...failures, ...bugs];
    },
    async [Symbol.asyncDispose]() {
      for (const { bot } of all) await bot[Symbol.asyncDispose]();
    },
  };
}
