import { z } from 'zod';
import { readIsoTime } from '../../base/calendar.ts';

const anyNumber = z.union([
  z.number(),
  z
    .string()
    .regex(/^\s*[+-]?\d{1,30}(\.\d{1,30})?([eE][+-]?\d{1,3})?\s*$/)
    .transform(Number)
    .pipe(z.number()),
]);

/**
 * A larger number is a mistake, not a figure of the game: its digits are no longer exact, and converting kilometres
 * to metres or adding up a list could reach infinity.
 */
export const MAX_NUMBER = 1e15;

export const number = anyNumber
  .pipe(z.number().min(-MAX_NUMBER).max(MAX_NUMBER))
  // JSON can say -0, which the cache would give back as 0.
  .transform((value) => value + 0)
  .pipe(z.number());

export const count = number.pipe(z.int().nonnegative());

/** A distance or duration; never negative. */
export const measure = number.pipe(z.number().nonnegative());

/** Above the whole by no more than this, a part is the whole, badly rounded. */
const MAX_ROUNDING_FACTOR = 1.000_001;

/** A part of a whole of that size. What is more than the whole cannot be shown as a part of it. */
const partOf = (whole: number) =>
  measure
    .pipe(z.number().max(whole * MAX_ROUNDING_FACTOR))
    .transform((part) => Math.min(part, whole))
    .pipe(z.number());

/** Condition of an upgrade or a property: 0 to 1. */
export const fraction = partOf(1);
/** Condition, wear or damage of a car, which add up to about 100. */
export const percent = partOf(100);

/** PHP writes `1` and an empty text, Python and C# write `True` and `False`. */
export const flag = z.union([
  z.boolean(),
  z.literal([0, 1]).transform((value) => value === 1),
  z
    .string()
    .regex(/^\s*(?:|0|1|true|false)\s*$/i)
    .transform((value) => ['1', 'true'].includes(value.trim().toLowerCase())),
]);

/** Maximum characters. A username has at most 64; anything this long is a mistake or an attack. */
export const MAX_TEXT_LENGTH = 512;

/** A field of the game has a fixed width: its text ends at the first NUL, and what follows is left from an older one. */
export function endAtNul(value: string): string {
  return value.split('\0', 1)[0] ?? '';
}

export const text = z.union([
  z.string().transform(endAtNul).pipe(z.string().max(MAX_TEXT_LENGTH)),
  z.number().transform(String),
]);

/**
 * A login name in a list, without the spaces that fill a field of fixed width: with them it would be another driver, who is
 * not hidden and has a history of their own. Null where nothing is left.
 */
export const loginName = text.transform((name) => name.trim() || null);

/**
 * Reads a number as seconds since 1970 if it has ten digits, and as milliseconds if it has thirteen: from 2001, before the
 * game, to 2286. Another number is no time.
 */
function readTimestamp(value: number): number {
  if (value >= 1e9 && value < 1e10) return Math.round(value * 1000);
  return value >= 1e12 && value < 1e13 ? value : Number.NaN;
}

/** The zero date of a database as PHP counts it, in seconds since 1970. */
const ZERO_DATE = -62_169_984_000;

/**
 * Unix milliseconds. Zero, an empty string and a database's zero date all mean never; so do zero and a programming
 * language's first day where they are written as dates: 1970-01-01, 0001-01-01.
 */
export const moment = z.union([
  z.literal(['', '0000-00-00', '0000-00-00 00:00:00']).transform(() => null),
  anyNumber.pipe(z.literal([0, ZERO_DATE])).transform(() => null),
  z
    .union([anyNumber.transform(readTimestamp).pipe(z.number()), text.transform(readIsoTime)])
    .pipe(z.number())
    .transform((value) => (value <= 0 ? null : value)),
]);
