/** Numbers of many drivers within one chunk's time, as text, and back. */
import { z } from 'zod';
import { jsonText } from '../base/json.ts';
import { sameSpelling } from '../service/models/identifiers.ts';
import { MAX_NUMBER } from '../service/models/leaves.ts';

/** Null for a number that is not known. */
export type DriverRow = readonly [driver: string, ...numbers: (number | null)[]];

// Checked by hand: a ranking reads tens of thousands, for which zod takes longer than a question may.
const Rows = jsonText(z.custom<readonly DriverRow[]>((rows) => areRows(rows, 'string')));
/** Rows of a single driver, whose name is as last spelled. */
export const OwnRows = jsonText(
  z.object({
    driver: z.string(),
    rows: z.custom<readonly (readonly (number | null)[])[]>((rows) => areRows(rows, 'number')),
  }),
);

function areRows(rows: unknown, first: 'string' | 'number'): boolean {
  return Array.isArray(rows) && rows.every((row: unknown) => isRow(row, first));
}

function isRow(row: unknown, first: 'string' | 'number'): boolean {
  if (!Array.isArray(row) || typeof row[0] !== first) return false;
  for (let at = 1; at < row.length; at += 1) if (row[at] !== null && !isFigure(row[at])) return false;
  return true;
}

/** Of larger numbers, a difference or a sum can be infinite. */
function isFigure(value: unknown): boolean {
  return typeof value === 'number' && Math.abs(value) <= MAX_NUMBER;
}

/** An unreadable chunk counts as empty. */
export function driverRows(text: string | undefined): readonly DriverRow[] {
  return Rows.safeParse(text).data ?? [];
}

/** The text without the rows of a driver (a name without its case); null where there are none. */
export function withoutDriver(text: string, key: string): string | null {
  const all = driverRows(text);
  const remaining = all.filter(([driver]) => sameSpelling(driver) !== key);
  return remaining.length === all.length ? null : JSON.stringify(remaining);
}

/** One value for each driver, whatever the case of the name. */
export function createByDriver<Value>(begin: () => Value) {
  const drivers = new Map<string, { driver: string; value: Value }>();
  /** Comparing names takes longer than anything else that is done with them. */
  const spellings = new Map<string, { driver: string; value: Value }>();

  function spelled(driver: string): { driver: string; value: Value } {
    const key = sameSpelling(driver);
    const total = drivers.get(key) ?? { driver, value: begin() };
    drivers.set(key, total);
    spellings.set(driver, total);
    return total;
  }

  return {
    /** Returns the kept value of a driver; the newest spelling of the name counts. */
    of(driver: string): { value: Value } {
      const one = spellings.get(driver) ?? spelled(driver);
      one.driver = driver;
      return one;
    },
    /** In order of first mention. */
    all: () => [...drivers.values()],
  };
}
