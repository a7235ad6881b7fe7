/** Writes down what the live files say. Of several processes, the holder of the first shard does. */

import type { Clock } from '../../base/clock.ts';
import { HOUR, MINUTE, SECOND } from '../../base/duration.ts';
import { createJob } from '../../base/job.ts';
import type { Runtime } from '../../base/runtime.ts';
import type { Steps } from '../../base/sql.ts';
import type { Facts } from '../../service/models/facts.ts';
import type { DataService } from '../../service/open-data-service.ts';
import type { HistoryStore } from '../../store/history-store.ts';
import { addBatch, type Batch, emptyBatch, joinedBatch } from './batch.ts';
import { tidy } from './bounds.ts';
import { convertNewest } from './chunks.ts';
import { createIntake, READ_INTERVAL_MS } from './intake.ts';
import type { LookUps } from './look-ups.ts';
import { type RecorderState, saveState, storedState } from './recorder-state.ts';

interface RecorderParts {
  readonly history: HistoryStore;
  /** This process records. It still does during the stop. */
  readonly holds: () => boolean;
  readonly clock: Clock;
  readonly isHidden: (username: string) => boolean;
  readonly lookUps: Pick<LookUps, 'take' | 'written'>;
  readonly isLinked: (username: string) => boolean;
  /** Called once for failures in a row: a full disk lasts for hours. */
  readonly failed: (error: unknown) => void;
}

/** How soon a process that holds the first shard from now on begins. */
const LOOK_INTERVAL_MS = 5 * SECOND;
/** How long the end waits for a run under way, in ms: two writes at a time would be one too many. */
const STOP_TIMEOUT_MS = 3 * SECOND;
const TIDY_INTERVAL_MS = HOUR;

export function createRecorder(parts: RecorderParts) {
  const { history, holds, clock, lookUps, failed } = parts;
  let recording: Awaited<ReturnType<typeof createRecording>> | null = null;
  let minute = Math.floor(clock.now() / MINUTE);
  let tidiedAt = Number.NEGATIVE_INFINITY;
  /** Until a write has succeeded, so that a failure lasts from the first one to the last. */
  let isDue = false;

  async function work(): Promise<void> {
    if (holds()) recording ??= await createRecording(parts);
    const previousMinute = minute;
    minute = Math.floor(clock.now() / MINUTE);
    isDue ||= minute !== previousMinute || recording?.hasTurned() === true;
    recording?.keepMembers();
    if (isDue) {
      await write(false);
      isDue = false;
    }
    if (!holds() || clock.monotonic() - tidiedAt < TIDY_INTERVAL_MS) return;
    tidiedAt = clock.monotonic();
    await tidy({ ...parts, store: history }, clock.now());
  }

  /** Profiles are read by every process. */
  async function write(isLast: boolean): Promise<void> {
    const noted = lookUps.take();
    if (holds() && recording !== null) await recording.write(noted, isLast);
    else if (noted !== null) await history.write(noted);
    lookUps.written();
  }

  const run = (): Promise<void> =>
    work().finally(() => {
      // The process that has it meanwhile continues from the last write, and so does this one if it gets it again.
      if (!holds()) recording = null;
    });
  const job = createJob(clock, LOOK_INTERVAL_MS, run, failed);

  return {
    start: job.start,
    /** Takes what is new in the facts. To be called whenever they may have changed. */
    read(facts: Facts): void {
      if (holds()) recording?.read(facts);
    },
    /** Writes what is not written yet, before another process continues, and ends. */
    async stop(): Promise<void> {
      await job.stop(STOP_TIMEOUT_MS);
      try {
        await write(true);
      } catch (error) {
        failed(error);
      }
    },
  };
}

interface Sources extends Pick<RecorderParts, 'history' | 'isHidden' | 'isLinked' | 'holds'> {
  readonly lookUps: LookUps;
  readonly dataService: Pick<DataService, 'poll' | 'observations'>;
}

/** Reads the live files for history until the end, every 10 seconds where no board needs them sooner. */
export function startRecorder(
  { dataService: { poll, observations }, ...parts }: Sources,
  { clock, log, resources }: Runtime,
): void {
  const failed = (error: unknown): void => log.error({ err: error }, 'history not written');
  const recorder = createRecorder({ ...parts, clock, failed });
  const stopping = new AbortController();
  const begin = async (): Promise<void> => {
    // On a full disk, for example: the next start tries again.
    const convertOlder = await convertNewest(parts.history, clock.now(), stopping.signal).catch(
      (error: unknown) => {
        failed(error);
        return async () => {};
      },
    );
    void recorder.start();
    await convertOlder();
  };
  const begun = begin().catch(failed);
  resources.defer(async () => {
    stopping.abort();
    await begun;
    await recorder.stop();
  });
  resources.defer(observations.listen(parts.lookUps.observed, failed));
  resources.defer(poll.watch(['live'], () => recorder.read(poll.facts), READ_INTERVAL_MS));
}

/** Goes on from where the last write of any process ended. */
async function createRecording(parts: Pick<RecorderParts, 'history' | 'clock' | 'isHidden'>) {
  const { history } = parts;
  let last = await storedState(history);
  const intake = createIntake(last, parts);
  /** A batch that may have been written, although the store did not say so. */
  let doubtful: { readonly id: number; readonly batch: Batch } | null = null;
  let unwritten = emptyBatch;

  /** Somebody may have been forgotten since the last write, by any process. */
  async function settle(): Promise<void> {
    const stored = await storedState(history);
    if (last !== null && stored?.written === last.written)
      intake.drop(namesIn(last).difference(namesIn(stored)));
    if (doubtful !== null && stored?.written !== doubtful.id)
      unwritten = joinedBatch(unwritten, doubtful.batch);
    doubtful = null;
  }

  return {
    read: intake.read,
    hasTurned: intake.hasTurned,
    keepMembers: intake.keepMembers,
    /**
     * Writes what has come together, with what is `other`. `isLast`: with the minute under way. After a failure the next
     * write makes up for it.
     */
    async write(other: (() => Steps<void>) | null, isLast: boolean): Promise<void> {
      await settle();
      const output = intake.take(isLast);
      if (output === null) {
        if (other !== null) await history.write(other);
        return;
      }
      const { state, batch } = output;
      const fullBatch = joinedBatch(unwritten, batch);
      unwritten = emptyBatch;
      doubtful = { id: state.written, batch: fullBatch };
      await history.write(function* () {
        yield* addBatch(fullBatch, history);
        if (other !== null) yield* other();
        yield* saveState(state);
      });
      last = state;
      doubtful = null;
    },
  };
}

/** The names, without their case, of the drivers whose sessions are under way. */
function namesIn({ servers }: RecorderState): ReadonlySet<string> {
  return new Set([...servers.values()].flatMap(({ stays }) => [...stays.keys()]));
}
