import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { MINUTE, SECOND } from '../../../src/base/duration.ts';
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
  /** Seconds of processor time in five minutes with that board and nobody who asks; NaN as well. */
  readonly boardProcessor: number;
}

const IDLE_AFTER = 10_000;
/** Commands that one bot is asked in a row, before it is another one's turn: the machine is slower for seconds at a time. */
const TURN = 100;
const WARM_UP_TURNS = 3;
const MEASURED_TURNS = 17;

/** One run of all of them: fresh chat servers, fresh processes; boards are there for `boardMs` milliseconds. */
export async function measureAll(
  contenders: readonly Contender[],
  boardMs: number,
): Promise<ReadonlyMap<string, Figures>> {
  await using open = new AsyncDisposableStack();
  const started: Started[] = [];
  for (const contender of contenders) started.push(await begin(contender, open));
  for (let turn = 0; turn < WARM_UP_TURNS; turn += 1) for (const { ask } of started) await asked(TURN, ask);
  for (let turn = 0; turn < MEASURED_TURNS; turn += 1)
    for (const { pid, ask, spent } of started) {
      const before = processorMs(pid);
      spent.times.push(...(await asked(TURN, ask)));
      spent.processor += processorMs(pid) - before;
    }
  const after = started.map(({ pid }) => residentMiB(pid));
  for (const { contender, chat } of started) if (contender.keepsBoard) await createBoard(chat);
  const spentBefore = started.map(({ pid }) => processorMs(pid));
  await pause(boardMs);
  return new Map(
    started.map(({ contender, pid, spent: { times, processor }, ...figures }, at) => [
      contender.name,
      {
        ...figures,
        p50: quantile(times, 0.5),
        p99: quantile(times, 0.99),
        processor: processor / times.length,
        after: after[at] ?? Number.NaN,
        withBoard: contender.keepsBoard ? residentMiB(pid) : Number.NaN,
        boardProcessor: contender.keepsBoard
          ? ((processorMs(pid) - (spentBefore[at] ?? Number.NaN)) / SECOND) * ((5 * MINUTE) / boardMs)
          : Number.NaN,
      },
    ]),
  );
}

/** A bot that runs, and what it has cost so far. */
interface Started extends Pick<Figures, 'firstAnswer' | 'startProcessor' | 'idle'> {
  readonly contender: Contender;
  readonly chat: LocalChat;
  readonly pid: number;
  readonly ask: () => Promise<number>;
  readonly spent: { readonly times: number[]; processor: number };
}

async function begin(contender: Contender, open: AsyncDisposableStack): Promise<Started> {
  const chat = await startChatServer();
  open.defer(() => chat.close());
  const { start, tidy } = await contender.prepare(chat);
  open.defer(tidy);
  const begun = performance.now();
  const bot = start();
  open.defer(() => end(bot));
  const pid = bot.pid ?? 0;
  await Promise.race([
    chat.ready(),
    once(bot, 'exit').then(() => Promise.reject(new Error(`${contender.name} ended`))),
  ]);
  const ask = asker(chat);
  await ask();
  const firstAnswer = performance.now() - begun;
  const startProcessor = processorMs(pid);
  await pause(IDLE_AFTER);
  const idle = residentMiB(pid);
  const spent = { times: [], processor: 0 };
  return { contender, chat, pid, ask, firstAnswer, startProcessor, idle, spent };
}

/** The milliseconds that each of so many commands took, one after the other. */
async function asked(count: number, ask: () => Promise<number>): Promise<readonly number[]> {
  const times: number[] = [];
  while (times.length < count) times.push(await ask());
  return times;
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
    const answered = visitor.invoke(channel, 'profile', [
      { name: 'player', value: DRIVER },
      // The bare bots draw nothing.
      { name: 'picture', value: false },
    ]);
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
