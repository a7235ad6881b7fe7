/** Figures of profiles, taken from look-ups that happen anyway: at most once a day a driver. */
import type { Clock } from '../base/clock.ts';
import { DAY, SECOND } from '../base/duration.ts';
import type { Figure, Figures, ProfileReading } from '../service/models/history.ts';
import { sameSpelling } from '../service/models/identifiers.ts';
import type { Profile } from '../service/models/profile.ts';
import type { Chunk, ChunkChange, HistoryChunks } from '../store/history-chunks.ts';
import { addedTo } from './added-to.ts';
import { type DriverRow, driverRows, OwnRows } from './driver-rows.ts';
import { blockStart, kinds } from './kinds.ts';

/**
 * In the order in which they are stored; new ones go to the end. A row: seconds since 1970, then the figures; null for one
 * that the profile lacked.
 */
const figures: readonly Figure[] = [
  'money',
  'driven_distance',
  'chases_won_cop',
  'chases_won_robber',
  'gaming_time_total',
  'gaming_time_cop',
];

export function readFigures({ money, stats }: Pick<Profile, 'money' | 'stats'>): Figures {
  return { ...stats?.known, ...(money === null ? {} : { money }) };
}

/** Oldest first. An unreadable chunk counts as empty. */
export function readReadings({ text }: Pick<Chunk, 'text'>): readonly ProfileReading[] {
  const rows = OwnRows.safeParse(text).data?.rows ?? [];
  return rows.map(([at, ...values]) => ({
    at: (at ?? 0) * SECOND,
    figures: Object.fromEntries(
      figures.flatMap((name, index) => {
        const value = values[index] ?? null;
        return value === null ? [] : [[name, value]];
      }),
    ),
  }));
}

export function writeReadings(driver: string, readings: readonly ProfileReading[]): string {
  return JSON.stringify({ driver, rows: readings.map(rowOf) });
}

function rowOf({ at, figures: known }: ProfileReading): readonly (number | null)[] {
  return [Math.floor(at / SECOND), ...figures.map((name) => known[name] ?? null)];
}

/** The readings in a chunk of one driver, as they stand among those of all. */
export function figureRows({ text }: Pick<Chunk, 'text'>): readonly DriverRow[] {
  const parsed = OwnRows.safeParse(text).data;
  return parsed === undefined ? [] : parsed.rows.map((row) => [parsed.driver, ...row]);
}

/** When it was read, in ms. */
export const readAt = ([, at]: DriverRow): number => (at ?? 0) * SECOND;

/** Null where the profile lacked it. */
export function figureIn(row: DriverRow, figure: Figure): number | null {
  const value = row[figures.indexOf(figure) + 2];
  return typeof value === 'number' ? value : null;
}

/** More than are looked up within a minute. */
const MAX_NOTED = 1000;

export function createReadings(parts: {
  readonly chunks: HistoryChunks;
  readonly clock: Clock;
  readonly isLinked: (username: string) => boolean;
  readonly isHidden: (username: string) => boolean;
}) {
  const { chunks, clock, isLinked, isHidden } = parts;
  const noted = new Map<string, { readonly driver: string; readonly reading: ProfileReading }>();
  /** For the last write, which may have failed. */
  let handedOut = [...noted];
  /** Drivers who have a reading of this UTC day. */
  let readToday: { readonly day: number; readonly drivers: Set<string> } = { day: 0, drivers: new Set() };

  return {
    /** A profile was read, which was true at that time. Memory only. */
    note(driver: string, at: number, figures: () => Figures): void {
      const day = blockStart('played-day', clock.now());
      if (readToday.day !== day) readToday = { day, drivers: new Set() };
      const key = sameSpelling(driver);
      if (blockStart('played-day', at) !== day || readToday.drivers.has(key) || isHidden(driver)) return;
      const reading = { at, figures: figures() };
      if (Object.keys(reading.figures).length === 0 || noted.size >= MAX_NOTED) return;
      readToday.drivers.add(key);
      noted.set(key, { driver, reading });
    },
    /** The driver was deleted: nothing from before is written any more. */
    forget: (username: string): void => void noted.delete(sameSpelling(username)),
    /** The changes for what was noted and is not yet written. */
    async changes(): Promise<readonly ChunkChange[]> {
      handedOut = [...noted];
      const visibleReadings = handedOut.filter(([, { driver }]) => !isHidden(driver));
      const changes = await Promise.all(
        visibleReadings.map(([key, { driver, reading }]) =>
          changesOf(
            { key, kind: isLinked(driver) ? 'readings-linked' : 'readings-other' },
            driver,
            reading,
            chunks,
          ),
        ),
      );
      const fresh = visibleReadings.filter((_taken, index) => changes[index]?.length !== 0);
      return [
        ...changes.flat(),
        ...(await hourChanges(
          fresh.map(([, one]) => one),
          chunks,
        )),
      ];
    },
    /** To be called when the store has what was given out last. */
    written(): void {
      for (const [key, entry] of handedOut) if (noted.get(key) === entry) noted.delete(key);
    },
    /** Without drivers who are not linked any more, beyond what is kept of such. */
    async expired(now: number): Promise<readonly ChunkChange[]> {
      const oldestKept = now - kinds['readings-other'].keep - kinds['readings-linked'].block;
      const oldChunks = await chunks.readKind('readings-linked', 0, oldestKept);
      return oldChunks.filter(({ key }) => !isLinked(key)).map((chunk) => ({ ...chunk, text: null }));
    },
  };
}

async function changesOf(
  { kind, key }: { readonly kind: 'readings-linked' | 'readings-other'; readonly key: string },
  driver: string,
  reading: ProfileReading,
  chunks: HistoryChunks,
): Promise<readonly ChunkChange[]> {
  const start = blockStart(kind, reading.at);
  const [existingChunk] = await chunks.read({ kind, key }, start, start);
  const earlierReadings = existingChunk === undefined ? [] : readReadings(existingChunk);
  // After a restart, or by another process.
  if (earlierReadings.some(({ at }) => Math.floor(at / DAY) === Math.floor(reading.at / DAY))) return [];
  const ends = await chunks.first({ kind: 'reading-ends', key });
  const first = (ends === null ? [] : readReadings(ends))[0] ?? earlierReadings[0] ?? reading;
  return [
    { kind, key, start, text: writeReadings(driver, [...earlierReadings, reading]) },
    {
      kind: 'reading-ends',
      key,
      start: ends?.start ?? blockStart('reading-ends', first.at),
      text: writeReadings(driver, [first, reading]),
    },
  ];
}

/** Readings of all drivers are kept by the hour. */
export function hourChanges(
  readings: readonly { readonly driver: string; readonly reading: ProfileReading }[],
  chunks: Pick<HistoryChunks, 'read'>,
): Promise<readonly ChunkChange[]> {
  return addedTo(
    { kind: 'figures', key: '' },
    readings,
    ({ reading }) => reading.at,
    ({ text }, added) => {
      const rows = added.map(({ driver, reading }): DriverRow => [driver, ...rowOf(reading)]);
      return JSON.stringify([...driverRows(text), ...rows]);
    },
    chunks,
  );
}
