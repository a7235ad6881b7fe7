/** Rankings of drivers. */

import { DAY, HOUR, SECOND } from '../base/duration.ts';
import { forEachInSlices } from '../base/for-each-yielding.ts';
import { sumBy } from '../base/sum-by.ts';
import {
  type BestRank,
  type Coverage,
  type Figure,
  playedWithin,
  type Session,
  type Stretch,
  type TopList,
  type TopRow,
  type TopSpan,
  type TopSubject,
  topSubjects,
} from '../service/models/history.ts';
import { sameSpelling } from '../service/models/identifiers.ts';
import type { Chunk, HistoryChunks } from '../store/history-chunks.ts';
import { driversKnown } from './coverage.ts';
import { createByDriver, type DriverRow, driverRows } from './driver-rows.ts';
import { blockStart, type KindName } from './kinds.ts';
import { figureIn, figureRows, readAt } from './readings.ts';
import { storedState } from './recorder-state.ts';
import { isStored, readSessions } from './sessions.ts';
import { toSession } from './stays.ts';

type Value = Pick<TopRow, 'driver' | 'value' | 'read'>;

interface Found extends Coverage {
  readonly values: readonly Value[];
}

interface Parts {
  readonly now: number;
  readonly chunks: HistoryChunks;
  readonly isHidden: (username: string) => boolean;
}

export async function topList(subject: TopSubject, span: TopSpan, parts: Parts): Promise<TopList> {
  const { now, chunks } = parts;
  const from = span === 'all' ? 0 : now - (span === 'week' ? 7 : 30) * DAY;
  const gains =
    subject === 'playtime'
      ? { values: await played(span, from, now, chunks), ...(await driversKnown({ from, to: now }, chunks)) }
      : gained(subject, await readEnds(span, from, now, chunks));
  const { values, ...coverage } = gains;
  return { ...coverage, from: span === 'all' ? (coverage.since ?? now) : from, rows: ranked(values, parts) };
}

/** Longest session that can reach into a span from the block of time before it, in ms. */
const LONGEST_SESSION_MS = DAY;

/** Reads one driver after the other: the sessions of all drivers in one block of time would take the store too long at once. */
export async function playtimeRows(span: Stretch, parts: Parts): Promise<readonly TopRow[]> {
  const { now, chunks, isHidden } = parts;
  const from = span.from - LONGEST_SESSION_MS;
  // Before the chunks, into which a session goes that ends meanwhile.
  const { state } = (await storedState(chunks)) ?? {};
  const open = [...(state?.servers ?? [])].flatMap(([server, { stays }]) =>
    [...stays.values()].map((stay) => ({ driver: stay.driver, session: { ...toSession(stay), server } })),
  );
  const drivers = createByDriver((): Session[] => []);
  const blocks = await read('played-block', blockStart('played-block', from), span.to, chunks);
  for (const { text } of blocks) for (const [driver] of driverRows(text)) drivers.of(driver);
  for (const { driver, session } of open) drivers.of(driver).value.push(session);
  const visibleDrivers = drivers.all().filter(({ driver }) => !isHidden(driver));
  const values: Value[] = [];
  await forEachInSlices(visibleDrivers, async ({ driver, value: openSessions }) => {
    const series = { kind: 'sessions', key: sameSpelling(driver) };
    const storedChunks = await chunks.read(series, blockStart('sessions', from), span.to);
    const storedSessions = storedChunks.flatMap((chunk) => readSessions(chunk)?.sessions ?? []);
    const all = [...storedSessions, ...openSessions.filter((session) => !isStored(session, storedSessions))];
    // A session that ends in the future comes from a clock that was ahead.
    const times = all.map((one) => (one.to > now ? 0 : playedWithin(one, span)));
    values.push({ driver, value: times.reduce((sum, ms) => sum + ms, 0), read: null });
  });
  return ranked(values, parts);
}

/** Returns the best ranks by the driver's name in lower case, from the upper halves of the lists of the last seven days. */
export async function bestRanks(parts: Parts): Promise<ReadonlyMap<string, BestRank>> {
  const { now, chunks } = parts;
  const from = now - 7 * DAY;
  const ends = await readEnds('week', from, now, chunks);
  const online = await played('week', from, now, chunks);
  const lists = topSubjects.map((subject) => {
    const values = subject === 'playtime' ? online : gained(subject, ends).values;
    return { subject, rows: ranked(values, parts) };
  });
  const best = new Map<string, BestRank>();
  for (const { subject, rows } of lists.toSorted((a, b) => b.rows.length - a.rows.length))
    await forEachInSlices(rows, ({ driver, rank }) => {
      if (rank > Math.max(1, rows.length / 2)) return;
      const key = sameSpelling(driver);
      if (rank < (best.get(key)?.rank ?? Number.POSITIVE_INFINITY))
        best.set(key, { subject, rank, count: rows.length });
    });
  return best;
}

