/** Counts of one place in steps of time: how they are written, averaged and read. */
import { z } from 'zod';
import { MINUTE } from '../base/duration.ts';
import { jsonText } from '../base/json.ts';
import type { CountPoint } from '../service/models/history.ts';
import { blockStart, type Step } from './kinds.ts';

/** The averages of one minute. */
export type MinuteCount = Omit<CountPoint, 'known'>;

/**
 * One step: its number within the chunk, the minutes known of it, the sum of their drivers, the most at one time, and the sum
 * of police where all its minutes have it. Versions before 2.0.0 wrote further sums behind it.
 */
type Row = readonly number[];
// Checked by hand: a year has 280 000 numbers, for which zod takes longer than a question may.
const Rows = jsonText(z.custom<readonly Row[]>(isRows));

function isRows(value: unknown): boolean {
  const isRow = (row: unknown): boolean =>
    Array.isArray(row) && row.length >= 4 && row.every((cell) => typeof cell === 'number');
  return Array.isArray(value) && value.every(isRow);
}

/** Rounded sums stay short as text. */
const tidy = (value: number): number => Math.round(value * 100) / 100;

/** An unreadable chunk counts as empty. */
function rowsIn(text: string | undefined): readonly Row[] {
  return Rows.safeParse(text).data ?? [];
}

/** The chunk knows something of the step at that time. */
export function hasStep(text: string | undefined, { kind, step }: Step, at: number): boolean {
  const index = Math.floor((at - blockStart(kind, at)) / step);
  return rowsIn(text).some(([each]) => each === index);
}

/** The chunk's text with minutes added, each of which it must not have yet and which must be within its time. */
export function addMinutes(
  text: string | undefined,
  { kind, step }: Step,
  minutes: readonly MinuteCount[],
): string {
  const rows = new Map(rowsIn(text).map((row) => [row[0], row]));
  for (const minute of minutes) {
    const index = Math.floor((minute.at - blockStart(kind, minute.at)) / step);
    rows.set(index, addMinute(rows.get(index), index, minute));
  }
  return JSON.stringify([...rows.values()].toSorted((a, b) => (a[0] ?? 0) - (b[0] ?? 0)));
}

function addMinute(row: Row | undefined, index: number, { drivers, most, police }: MinuteCount): Row {
  const [, minutes = 0, sum = 0, peak = 0, policeSum] = row ?? [];
  const hasPolice = police !== null && (row === undefined || policeSum !== undefined);
  return [
    index,
    minutes + 1,
    tidy(sum + drivers),
    Math.max(peak, most),
    ...(hasPolice ? [tidy(police + (policeSum ?? 0))] : []),
  ];
}

/** A whole step as it is stored, from its averages. */
export function stepRow(index: number, minutes: number, { drivers, most, police }: MinuteCount): Row {
  return [
    index,
    minutes,
    tidy(drivers * minutes),
    most,
    ...(police === null ? [] : [tidy(police * minutes)]),
  ];
}

interface ChunkText {
  readonly start: number;
  readonly text: string;
}

/** When the steps in a chunk begin, in order, and how much is known of each. */
export function knownIn(
  { start, text }: ChunkText,
  step: number,
): readonly Pick<CountPoint, 'at' | 'known'>[] {
  return rowsIn(text).map(([index = 0, minutes = 1]) => ({
    at: start + index * step,
    known: minutes * MINUTE,
  }));
}

/** The steps in a chunk, in order. */
export function pointsIn({ start, text }: ChunkText, step: number): readonly CountPoint[] {
  return rowsIn(text).map(([index = 0, minutes = 1, drivers = 0, most = 0, police]) => ({
    at: start + index * step,
    known: minutes * MINUTE,
    drivers: drivers / minutes,
    most,
    police: police === undefined ? null : police / minutes,
  }));
}

/** Adds up the readings of one place, and gives out each minute once it is over. */
export function createMinuteCounter() {
  let minute: {
    readonly at: number;
    readings: number;
    drivers: number;
    police: number | null;
    most: number;
  } | null = null;

  function finished(): readonly MinuteCount[] {
    if (minute === null) return [];
    const { at, readings, drivers, police, most } = minute;
    minute = null;
    return [{ at, drivers: tidy(drivers / readings), most, police: police && tidy(police / readings) }];
  }

  return {
    /** The minute under way, as far as it is known. */
    finished,
    /** Minutes that ended before `now`. */
    endedBy: (now: number): readonly MinuteCount[] =>
      minute !== null && Math.floor(now / MINUTE) * MINUTE !== minute.at ? finished() : [],
    /** To be called after {@link endedBy} for the same time. */
    add(now: number, drivers: number, police: CountPoint['police']): void {
      minute ??= { at: Math.floor(now / MINUTE) * MINUTE, readings: 0, drivers: 0, police: 0, most: 0 };
      minute.readings += 1;
      minute.drivers += drivers;
      minute.most = Math.max(minute.most, drivers);
      minute.police = police === null || minute.police === null ? null : minute.police + police;
    },
  };
}
