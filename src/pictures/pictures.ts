import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { type Clock, resolveWithin } from '../base/clock.ts';
import { MINUTE } from '../base/duration.ts';
import type { Log } from '../base/log.ts';
import { createMutex } from '../base/mutex.ts';
import { type Chart, Painting } from './chart.ts';

/** Longest wait of a person for a picture, including the start of the process (about 250 ms) and earlier pictures. */
const PICTURE_TIMEOUT_MS = 5000;
/** Time that a process has for its first picture, in ms: people wait less, but it is there for the next one. */
const START_TIMEOUT_MS = MINUTE;
/** Pictures that may wait, those being drawn included; one takes about 30 ms. */
const MAX_WAITING = 16;
/** After this time without a picture (ms) the process ends, and its 70 MB come back. */
const MAX_IDLE_MS = 3 * MINUTE;

export interface Pictures {
  /**
   * The chart as a PNG of at most 160 KB. Null where it cannot be had in time: the text beside it has to be enough.
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
  const inTurn = createMutex();
  let child: ChildProcess | null = null;
  /** Until when the process may be starting (monotonic ms). */
  let startDeadline = 0;
  /** Answer that nobody waits for any more, of a process that is still starting. Answers come in order. */
  let lateAnswer: Promise<unknown> = Promise.resolve();
  let waitingCount = 0;
  let isOff = false;
  let stayUp = (): void => {};

  function stop(): void {
    stayUp();
    child?.kill('SIGKILL');
    child = null;
  }

  async function running(): Promise<ChildProcess> {
    if (child !== null) return child;
    const started = await forked(painter);
    started.once('exit', () => {
      if (child === started) child = null;
    });
    child = started;
    startDeadline = clock.monotonic() + START_TIMEOUT_MS;
    lateAnswer = Promise.resolve();
    return started;
  }

  async function paint(chart: Chart, deadline: number): Promise<Uint8Array | null> {
    const remainingMs = deadline - clock.monotonic();
    if (isOff || remainingMs <= 0) return null;
    stayUp();
    const process = await running();
    const answer = isOff ? null : lateAnswer.then(() => ask(process, chart));
    const painting = answer && (await resolveWithin(answer, remainingMs, clock));
    if (answer !== null && painting === null && clock.monotonic() < startDeadline) {
      lateAnswer = answer;
      stayUp = clock.after(MAX_IDLE_MS, stop);
      log.warn({ why: 'still starting' }, 'a picture was not drawn');
      return null;
    }
    if (painting?.kind === 'drawn' || painting?.kind === 'letters') {
      startDeadline = 0;
      stayUp = clock.after(MAX_IDLE_MS, stop);
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
      if (isOff || waitingCount === MAX_WAITING) return null;
      const deadline = clock.monotonic() + PICTURE_TIMEOUT_MS;
      waitingCount += 1;
      try {
        return await inTurn('picture', () => paint(chart, deadline));
      } catch (error) {
        log.warn({ err: error }, 'the drawing process could not be started');
        return null;
      } finally {
        waitingCount -= 1;
      }
    },
    close() {
      isOff = true;
      stop();
    },
  };
}

/** Rejects where no process can be started. */
async function forked(painter: URL): Promise<ChildProcess> {
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
  return started;
}

/** Never rejects, and may never resolve. */
async function ask(child: ChildProcess, chart: Chart): Promise<Painting> {
  const listening = new AbortController();
  const { signal } = listening;
  try {
    const answered = once(child, 'message', { signal }).then(([message]) => Painting.parse(message));
    // An end does not come as a message.
    const exit = once(child, 'exit', { signal }).then(() => {
      throw new Error('the drawing process ended');
    });
    const sendFailure = new Promise<never>((_, reject) => {
      child.send(chart, (error) => error !== null && reject(error));
    });
    return await Promise.race([answered, exit, sendFailure]);
  } catch (error) {
    return { kind: 'failed', why: String(error) };
  } finally {
    listening.abort();
  }
}
