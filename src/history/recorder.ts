/** Writes down what the live files say. Of several processes, the holder of the first shard does. */

import type { Clock } from '../base/clock.ts';
import { HOUR, MINUTE, SECOND } from '../base/duration.ts';
import { repeatEvery } from '../base/repeat-every.ts';
import type { Runtime } from '../base/runtime.ts';
import type { Facts } from '../service/models/facts.ts';
import type { DataService } from '../service/open-data-service.ts';
import type { ChunkChange, HistoryChunks } from '../store/history-chunks.ts';
import { type Batch, emptyBatch, joinedBatch, mergeWithStored } from './batch.ts';
import { createIntake, READ_INTERVAL_MS } from './intake.ts';
import { blockStart, kinds } from './kinds.ts';
import type { openHistory } from './open-history.ts';
import type { createReadings } from './readings.ts';
import { type RecorderState, stateSeries, storedState, writeState } from './recorder-state.ts';

interface RecorderParts {
  readonly chunks: HistoryChunks;
  /** This process records. It still does during the stop. */
  readonly holds: () => boolean;
  readonly clock: Clock;
  readonly isHidden: (username: string) => boolean;
  readonly lookUps: Pick<ReturnType<typeof createReadings>, 'changes' | 'written' | 'expired'>;
  /** Called once for failures in a row: a full disk lasts for hours. */
  readonly failed: (error: unknown) => void;
}

/** How soon a process that holds the first shard from now on begins. */
const LOOK_INTERVAL_MS = 5 * SECOND;
/** How long the end waits for a run under way, in ms: two writes at a time would be one too many. */
const STOP_TIMEOUT_MS = 3 * SECOND;
const TIDY_INTERVAL_MS = HOUR;
/** A year of a large community takes a quarter of it, one of a million sessions most of it. */
const MAX_BYTES = 64 * 1024 * 1024;

export function createRecorder(parts: RecorderParts) {
  const { chunks, holds, clock, lookUps, failed } = parts;
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
    await tidy(parts);
  }

  /** Profiles are read by every process. */
  async function write(isLast: boolean): Promise<void> {
    const noted = await lookUps.changes();
    if (holds() && recording !== null) await recording.write(noted, isLast);
    else if (noted.length > 0) await chunks.write(noted);
    lookUps.written();
  }

  const runs = repeatEvery(
    clock,
    LOOK_INTERVAL_MS,
    () =>
      work().finally(() => {
        // The process that has it meanwhile continues from the last write, and so does this one if it gets it again.
        if (!holds()) recording = null;
      }),
    failed,
  );

  return {
    async start(): Promise<void> {
      await runs.now();
    },
    /** Takes what is new in the facts. To be called whenever they may have changed. */
    read(facts: Facts): void {
      if (holds()) recording?.read(facts);
    },
    /** Writes what is not written yet, before another process continues, and ends. */
    async stop(): Promise<void> {
      await runs.stop(STOP_TIMEOUT_MS);
      try {
        await write(true);
      } catch (error) {
        failed(error);
      }
    },
  };
}

/** Deletes what is older than promised, and what exceeds the size limit. */
async function tidy({ chunks, clock, lookUps }: RecorderParts): Promise<void> {
  const now = clock.now();
  for (const [kind, { block, keep }] of Object.entries(kinds)) await chunks.prune(kind, now - keep - block);
  await chunks.write(await lookUps.expired(now));
  await chunks.evict(MAX_BYTES);
}

interface Sources extends Pick<RecorderParts, 'chunks' | 'isHidden' | 'holds'> {
  readonly lookUps: ReturnType<typeof openHistory>['lookUps'];
  readonly dataService: Pick<DataService, 'poll' | 'observations'>;
}

/** Reads the live files for history until the end, every 10 seconds where no board needs them sooner. */
export function startRecorder(
  { dataService: { poll, observations }, ...parts }: Sources,
  { clock, log, resources }: Runtime,
): void {
  const failed = (error: unknown): void => log.error({ err: error }, 'history not written');
  const recorder = createRecorder({ ...parts, clock, failed });
  resources.defer(() => recorder.stop());
  resources.defer(observations.listen(parts.lookUps.observed, failed));
  void recorder.start();
  resources.defer(poll.watch(['live'], () => recorder.read(poll.facts), READ_INTERVAL_MS));
}

/** Goes on from where the last write of any process ended. */
async function createRecording(parts: Pick<RecorderParts, 'chunks' | 'clock' | 'isHidden'>) {
  const { chunks, clock } = parts;
  let last = await storedState(chunks);
  const intake = createIntake(last?.state ?? null, parts);
  /** A batch that may have been written, although the store did not say so. */
  let doubtful: { readonly id: number; readonly batch: Batch } | null = null;
  let unwritten = emptyBatch;

  /** Somebody may have been forgotten since the last write, by any process. */
  async function settle(): Promise<void> {
    const lastStored = await storedState(chunks);
    const lastState = last?.state ?? null;
    if (lastState !== null && lastStored?.state?.written === lastState.written)
      intake.drop(namesIn(lastState).difference(namesIn(lastStored.state)));
    if (doubtful !== null && lastStored?.state?.written !== doubtful.id)
      unwritten = joinedBatch(unwritten, doubtful.batch);
    doubtful = null;
  }

  return {
    read: intake.read,
    hasTurned: intake.hasTurned,
    keepMembers: intake.keepMembers,
    /**
     * Writes what has come together, with other changes. `isLast`: with the minute under way. After a failure the next
     * write makes up for it.
     */
    async write(otherChanges: readonly ChunkChange[], isLast: boolean): Promise<void> {
      await settle();
      const output = intake.take(isLast);
      if (output === null && otherChanges.length === 0) return;
      if (output === null) return void (await chunks.write(otherChanges));
      const { state, batch } = output;
      const fullBatch = joinedBatch(unwritten, batch);
      unwritten = emptyBatch;
      doubtful = { id: state.written, batch: fullBatch };
      const start = blockStart('recorder', clock.now());
      const earlier: ChunkChange[] =
        last === null || last.start === start ? [] : [{ ...stateSeries, start: last.start, text: null }];
      const now: ChunkChange = { ...stateSeries, start, text: writeState(state) };
      await chunks.write([...(await mergeWithStored(fullBatch, chunks)), ...otherChanges, ...earlier, now]);
      last = { start, state };
      doubtful = null;
    },
  };
}

/** The names, without their case, of the drivers whose sessions are under way. */
function namesIn({ servers }: RecorderState): ReadonlySet<string> {
  return new Set([...servers.values()].flatMap(({ stays }) => [...stays.keys()]));
}
