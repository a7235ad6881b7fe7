import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Chart } from './chart.ts';
import { Painting } from './painting.ts';

/** The process that draws, which may end at any time. */
interface PainterProcess {
  /** Unless it runs. Rejects where no process can be started. */
  start(): Promise<void>;
  /** Only after a start. Never rejects, and may never resolve. */
  paint(chart: Chart): Promise<Painting>;
  stop(): void;
}

/** An end does not come as a message. */
const ENDED = { kind: 'failed', why: 'the drawing process ended' } as const;

/** `painter`: the file of its program. */
export function createPainterProcess(painter: URL): PainterProcess {
  let child: ChildProcess | null = null;

  return {
    async start() {
      child ??= await forked(painter, (ended) => {
        if (child === ended) child = null;
      });
    },
    paint: async (chart) => (child === null ? ENDED : ask(child, chart)),
    stop() {
      child?.kill('SIGKILL');
      child = null;
    },
  };
}

async function forked(painter: URL, ended: (child: ChildProcess) => void): Promise<ChildProcess> {
  // A bot that draws nothing does without it.
  const { fork } = await import('node:child_process');
  const started = fork(painter, [], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // Nothing of the bot's own, such as its token. The library would look for fonts all over the machine.
    env: { DISABLE_SYSTEM_FONTS_LOAD: '1' },
    execArgv: [],
  });
  started.on('error', () => {});
  started.once('exit', () => ended(started));
  return started;
}

async function ask(child: ChildProcess, chart: Chart): Promise<Painting> {
  const heard = new AbortController();
  const { signal } = heard;
  try {
    const answered = once(child, 'message', { signal }).then(([message]) => Painting.parse(message));
    const ended = once(child, 'exit', { signal }).then(() => ENDED);
    const sent = new Promise<never>((_, reject) => {
      child.send(chart, (error) => error !== null && reject(error));
    });
    return await Promise.race([answered, ended, sent]);
  } catch (error) {
    return { kind: 'failed', why: String(error) };
  } finally {
    heard.abort();
  }
}
