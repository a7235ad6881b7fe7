/**
 * History as version 2.0 kept it: texts by kind, series and time. They become rows a few at a time while the bot works, the newest
 * first, and are deleted in the same transaction, so that a kill leaves nothing undone or done twice. Coverage comes last of each
 * stretch of time, and so an answer names the days that are still missing.
 */
import { z } from 'zod';
import { DAY, HOUR, MINUTE, SECOND } from '../../base/duration.ts';
import { repeatInSlices } from '../../base/for-each-yielding.ts';
import { jsonText } from '../../base/json.ts';
import { insertRows, type SqlValue, type Steps, sql } from '../../base/sql.ts';
import { sumBy } from '../../base/sum-by.ts';
import { sameSpelling } from '../../service/models/identifiers.ts';
import { LiveServer } from '../../service/models/live-status.ts';
import type { HistoryStore } from '../../store/history-store.ts';
import { extendCoverage } from './coverage.ts';
import { READING_COLUMNS } from './readings.ts';
import { forgottenText } from './recorder-state.ts';

const Chunk = z.object({ kind: z.string(), key: z.string(), start: z.number(), text: z.string() });
type Chunk = z.output<typeof Chunk>;

/** All blocks of time that chunks were cut into end where one of these does, in ms. */
const BLOCK_MS = 30 * DAY;
/** Chunks of one transaction: each has up to some hundred rows. */
const MAX_CHUNKS = 2;
/** In this order within a block: the coverage that hours give is last. */
const KINDS = [
  ...['recorder', 'sessions', 'played-hour', 'played-day', 'played-block', 'figures', 'readings-linked'],
  ...['readings-other', 'reading-ends', 'offers', 'uptime', 'ten', 'minute', 'hour'],
] as const;

const Newest = z.tuple([z.object({ start: z.number().nullable() })]);

/** The start of the newest block that has chunks; null: there are none left. */
async function newestBlock(store: HistoryStore): Promise<number | null> {
  if (store.earlier === null) return null;
  const [{ start }] = Newest.parse(await store.read(sql`SELECT max(start) AS start FROM chunks`));
  return start === null ? null : Math.floor(start / BLOCK_MS) * BLOCK_MS;
}

/**
 * Makes rows of the newest chunks, which the recorder goes on with: to be awaited before it writes. Resolves with the work that is
 * left. A copy of the file is made before the first chunk goes.
 */
export async function convertNewest(
  store: HistoryStore,
  now: number,
  signal: AbortSignal,
): Promise<() => Promise<void>> {
  const block = await newestBlock(store);
  if (block === null) return async () => {};
  await store.earlier?.makeCopy(now);
  await convertBlock(block, store, signal);
  return async () => {
    let next = await newestBlock(store);
    while (next !== null && !signal.aborted) {
      await convertBlock(next, store, signal);
      next = await newestBlock(store);
    }
    // The pages of the chunks are free, and still hold their bytes.
    if (next === null) await store.scrub();
  };
}

async function convertBlock(block: number, store: HistoryStore, signal: AbortSignal): Promise<void> {
  for (const kind of KINDS) await convertKind(kind, block, store, signal);
  if (signal.aborted) return;
  // Of a kind that only another version knew.
  await store.write(function* () {
    yield sql`DELETE FROM chunks WHERE start >= ${block} AND start < ${block + BLOCK_MS}`;
  });
}

async function convertKind(
  kind: string,
  block: number,
  store: HistoryStore,
  signal: AbortSignal,
): Promise<void> {
  await repeatInSlices(async () => {
    if (signal.aborted) return false;
    return store.write(function* (): Steps<boolean> {
      const rows =
        yield sql`DELETE FROM chunks WHERE (kind, key, start) IN (SELECT kind, key, start FROM chunks
        WHERE kind = ${kind} AND start >= ${block} AND start < ${block + BLOCK_MS} ORDER BY key, start LIMIT ${MAX_CHUNKS})
        RETURNING kind, key, start, text`;
      for (const row of rows) yield* convert(Chunk.parse(row), store);
      return rows.length > 0;
    });
  });
}

// An unreadable chunk counts as empty.
function* convert(chunk: Chunk, store: HistoryStore): Steps<void> {
  switch (chunk.kind) {
    case 'recorder':
      yield sql`INSERT INTO recorder (id, text) VALUES (1, ${chunk.text}) ON CONFLICT (id) DO NOTHING`;
      break;
    case 'sessions':
      yield* convertSessions(chunk, store);
      break;
    case 'played-hour':
    case 'played-day':
    case 'played-block':
      yield* convertPlayed(chunk, store);
      break;
    case 'figures':
      for (const [driver, ...row] of DriverRows.safeParse(chunk.text).data ?? [])
        yield* convertReadings(driver, [row], 'readings', store);
      break;
    case 'readings-linked':
    case 'readings-other':
    case 'reading-ends': {
      const own = OwnRows.safeParse(chunk.text).data;
      const table = chunk.kind === 'reading-ends' ? 'reading_ends' : 'readings';
      if (own !== undefined) yield* convertReadings(own.driver, own.rows, table, store);
      break;
    }
    case 'offers':
      yield* convertOffers(chunk, store);
      break;
    case 'uptime':
      yield* convertRuns(chunk, store);
      break;
    case 'minute':
    case 'ten':
    case 'hour':
      yield* convertCounts(chunk, store);
      break;
    default:
  }
}

