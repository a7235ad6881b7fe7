/** What happened since the last write, and the chunks that it changes. */

import { SECOND } from '../base/duration.ts';
import type { CountedPlace, Session } from '../service/models/history.ts';
import { sameSpelling } from '../service/models/identifiers.ts';
import type { Chunk, ChunkChange, HistoryChunks, Series } from '../store/history-chunks.ts';
import { createByDriver } from './by-driver.ts';
import { addMinutes, hasStep, type MinuteCount } from './counts.ts';
import { type DriverRow, driverRows } from './driver-rows.ts';
import { blockStart, type KindName, playedKinds, type Step, steps } from './kinds.ts';
import type { NamedRun } from './run-log.ts';
import { addRuns, partsOf } from './runs.ts';
import { addSessions } from './sessions.ts';

export interface Batch {
  readonly runs: readonly NamedRun[];
  readonly minutes: readonly { readonly place: CountedPlace; readonly minute: MinuteCount }[];
  readonly sessions: readonly { readonly driver: string; readonly session: Session }[];
  readonly played: readonly { readonly driver: string; readonly at: number; readonly ms: number }[];
}

export const emptyBatch: Batch = { runs: [], minutes: [], sessions: [], played: [] };

export function joinedBatch(first: Batch, second: Batch): Batch {
  return {
    runs: [...first.runs, ...second.runs],
    minutes: [...first.minutes, ...second.minutes],
    sessions: [...first.sessions, ...second.sessions],
    played: [...first.played, ...second.played],
  };
}

/** Minutes that are stored already, from before a restart or a step of the clock, stay as they are. */
export async function changesOf(batch: Batch, chunks: HistoryChunks): Promise<readonly ChunkChange[]> {
  const changes = [
    await runChanges(batch, chunks),
    ...(await Promise.all(placesOf(batch).map((place) => countChanges(place, batch, chunks)))),
    ...(await Promise.all(
      [...byDriver(batch)].map(([key, sessions]) => sessionChanges(key, sessions, chunks)),
    )),
    ...(await Promise.all(playedKinds.map((kind) => playedChanges(kind, batch, chunks)))),
  ];
  return changes.flat();
}

async function runChanges({ runs }: Batch, chunks: HistoryChunks): Promise<readonly ChunkChange[]> {
  const parts = runs.flatMap((run) => partsOf(run).map(([start, part]) => ({ name: run.name, start, part })));
  const byChunk = Map.groupBy(parts, ({ name, start }) => `${start} ${name}`);
  return Promise.all(
    [...byChunk.values()].flatMap((same) => {
      const [first] = same;
      if (first === undefined) return [];
      const series = { kind: 'uptime', key: first.name } as const;
      return chunkAt(series, first.start, chunks).then((known): ChunkChange => {
        const { start } = first;
        return {
          ...series,
          start,
          text: addRuns(
            known?.text,
            start,
            same.map(({ part }) => part),
          ),
        };
      });
    }),
  );
}

function placesOf({ minutes }: Batch): readonly CountedPlace[] {
  return [...new Set(minutes.map(({ place }) => place))];
}

async function countChanges(
  place: CountedPlace,
  batch: Batch,
  chunks: HistoryChunks,
): Promise<readonly ChunkChange[]> {
  const given = batch.minutes.filter((each) => each.place === place).map(({ minute }) => minute);
  const [finest] = steps;
  const fresh: MinuteCount[] = [];
  for (const minute of given) {
    const known = await chunkAt({ kind: finest.kind, key: place }, minute.at, chunks);
    if (!hasStep(known?.text, finest, minute.at) && !fresh.some(({ at }) => at === minute.at))
      fresh.push(minute);
  }
  const added = async (step: Step, start: number, minutes: readonly MinuteCount[]): Promise<ChunkChange> => {
    const series = { kind: step.kind, key: place };
    const known = await chunkAt(series, start, chunks);
    return { ...series, start, text: addMinutes(known?.text, step, minutes) };
  };
  return Promise.all(
    steps.flatMap((step) =>
      [...Map.groupBy(fresh, ({ at }) => blockStart(step.kind, at))].map(([start, minutes]) =>
        added(step, start, minutes),
      ),
    ),
  );
}

function byDriver({ sessions }: Batch): ReadonlyMap<string, Batch['sessions']> {
  return Map.groupBy(sessions, ({ driver }) => sameSpelling(driver));
}

function sessionChanges(
  key: string,
  given: Batch['sessions'],
  chunks: HistoryChunks,
): Promise<readonly ChunkChange[]> {
  const series = { kind: 'sessions', key } as const;
  const byStart = Map.groupBy(given, ({ session }) => blockStart('sessions', session.from));
  return Promise.all(
    [...byStart].map(async ([start, added]): Promise<ChunkChange> => {
      const known = await chunkAt(series, start, chunks);
      const driver = added.at(-1)?.driver ?? key;
      const sessions = added.map(({ session }) => session);
      return { ...series, start, text: addSessions(known?.text, start, driver, sessions) };
    }),
  );
}

function playedChanges(
  kind: (typeof playedKinds)[number],
  { played }: Batch,
  chunks: HistoryChunks,
): Promise<readonly ChunkChange[]> {
  const series = { kind, key: '' };
  return Promise.all(
    [...Map.groupBy(played, ({ at }) => blockStart(kind, at))].map(async ([start, added]) => {
      const known = driverRows((await chunkAt(series, start, chunks))?.text);
      const rows = added.map(({ driver, ms }) => [driver, ms / SECOND] as const);
      return { ...series, start, text: playedText([...known, ...rows]) };
    }),
  );
}

/** Seconds that drivers were on the servers, added up. */
export function playedText(rows: readonly DriverRow[]): string {
  const totals = createByDriver(() => 0);
  for (const [driver, seconds] of rows) totals.of(driver).value += seconds ?? 0;
  return JSON.stringify(totals.all().map(({ driver, value }) => [driver, Math.round(value)]));
}

/** The series' chunk that covers the moment. */
async function chunkAt(
  series: Series & { readonly kind: KindName },
  at: number,
  chunks: HistoryChunks,
): Promise<Chunk | undefined> {
  const start = blockStart(series.kind, at);
  return (await chunks.read(series, start, start))[0];
}