/** Ranks drivers with a value above zero who are not hidden. Equal values share a rank. */
function ranked(values: readonly Value[], { isHidden }: Pick<Parts, 'isHidden'>): readonly TopRow[] {
  const visible = values.filter(({ driver, value }) => value > 0 && !isHidden(driver));
  const order = visible.toSorted((a, b) => b.value - a.value || (a.driver < b.driver ? -1 : 1));
  let rank = 0;
  return order.map((value, index) => {
    if (value.value !== order[index - 1]?.value) rank = index + 1;
    return { rank, ...value };
  });
}

async function played(span: TopSpan, from: number, now: number, chunks: HistoryChunks) {
  const playedChunks = await (span === 'all'
    ? read('played-block', 0, now, chunks)
    : playedSince(from, now, chunks));
  const totals = createByDriver(() => 0);
  await forEachInSlices(playedChunks, ({ text }) => {
    for (const [driver, seconds] of driverRows(text)) totals.of(driver).value += seconds ?? 0;
  });
  return totals.all().map(({ driver, value }) => ({ driver, value: value * SECOND, read: null }));
}

/** Stored data of all drivers together. */
function read(kind: KindName, from: number, to: number, chunks: HistoryChunks): Promise<readonly Chunk[]> {
  return chunks.read({ kind, key: '' }, from, to);
}

/**
 * The first day of a span is mostly a part of a UTC day: it is read by the hour, the others by the day.
 */
async function playedSince(from: number, now: number, chunks: HistoryChunks): Promise<readonly Chunk[]> {
  const firstDay = blockStart('played-day', from);
  const next = firstDay + DAY;
  const hours = await read('played-hour', firstDay, next - HOUR, chunks);
  const days = await read('played-day', firstDay, now, chunks);
  return [...hours.filter(({ start }) => start >= from), ...days.filter(({ start }) => start >= next)];
}

/** The first and the last reading of each driver within the span. */
async function readEnds(span: TopSpan, from: number, now: number, chunks: HistoryChunks) {
  const drivers = createByDriver(() => ({
    read: 0,
    ends: new Map(ranking.map((figure): [Figure, Ends] => [figure, { first: null, last: null }])),
  }));
  let [firstRead, lastRead] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const take = (row: DriverRow): void => {
    const at = readAt(row);
    if (at < from) return;
    firstRead = Math.min(firstRead, at);
    lastRead = Math.max(lastRead, at);
    const { value } = drivers.of(row[0]);
    value.read = at;
    for (const [figure, ends] of value.ends) {
      const figureValue = figureIn(row, figure);
      if (figureValue === null) continue;
      ends.first ??= figureValue;
      ends.last = figureValue;
    }
  };
  if (span === 'all')
    await forEachInSlices(await chunks.readKind('reading-ends', 0, now), (chunk) =>
      figureRows(chunk).forEach(take),
    );
  else
    await forEachInSlices(await read('figures', blockStart('figures', from), now, chunks), ({ text }) =>
      driverRows(text).forEach(take),
    );
  return { drivers: drivers.all(), since: firstRead, until: lastRead };
}

/** Returns the gain between the two readings. */
function gained(subject: Gained, { drivers, since, until }: Awaited<ReturnType<typeof readEnds>>): Found {
  const unit = subject === 'police' ? SECOND : 1;
  const values = drivers.map(({ driver, value: { read, ends } }) => {
    const added = sumBy(
      figuresBy[subject],
      (figure) => (ends.get(figure)?.last ?? 0) - (ends.get(figure)?.first ?? 0),
    );
    return { driver, value: unit * added, read };
  });
  return since > until
    ? { values, since: null, until: null, holes: [] }
    : { values, since, until, holes: [] };
}

/** Gain of one figure; a figure that a reading lacks was not zero then. */
interface Ends {
  first: number | null;
  last: number | null;
}

type Gained = Exclude<TopSubject, 'playtime'>;

/** The figures that make up a subject. */
const figuresBy: Readonly<Record<Gained, readonly Figure[]>> = {
  distance: ['driven_distance'],
  money: ['money'],
  police: ['gaming_time_cop'],
  chases: ['chases_won_cop', 'chases_won_robber'],
};

const ranking = Object.values(figuresBy).flat();