const Numbers = z.array(z.number().nullable());
const OwnRows = jsonText(z.object({ driver: z.string(), rows: z.array(Numbers) }));
const DriverRows = jsonText(z.array(z.tuple([z.string()], z.number().nullable())));

/**
 * A row, in seconds: from the chunk's start to the beginning, then to the end; the server's place; flags (1: the start is unknown, 2:
 * the end, 4: with roles); not played; police, medic, tow. Zeros at the end are left out.
 */
function* convertSessions({ key, start, text }: Chunk, store: HistoryStore): Steps<void> {
  const own = OwnRows.safeParse(text).data;
  if (own === undefined) return;
  yield* noteNewName(own.driver);
  const rows = own.rows.map((row): readonly SqlValue[] => {
    const number = (place: number): number => Math.max(0, row[place] ?? 0);
    const [began, length, flags] = [start / SECOND + number(0), number(1), number(3)];
    const roles = (flags & 4) === 0 ? [null, null, null] : [number(5), number(6), number(7)];
    return [
      ...[began, key, LiveServer.options[number(2)] ?? 'one', began + length],
      ...[Math.max(0, length - number(4)), ...roles, 1 - (flags & 1), 1 - ((flags & 2) >> 1)],
    ];
  });
  yield* insertRows(
    store,
    rows,
    (values) => sql`INSERT INTO sessions
        (began, driver, server, ended, played, police, medic, tow, start_known, end_known) VALUES ${values}
      ON CONFLICT (began, driver, server) DO NOTHING`,
  );
}

/** A name that is newer stays: the newest chunks come first. */
function* noteNewName(driver: string): Steps<void> {
  yield sql`INSERT INTO drivers (driver, name) VALUES (${sameSpelling(driver)}, ${driver}) ON CONFLICT (driver) DO NOTHING`;
}

const PLAYED_STEPS: Readonly<Record<string, number>> = {
  'played-hour': HOUR,
  'played-day': DAY,
  'played-block': BLOCK_MS,
};

/** Rows: the driver, then the seconds. */
function* convertPlayed({ kind, start, text }: Chunk, store: HistoryStore): Steps<void> {
  const rows = DriverRows.safeParse(text).data ?? [];
  for (const [driver] of rows) yield* noteNewName(driver);
  yield* insertRows(
    store,
    rows.map(([driver, seconds]) => [
      (PLAYED_STEPS[kind] ?? HOUR) / SECOND,
      start / SECOND,
      sameSpelling(driver),
      Math.round((seconds ?? 0) * SECOND),
    ]),
    (values) => sql`INSERT INTO played (step, at, driver, ms) VALUES ${values}
      ON CONFLICT (step, at, driver) DO UPDATE SET ms = played.ms + excluded.ms`,
  );
}

/** Rows: seconds since 1970, then the figures. Of the ends, the first reading and the last. */
function* convertReadings(
  driver: string,
  rows: readonly (readonly (number | null)[])[],
  table: 'readings' | 'reading_ends',
  store: HistoryStore,
): Steps<void> {
  yield* noteNewName(driver);
  const key = sameSpelling(driver);
  const values = rows.map(([at, ...figures], index): readonly SqlValue[] => {
    const place = table === 'readings' ? Math.floor(((at ?? 0) * SECOND) / DAY) : index;
    return [key, place, at ?? 0, ...Array.from({ length: 6 }, (_, figure) => figures[figure] ?? null)];
  });
  yield* insertRows(store, values, (inserted) =>
    table === 'readings'
      ? sql`INSERT INTO readings (driver, day, ${READING_COLUMNS}) VALUES ${inserted} ON CONFLICT (driver, day) DO NOTHING`
      : sql`INSERT INTO reading_ends (driver, is_last, ${READING_COLUMNS}) VALUES ${inserted} ON CONFLICT (driver, is_last) DO NOTHING`,
  );
}

/** A row: VIN, seconds since 1970 when it was for sale and when no more, price. */
const OfferRows = jsonText(
  z.array(z.tuple([z.string(), z.number(), z.number().nullable(), z.number().nullable()])),
);

function* convertOffers({ key, text }: Chunk, store: HistoryStore): Steps<void> {
  yield* insertRows(
    store,
    (OfferRows.safeParse(text).data ?? []).map(([vin, at, gone, price]) => [key, vin, at, gone, price]),
    (rows) =>
      sql`INSERT INTO offers (model, vin, at, gone, price) VALUES ${rows} ON CONFLICT (model, vin) DO NOTHING`,
  );
}

const RunNumbers = jsonText(z.array(z.int()));

