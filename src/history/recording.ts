/** Readings, written batch by batch in one transaction each. */
import type { ChunkChange, HistoryChunks } from '../store/history-chunks.ts';
import { type Batch, changesOf, emptyBatch, joinedBatch } from './batch.ts';
import { createIntake, type Intake, type IntakeParts } from './intake.ts';
import { blockStart } from './kinds.ts';
import { type RecorderState, readState, stateSeries, writeState } from './recorder-state.ts';

export interface Recording extends Pick<Intake, 'read' | 'keepMembers' | 'hasTurned'> {
  /**
   * Writes what has come together, with other changes. `isLast`: with the minute under way. After a failure the next
   * write makes up for it.
   */
  write(others: readonly ChunkChange[], isLast: boolean): Promise<void>;
}

interface RecordingParts extends IntakeParts {
  readonly chunks: HistoryChunks;
}

/** Goes on from where the last write of any process ended. */
export async function createRecording(parts: RecordingParts): Promise<Recording> {
  const { chunks, clock } = parts;
  let last = await storedState(chunks);
  const intake = createIntake(last?.state ?? null, parts);
  /** A batch that may have been written, although the store did not say so. */
  let doubtful: { readonly id: number; readonly batch: Batch } | null = null;
  let unwritten = emptyBatch;

  /** Somebody may have been forgotten since the last write, by any process. */
  async function settle(): Promise<void> {
    const stored = await storedState(chunks);
    const before = last?.state ?? null;
    if (before !== null && stored?.state?.written === before.written)
      intake.drop(namesIn(before).difference(namesIn(stored.state)));
    if (doubtful !== null && stored?.state?.written !== doubtful.id)
      unwritten = joinedBatch(unwritten, doubtful.batch);
    doubtful = null;
  }

  return {
    read: intake.read,
    hasTurned: intake.hasTurned,
    keepMembers: intake.keepMembers,
    async write(others, isLast) {
      await settle();
      const taken = intake.take(isLast);
      if (taken === null && others.length === 0) return;
      if (taken === null) return chunks.write(others);
      const { state, batch } = taken;
      const whole = joinedBatch(unwritten, batch);
      unwritten = emptyBatch;
      doubtful = { id: state.written, batch: whole };
      const start = blockStart('recorder', clock.now());
      const earlier: ChunkChange[] =
        last === null || last.start === start ? [] : [{ ...stateSeries, start: last.start, text: null }];
      const now: ChunkChange = { ...stateSeries, start, text: writeState(state) };
      await chunks.write([...(await changesOf(whole, chunks)), ...others, ...earlier, now]);
      last = { start, state };
      doubtful = null;
    },
  };
}

async function storedState(chunks: HistoryChunks) {
  const newest = (await chunks.read(stateSeries, 0, Number.MAX_SAFE_INTEGER)).at(-1);
  return newest === undefined ? null : { start: newest.start, state: readState(newest.text) };
}

/** The names, without their case, of the drivers whose sessions are under way. */
function namesIn({ servers }: RecorderState): ReadonlySet<string> {
  return new Set([...servers.values()].flatMap(({ stays }) => [...stays.keys()]));
}
