import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { type LocalChat, startChatServer } from '../../../src/sandbox/chat/chat-server.ts';
import { processorMs, quantile, residentMiB } from './process-figures.ts';

/** A bot as it is measured: how it is started towards that chat server, and what it needs beside. */
export interface Contender {
  readonly name: string;
  /** It has a `/board create` that keeps a message current. */
  readonly keepsBoard?: true;
  /** What it needs, before its time is taken; `tidy` is for after its end. */
  prepare(chat: LocalChat): Promise<{ start(): ChildProcess; tidy(): Promise<void> }>;
}

export interface Figures {
  /** Milliseconds from the start of the process to its first answer. */
  readonly firstAnswer: number;
  /** Milliseconds of processor time until then. */
  readonly startProcessor: number;
  /** MiB, ten seconds after that. */
  readonly idle: number;
  /** Milliseconds from the gateway event to the callback. */
  readonly p50: number;
  readonly p99: number;
  /** Milliseconds of processor time a command. */
  readonly processor: number;
  /** MiB after 2000 commands. */
  readonly after: number;
  /** MiB after these and a board for some minutes; NaN for a bot without boards. */
  readonly withBoard: number;
}

const IDLE_AFTER = 10_000;
const WARM_UP = 300;
const MEASURED = 1700;

/** One run of one bot: a fresh chat server, a fresh process; its board is there for `boardMs` milliseconds. */
export async function measure(contender: Contender, boardMs: number): Promise<Figures> {
  const chat = await startChatServer();
  const { start, tidy } = await contender.prepare(chat);
  const begun = performance.now();
  const bot = start();
  const pid = bot.pid ?? 0;
  try {
    await Promise.race([
      chat.ready(),
      once(bot, 'exit').then(() => Promise.reject(new Error(`${contender.name} ended`))),
    ]);
    const profile = asker(chat);
    await profile();
    const firstAnswer = performance.now() - begun;
    const startProcessor = processorMs(pid);
    await pause(IDLE_AFTER);
    const idle = residentMiB(pid);
    for (let done = 0; done < WARM_UP; done += 1) await profile();
    const times: number[] = [];
    const processorBefore = processorMs(pid);
    for (let done = 0; done < MEASURED; done += 1) times.push(await profile());
    const processor = (processorMs(pid) - processorBefore) / MEASURED;
    const after = residentMiB(pid);
    if (contender.keepsBoard) {
      await createBoard(chat);
      await pause(boardMs);
    }
    return {
      firstAnswer,
      startProcessor,
      idle,
      p50: quantile(times, 0.5),
      p99: quantile(times, 0.99),
      processor,
      after,
      withBoard: contender.keepsBoard ? residentMiB(pid) : Number.NaN,
    };
  } finally {
    await end(bot);
    await tidy();
    await chat.close();
  }
}

/** Asks for one driver's profile; resolves with the milliseconds until the callback came in. */
function asker(chat: LocalChat): () => Promise<number> {
  const visitor = chat.visitor(chat.people[0] ?? '');
  const channel = chat.channels.find(({ type }) => type === 0)?.id ?? '';
  let called = (): void => {};
  chat.subscribe((event) => {
    if (event.type === 'payload' && event.path.endsWith('/callback')) called();
  });
  return async () => {
    let took = Number.NaN;
    called = () => {
      took = performance.now() - begun;
    };
    const answered = visitor.invoke(channel, 'profile', [{ name: 'player', value: DRIVER }]);
    // The event is on its way: to find its command among many is the chat server's time.
    const begun = performance.now();
    const { acknowledged } = await answered;
    if (acknowledged === 'failed') throw new Error('a command was not answered');
    return took;
  };
}

async function createBoard(chat: LocalChat): Promise<void> {
  const channel = chat.channels.filter(({ type }) => type === 0).at(-1)?.id ?? '';
  const person = chat.visitor(chat.people[0] ?? '');
  const { acknowledged, form, interactionId } = await person.invoke(channel, 'board create', []);
  // A bare bot has none.
  if (form !== null) await person.submit(interactionId, {});
  if (acknowledged === 'failed') throw new Error('no board was made');
}

const DRIVER = 'Marek Nowicki';

/** A bot that is one script and takes the REST base and the token as arguments. */
export function script(name: string, file: URL, more: Pick<Contender, 'keepsBoard'> = {}): Contender {
  return {
    ...{ name, ...more },
    prepare: async (chat) => ({
      start: () =>
        spawn(process.execPath, [file.pathname, chat.apiUrl, chat.token], {
          stdio: ['ignore', 'ignore', 'inherit'],
        }),
      tidy: async () => {},
    }),
  };
}

export async function end(bot: ChildProcess): Promise<void> {
  if (bot.exitCode !== null || bot.signalCode !== null) return;
  const gone = once(bot, 'exit');
  bot.kill('SIGTERM');
  await gone;
}