/** Two numbers a run, in seconds: from the end of the one before it, or the chunk's start; its length, below zero where down. */
function* convertRuns({ key, start, text }: Chunk, store: HistoryStore): Steps<void> {
  const numbers = RunNumbers.safeParse(text).data ?? [];
  let end = start / SECOND;
  const rows = Array.from({ length: Math.floor(numbers.length / 2) }, (_, index): readonly SqlValue[] => {
    const [gap = 0, length = 0] = numbers.slice(2 * index);
    const began = end + gap;
    end = began + Math.abs(length);
    return [key, began, end, length > 0 ? 1 : 0];
  });
  yield* insertRows(
    store,
    rows,
    (values) =>
      sql`INSERT INTO runs (name, began, ended, is_up) VALUES ${values} ON CONFLICT (name, began) DO NOTHING`,
  );
}

const COUNT_STEPS: Readonly<Record<string, number>> = { minute: MINUTE, ten: 10 * MINUTE, hour: HOUR };
const CountRows = jsonText(z.array(z.array(z.number()).min(4)));
const Known = z.array(z.object({ began: z.number(), ended: z.number() }));

/** A row: the number of the step within the chunk, minutes known, and sums of drivers, the most, and of police. */
function* convertCounts({ kind, key, start, text }: Chunk, store: HistoryStore): Steps<void> {
  const step = (COUNT_STEPS[kind] ?? HOUR) / SECOND;
  const rows = (CountRows.safeParse(text).data ?? []).map(
    ([index = 0, minutes = 1, drivers = 0, most = 0, police]) => ({
      at: start / SECOND + index * step,
      minutes,
      sums: [
        Math.round(drivers * 100),
        Math.round(most),
        police === undefined ? null : Math.round(police * 100),
      ],
    }),
  );
  yield* insertRows(
    store,
    rows.map(({ at, minutes, sums }) => [key, step, at, minutes, ...sums]),
    (values) => sql`INSERT INTO counts (place, step, at, minutes, drivers, most, police) VALUES ${values}
      ON CONFLICT (place, step, at) DO NOTHING`,
  );
  if (kind === 'ten') return;
  // Minutes tell it to the minute, and come first.
  const [first, last] = [rows[0]?.at ?? 0, (rows.at(-1)?.at ?? 0) + step];
  const exact = Known.parse(
    yield sql`SELECT began, ended FROM coverage WHERE place = ${key} AND ended > ${first} AND began < ${last} ORDER BY began`,
  );
  let end = 0;
  const known = rows.flatMap(({ at, minutes }) => {
    const length = minutes * (MINUTE / SECOND);
    const inside = exact.filter(({ began, ended }) => began < at + step && ended > at);
    const [firstExact] = inside;
    // The missing part of a step lies next to an earlier gap, or else at the end of the step.
    const to = firstExact?.began ?? at + step;
    const left =
      length - sumBy(inside, ({ began, ended }) => Math.min(ended, at + step) - Math.max(began, at));
    if (left <= 0) return [];
    const from = end >= at ? end : Math.max(at, to - left);
    end = Math.min(to, from + left);
    return end > from ? [{ place: key, from, to: end }] : [];
  });
  yield* extendCoverage(known);
}

const OF_DRIVER = ['sessions', 'readings-linked', 'readings-other', 'reading-ends'] as const;
const OF_ALL = ['played-hour', 'played-day', 'played-block', 'figures', 'recorder'] as const;
/** Texts that one transaction reads. */
const MAX_TEXTS = 40;

/** Deletes a driver (a name without its case) from the chunks of a file, and each that names one and cannot be read. */
export async function forgetInChunks(key: string, store: HistoryStore): Promise<void> {
  if (store.earlier === null) return;
  await store.write(function* () {
    for (const kind of OF_DRIVER) yield sql`DELETE FROM chunks WHERE kind = ${kind} AND key = ${key}`;
  });
  for (const kind of OF_ALL) {
    let after = Number.MIN_SAFE_INTEGER;
    await repeatInSlices(() =>
      store.write(function* (): Steps<boolean> {
        const rows = yield sql`SELECT kind, key, start, text FROM chunks
          WHERE kind = ${kind} AND start > ${after} ORDER BY start LIMIT ${MAX_TEXTS}`;
        for (const row of rows) {
          const { start, text } = Chunk.parse(row);
          after = start;
          const remaining = kind === 'recorder' ? forgottenText(text, key) : withoutDriver(text, key);
          if (remaining === null) yield sql`DELETE FROM chunks WHERE kind = ${kind} AND start = ${start}`;
          else if (remaining !== text)
            yield sql`UPDATE chunks SET text = ${remaining} WHERE kind = ${kind} AND start = ${start}`;
        }
        return rows.length > 0;
      }),
    );
  }
}

function withoutDriver(text: string, key: string): string | null {
  const rows = DriverRows.safeParse(text).data;
  if (rows === undefined) return null;
  const remaining = rows.filter(([driver]) => sameSpelling(driver) !== key);
  return remaining.length === rows.length ? text : JSON.stringify(remaining);
}
