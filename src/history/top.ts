/** Who has the most of something. */
import { DAY, HOUR, SECOND } from '../base/duration.ts';
import type {
  Figure,
  ProfileReading,
  TopList,
  TopRow,
  TopSpan,
  TopSubject,
} from '../service/models/history.ts';
import { sameSpelling } from '../service/models/identifiers.ts';
import type { Chunk, HistoryChunks } from '../store/history-chunks.ts';
import { coverage, knownSince, liveSteps } from './coverage.ts';
import { blockStart, liveServers } from './kinds.ts';
import { type DriverReadings, readReadings } from './readings.ts';
import { createTotals, readPlayed } from './totals.ts';

type Value = Pick<TopRow, 'driver' | 'value' | 'read'>;

interface Found extends Pick<TopList, 'since' | 'until' | 'holes'> {
  readonly values: readonly Value[];
}

export async function topList(
  subject: TopSubject,
  span: TopSpan,
  {
    now,
    chunks,
    isHidden,
  }: {
    readonly now: number;
    readonly chunks: HistoryChunks;
    readonly isHidden: (username: string) => boolean;
  },
): Promise<TopList> {
  const from = span === 'all' ? 0 : now - (span === 'week' ? 7 : 30) * DAY;
  const { values, ...known } =
    subject === 'playtime'
      ? await played(span, from, now, chunks)
      : await gained(subject, span, from, now, chunks);
  const rows = ranked(values.filter(({ driver, value }) => value > 0 && !isHidden(driver)));
  return { ...known, from: span === 'all' ? (known.since ?? now) : from, rows };
}

/** Equal values share a rank. */
function ranked(values: readonly Value[]): readonly TopRow[] {
  const order = values.toSorted((a, b) => b.value - a.value || (a.driver < b.driver ? -1 : 1));
  let rank = 0;
  return order.map((each, index) => {
    if (each.value !== order[index - 1]?.value) rank = index + 1;
    return { rank, ...each };
  });
}

async function played(span: TopSpan, from: number, now: number, chunks: HistoryChunks): Promise<Found> {
  const { found, told } =
    span === 'all'
      ? { found: await chunks.readKind('played-block', 0, now), told: from }
      : await playedSince(from, now, chunks);
  const totals = createTotals();
  for (const { text } of found) for (const { driver, ms } of readPlayed(text)) totals.add(driver, ms);
  const ever = await knownSince(liveServers, now, chunks);
  const begun = ever === null ? null : Math.max(ever, told);
  const values = totals.all().map((total) => ({ ...total, read: null }));
  return { values, ...coverage(await liveSteps({ from: told, to: now }, chunks), begun) };
}

/**
 * The first day of a span is mostly a part of a UTC day: it is read by the hour, the others by the day. `told`: from when on;
 * earlier versions wrote no hours.
 */
async function playedSince(
  from: number,
  now: number,
  chunks: HistoryChunks,
): Promise<{ readonly found: readonly Chunk[]; readonly told: number }> {
  const firstDay = blockStart('played-day', from);
  const next = firstDay + DAY;
  const hours = await chunks.readKind('played-hour', firstDay, next - HOUR);
  const days = await chunks.readKind('played-day', firstDay, now);
  const isUntold = hours.length === 0 && days.some(({ start }) => start === firstDay);
  const found = [...hours.filter(({ start }) => start >= from), ...days.filter(({ start }) => start >= next)];
  return { found, told: isUntold ? next : from };
}

/** Between the first and the last reading of each driver within the span. */
async function gained(
  subject: Gained,
  span: TopSpan,
  from: number,
  now: number,
  chunks: HistoryChunks,
): Promise<Found> {
  const drivers = await readingsSince(span, from, now, chunks);
  const within = drivers.map(({ driver, readings }) => ({
    driver,
    readings: readings.filter(({ at }) => at >= from),
  }));
  const times = within.flatMap(({ readings }) => readings.map(({ at }) => at));
  const values = within.map(({ driver, readings }) => ({
    driver,
    value: gain(subject, readings),
    read: readings.at(-1)?.at ?? null,
  }));
  const [since, until] = [Math.min(...times), Math.max(...times)];
  return times.length === 0
    ? { values, since: null, until: null, holes: [] }
    : { values, since, until, holes: [] };
}

async function readingsSince(
  span: TopSpan,
  from: number,
  now: number,
  chunks: HistoryChunks,
): Promise<readonly DriverReadings[]> {
  const of = (kind: 'readings-linked' | 'readings-other' | 'reading-ends'): Promise<readonly Chunk[]> =>
    chunks.readKind(kind, blockStart(kind, from), now);
  const found =
    span === 'all'
      ? await of('reading-ends')
      : [...(await of('readings-linked')), ...(await of('readings-other'))];
  const byDriver = Map.groupBy(
    found.flatMap((chunk) => readReadings(chunk) ?? []),
    ({ driver }) => sameSpelling(driver),
  );
  return [...byDriver.values()].flatMap((several) => {
    const readings = several.flatMap((each) => each.readings).toSorted((a, b) => a.at - b.at);
    const driver = several.at(-1)?.driver;
    return driver === undefined ? [] : [{ driver, readings }];
  });
}

type Gained = Exclude<TopSubject, 'playtime'>;

/** The figures that make up a subject. */
const figuresBy: Readonly<Record<Gained, readonly Figure[]>> = {
  distance: ['driven_distance'],
  money: ['money'],
  police: ['gaming_time_cop'],
  chases: ['chases_won_cop', 'chases_won_robber'],
};

/** Each figure by itself: one that a reading lacks was not zero then. */
function gain(subject: Gained, readings: readonly ProfileReading[]): number {
  const gains = figuresBy[subject].map((figure) => {
    const known = readings.flatMap(({ figures }) => figures[figure] ?? []);
    return (known.at(-1) ?? 0) - (known[0] ?? 0);
  });
  const all = gains.reduce((sum, each) => sum + each, 0);
  return subject === 'police' ? all * SECOND : all;
}
