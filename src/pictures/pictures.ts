import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { type Clock, resolveWithin } from '../base/clock.ts';
import { MINUTE } from '../base/duration.ts';
import type { Log } from '../base/log.ts';
import { createMutex } from '../base/mutex.ts';
import { type Chart, Painting } from './chart.ts';

/** Longest wait of a person for a picture, including the start of the process (about 250 ms) and earlier pictures. */
const PICTURE_TIMEOUT_MS = 5000;
/** Time that the process has for one picture, in ms: people wait less, but on a busy machine it is there for the next one. */
const PAINT_TIMEOUT_MS = MINUTE;
/** Pictures that may wait, those being drawn included; one takes about 30 ms. */
const MAX_WAITING = 16;
/** After this time without a picture (ms) the process ends, and its 70 MB come back. */
const MAX_IDLE_MS = 3 * MINUTE;

/** A PNG of at most 160 KB. Null: it did not come in time, and may the next time. `never`: it cannot be drawn here. */
type Drawing = Uint8Array | 'never' | null;

interface DrawLimits {
  /** Longest wait for the picture, in ms. */
  readonly waitMs?: number;
  /** Number of waiting pictures behind which this one does not queue. */
  readonly maxWaiting?: number;
}

export interface Pictures {
  /** Starts the drawing process for a picture that is about to follow; it ends when idle, as after a picture. */
  prepare(): void;
  /** Draws the chart, for somebody who waits. Never rejects. */
  draw(chart: Chart, limits?: DrawLimits): Promise<Drawing>;
  close(): void;
}

interface PicturesParts {
  /** The file of the drawing process, which is started when it is needed. */
  readonly painter: URL;
  readonly clock: Clock;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

/** Draws one picture after the other in a process of their own, so that nothing else waits. */
export function createPictures({ painter, clock, log }: PicturesParts): Pictures {
  const inTurn = createMutex();
  let child: ChildProcess | null = null;
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
    return started;
  }

  async function paint(chart: Chart): Promise<Drawing> {
    stayUp();
    const process = await running();
    const painting = isOff ? null : await resolveWithin(ask(process, chart), PAINT_TIMEOUT_MS, clock);
    if (painting?.kind === 'drawn' || painting?.kind === 'letters') {
      stayUp = clock.after(MAX_IDLE_MS, stop);
      if (painting.kind === 'drawn') return painting.png;
      log.info({ why: painting.why }, 'a picture was left out');
      return 'never';
    }
    stop();
    if (painting?.kind === 'missing') {
      isOff = true;
      log.info({ why: painting.why }, 'pictures are left out: their renderer is not installed');
    } else if (!isOff) log.warn({ why: painting?.why ?? 'too slow' }, 'a picture was not drawn');
    return painting === null && !isOff ? null : 'never';
  }

  async function start(): Promise<void> {
    if (isOff) return;
    stayUp();
    await running();
    if (isOff) stop();
    else stayUp = clock.after(MAX_IDLE_MS, stop);
  }

  return {
    prepare() {
      if (isOff || child !== null || waitingCount > 0) return;
      // The picture that follows reports a process that cannot be started.
      inTurn('picture', start).catch(() => {});
    },
    async draw(chart, { waitMs = PICTURE_TIMEOUT_MS, maxWaiting = MAX_WAITING } = {}) {
      if (isOff) return 'never';
      if (waitingCount >= maxWaiting) return null;
      let isWanted = true;
      const work = async (): Promise<Drawing> => (isOff ? 'never' : isWanted ? paint(chart) : null);
      const drawing = inTurn('picture', work).catch((error: unknown) => {
        log.warn({ err: error }, 'the drawing process could not be started');
        return 'never' as const;
      });
      waitingCount += 1;
      const picture = await resolveWithin(drawing, waitMs, clock);
      waitingCount -= 1;
      isWanted = false;
      if (picture === null) log.info({ waitMs }, 'a picture came too late');
      return picture;
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
