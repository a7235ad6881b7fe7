import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { type Clock, within } from '../base/clock.ts';
import { MINUTE } from '../base/duration.ts';
import type { Log } from '../base/log.ts';
import { createMutex } from '../base/mutex.ts';
import { type Chart, Painting } from './chart.ts';

/** How long a person waits for a picture in ms, the start of the process (about 250) and others' pictures included. */
const LIMIT = 5000;
/** Pictures that may wait, those being drawn included; one takes about 30 ms. */
const MOST_WAITING = 16;
/** After this time without a picture (ms) the process ends, and its 60 MB come back. */
const IDLE = 3 * MINUTE;

export interface Pictures {
  /**
   * The chart as a PNG of at most 100 KB. Null where it cannot be had in time: the text beside it has to be enough.
   * Never rejects.
   */
  draw(chart: Chart): Promise<Uint8Array | null>;
  close(): void;
}

interface PicturesParts {
  /** The file of the drawing process, which is started for the first picture. */
  readonly painter: URL;
  readonly clock: Clock;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

/** Draws one picture after the other in a process of their own, so that nothing else waits. */
export function createPictures({ painter, clock, log }: PicturesParts): Pictures {
  const process = createPainterProcess(painter);
  const inTurn = createMutex();
  let waiting = 0;
  let isOff = false;
  let stayUp = (): void => {};

  function stop(): void {
    stayUp();
    process.stop();
  }

  async function paint(chart: Chart, until: number): Promise<Uint8Array | null> {
    const left = until - clock.monotonic();
    if (isOff || left <= 0) return null;
    stayUp();
    await process.start();
    const painting = isOff ? null : await within(process.paint(chart), left, clock);
    if (painting?.kind === 'drawn' || painting?.kind === 'letters') {
      stayUp = clock.after(IDLE, stop);
      if (painting.kind === 'drawn') return painting.png;
      log.info({ why: painting.why }, 'a picture was left out');
      return null;
    }
    stop();
    if (painting?.kind === 'missing') {
      isOff = true;
      log.info({ why: painting.why }, 'pictures are left out: their renderer is not installed');
    } else if (!isOff) log.warn({ why: painting?.why ?? 'too slow' }, 'a picture was not drawn');
    return null;
  }

  return {
    async draw(chart) {
      if (isOff || waiting === MOST_WAITING) return null;
      const until = clock.monotonic() + LIMIT;
      waiting += 1;
      try {
        return await inTurn('picture', () => paint(chart, until));
      } catch (error) {
        log.warn({ err: error }, 'the drawing process could not be started');
        return null;
      } finally {
        waiting -= 1;
      }
    },
    close() {
      isOff = true;
      stop();
    },
  };
}

/** An end does not come as a message. */
const ENDED = { kind: 'failed', why: 'the drawing process ended' } as const;

/** `painter`: the file of its program. */
function createPainterProcess(painter: URL): {
  /** Unless it runs. Rejects where no process can be started. */
  start(): Promise<void>;
  /** Only after a start. Never rejects, and may never resolve. */
  paint(chart: Chart): Promise<Painting>;
  stop(): void;
} {
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
