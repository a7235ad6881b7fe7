/** Who has the most of something. */
import { DAY, SECOND } from '../base/duration.ts';
import { sameSpelling } from '../service/models/identifiers.ts';
import type { Chunk, HistoryChunks } from '../store/history-chunks.ts';
import { coverage, knownSince, liveSteps } from './coverage.ts';
import type { Figure, ProfileReading, TopList, TopRow, TopSpan, TopSubject } from './history.ts';
import { blockStart, liveServers } from './kinds.ts';
import { type DriverReadings, readReadings } from './readings.ts';
import { createTotals, readPlayed } from './totals.ts';

interface Value {
  readonly driver: string;
  readonly value: number;
}

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
  const from = span === 'all' ? 0 : blockStart('played-day', now) - (span === 'week' ? 6 : 29) * DAY;
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
  return order.map(({ driver, value }, index) => {
    if (value !== order[index - 1]?.value) rank = index + 1;
    return { rank, driver, value };
  });
}

async function played(span: TopSpan, from: number, now: number, chunks: HistoryChunks): Promise<Found> {
  const found = await chunks.readKind(span === 'all' ? 'played-block' : 'played-day', from, now);
  const totals = createTotals();
  for (const { text } of found) for (const { driver, ms } of readPlayed(text)) totals.add(driver, ms);
  const ever = await knownSince(liveServers, now, chunks);
  const begun = ever === null ? null : Math.max(ever, from);
  return { values: totals.all(), ...coverage(await liveSteps({ from, to: now }, chunks), begun) };
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
  const values = within.map(({ driver, readings }) => ({ driver, value: gain(subject, readings) }));
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
