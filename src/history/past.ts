/** A whole past as chunks, as the recorder would have written it minute by minute. */
import { MINUTE } from '../base/duration.ts';
import type { Offer, ProfileReading, Session, Stretch } from '../service/models/history.ts';
import { sameSpelling } from '../service/models/identifiers.ts';
import { LiveServer } from '../service/models/live-status.ts';
import type { ChunkChange } from '../store/history-chunks.ts';
import { addedTo, nothing } from './added-to.ts';
import { mergeWithStored } from './batch.ts';
import { type MinuteCount, stepRow } from './counts.ts';
import { blockStart, kinds, type Step, steps } from './kinds.ts';
import { offerChunks } from './offers.ts';
import { hourChanges, writeReadings } from './readings.ts';
import { stateSeries, writeState } from './recorder-state.ts';
import type { NamedRun } from './run-log.ts';
import type { ServerStays } from './stays.ts';

export interface PastSession {
  readonly driver: string;
  readonly session: Session;
}

interface Past {
  /** In order of beginning, all over before `until`. */
  readonly sessions: readonly PastSession[];
  /** Sessions that go on, up to that moment: the recorder continues them. */
  readonly underWay: readonly PastSession[];
  readonly readings: readonly { readonly driver: string; readonly readings: readonly ProfileReading[] }[];
  /** Prices that were seen. */
  readonly offers: readonly Offer[];
  /** Periods in which each server was up or down. */
  readonly runs: readonly NamedRun[];
  /** When nothing was recorded, in order and apart. */
  readonly holes: readonly Stretch[];
  readonly since: number;
  readonly until: number;
}

export async function pastChunks(past: Past): Promise<readonly ChunkChange[]> {
  const { sessions, underWay, runs, readings, offers, until } = past;
  const played = [...sessions, ...underWay].map(({ driver, session }) => ({
    ...{ driver, at: session.from, ms: session.played },
  }));
  const of = readings.flatMap(({ driver, readings: driverReadings }) =>
    driverReadings.map((reading) => ({ driver, reading })),
  );
  const chunks = [
    ...[...LiveServer.options, 'all' as const].flatMap((place) =>
      steps.flatMap((step) => countChunks(place, step, past)),
    ),
    ...(underWay.length === 0 ? [] : [stateChunk(past)]),
    ...(await mergeWithStored({ runs, minutes: [], sessions, played }, nothing)),
    ...(await offerChunks(offers)),
    ...(await hourChanges(of, nothing)),
    ...(await Promise.all(readings.map(readingChunks))).flat(),
  ];
  const begins = new Map<string, number>(
    Object.entries(kinds).map(([kind, { keep, block }]) => [kind, until - keep - block]),
  );
  return chunks.filter(({ kind, start }) => start > (begins.get(kind) ?? 0));
}

function countChunks(place: LiveServer | 'all', { kind, step }: Step, past: Past): readonly ChunkChange[] {
  const from = Math.max(past.since, past.until - kinds[kind].keep);
  const first = Math.ceil(from / step);
  // The last step as far as its minutes go: the recorder adds those to come.
  const end = Math.floor(past.until / MINUTE) * MINUTE;
  const grid = { first, count: Math.ceil(end / step) - first, step, end };
  const points = pointsOf(
    [...past.sessions, ...past.underWay].flatMap(({ session }) =>
      (place === 'all' || session.server === place) && session.to > from ? [session] : [],
    ),
    grid,
  ).filter(({ at }) => !past.holes.some((hole) => at >= hole.from && at < hole.to));
  return [...Map.groupBy(points, ({ at }) => blockStart(kind, at))].map(([start, inside]) => ({
    kind,
    key: place,
    start,
    text: JSON.stringify(
      inside.map((point) => stepRow((point.at - start) / step, lengthOf(point.at, grid) / MINUTE, point)),
    ),
  }));
}

interface Grid {
  /** The number of the first step since 1970. */
  readonly first: number;
  readonly count: number;
  readonly step: number;
  /** End of the last step, at a whole minute. */
  readonly end: number;
}

const lengthOf = (at: number, { step, end }: Pick<Grid, 'step' | 'end'>): number => Math.min(step, end - at);

/** Counts the drivers of each step from the sessions that overlap it. */
function pointsOf(sessions: readonly Session[], grid: Grid): readonly MinuteCount[] {
  const { first, count, step } = grid;
  const driverCounts = new Float64Array(count);
  const peaks = mostAtOnce(sessions, grid);
  const policeCounts = new Float64Array(count);
  for (const { from, to, duty } of sessions) {
    const isPolice = (duty?.police ?? 0) > 0;
    const last = Math.min(count - 1, Math.floor(to / step) - first);
    for (let index = Math.max(0, Math.floor(from / step) - first); index <= last; index += 1) {
      const start = (first + index) * step;
      const length = lengthOf(start, grid);
      const share = Math.max(0, Math.min(to, start + length) - Math.max(from, start)) / length;
      driverCounts[index] = (driverCounts[index] ?? 0) + share;
      if (isPolice) policeCounts[index] = (policeCounts[index] ?? 0) + share;
    }
  }
  return Array.from(driverCounts, (drivers, index) => ({
    at: (first + index) * step,
    drivers,
    most: peaks[index] ?? 0,
    police: policeCounts[index] ?? 0,
  }));
}

/** The highest number of sessions at one time in each step. */
function mostAtOnce(sessions: readonly Session[], { first, count, step }: Grid): Uint16Array {
  const changes = sessions
    .flatMap(({ from, to }) => [
      { at: from, by: 1 },
      { at: to, by: -1 },
    ])
    .sort((a, b) => a.at - b.at || a.by - b.by);
  const peaks = new Uint16Array(count);
  let next = 0;
  let current = 0;
  for (let index = 0; index < count; index += 1) {
    const end = (first + index + 1) * step;
    peaks[index] = current;
    for (let change = changes[next]; change !== undefined && change.at < end; change = changes[next]) {
      current += change.by;
      if (change.at < end - step) peaks[index] = current;
      else peaks[index] = Math.max(peaks[index] ?? 0, current);
      next += 1;
    }
  }
  return peaks;
}

/** State of the recorder at its last reading: a start within a minute leaves no gap. */
function stateChunk({ underWay, until }: Past): ChunkChange {
  const stays = Map.groupBy(underWay, ({ session }) => session.server);
  const servers = LiveServer.options.map((server): [LiveServer, ServerStays] => {
    const serverStays = (stays.get(server) ?? []).map(
      ({ driver, session: { from, played, duty, startKnown } }) => {
        const stay = { driver, from, seen: until, played, duty, startKnown, holed: false };
        return [sameSpelling(driver), stay] as const;
      },
    );
    return [server, { at: until, stays: new Map(serverStays) }];
  });
  const text = writeState({ written: until, names: true, servers: new Map(servers), open: new Map() });
  return { ...stateSeries, start: blockStart('recorder', until), text };
}

/** Returns readings as they are kept of drivers whom nobody has linked. */
async function readingChunks({
  driver,
  readings,
}: Past['readings'][number]): Promise<readonly ChunkChange[]> {
  const key = sameSpelling(driver);
  const [first, last] = [readings[0], readings.at(-1)];
  if (first === undefined || last === undefined) return [];
  return [
    ...(await addedTo(
      { kind: 'readings-other', key },
      readings,
      ({ at }) => at,
      (_chunk, inside) => writeReadings(driver, inside),
      nothing,
    )),
    {
      kind: 'reading-ends',
      key,
      start: blockStart('reading-ends', first.at),
      text: writeReadings(driver, [first, last]),
    },
  ];
}
