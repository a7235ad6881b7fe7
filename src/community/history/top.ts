/** Rankings of drivers. */
import { DAY, SECOND } from '../../base/duration.ts';
import { forEachInSlices, repeatInSlices } from '../../base/for-each-yielding.ts';
import { numberIn, textIn } from '../../base/sql.ts';
import { sumBy } from '../../base/sum-by.ts';
import { sameSpelling } from '../../service/models/identifiers.ts';
import type { HistoryStore } from '../../store/history-store.ts';
import { driversKnown } from './coverage.ts';
import {
  type BestRank,
  type Coverage,
  type Figure,
  playedWithin,
  type Stretch,
  type TopList,
  type TopRow,
  type TopSpan,
  type TopSubject,
  topSubjects,
} from './history.ts';
import { YEAR_MS } from './kept.ts';
import { selectPlayed } from './played.ts';
import {
  READING_ENDS_PAGE,
  readReading,
  type StoredReading,
  selectReadingEnds,
  selectReadingsOf,
} from './readings.ts';
import { type RecorderState, storedState } from './recorder-state.ts';
import { type DriverSession, keyOf, selectBegun, selectPlaytime, sessionKey } from './sessions.ts';
import { toSession } from './stays.ts';

type Value = Pick<TopRow, 'driver' | 'value' | 'read'>;

interface Found extends Coverage {
  readonly values: readonly Value[];
}

interface Parts {
  readonly now: number;
  readonly store: Pick<HistoryStore, 'read'>;
  readonly isHidden: (username: string) => boolean;
}

export async function topList(subject: TopSubject, span: TopSpan, parts: Parts): Promise<TopList> {
  const { now, store } = parts;
  const from = span === 'all' ? 0 : now - (span === 'week' ? 7 : 30) * DAY;
  const gains =
    subject === 'playtime'
      ? { values: await played(from, now, store), ...(await driversKnown({ from, to: now }, store)) }
      : gained(subject, await readEnds(span, from, now, store));
  const { values, ...coverage } = gains;
  return { ...coverage, from: span === 'all' ? (coverage.since ?? now) : from, rows: ranked(values, parts) };
}

/** Longest session that can reach into a span from before it, in ms. */
const LONGEST_SESSION_MS = DAY;
/** Sessions are added up in parts that begin within so long: of a year it takes too long at once. */
const PART_MS = 10 * DAY;

/** From the sessions: those that are stored, and those under way. */
export async function playtimeRows(span: Stretch, parts: Parts): Promise<readonly TopRow[]> {
  const { now, store } = parts;
  // Before the sessions, among which one goes that ends meanwhile.
  const open = openSessions(await storedState(store));
  const since = Math.min(...open.map(({ session }) => session.from), now);
  const stored = new Set((await store.read(selectBegun(since))).map(sessionKey));
  const totals = new Map<string, { readonly driver: string; readonly ms: number }>();
  const add = (key: string, driver: string, ms: number): void =>
    void totals.set(key, { driver, ms: ms + (totals.get(key)?.ms ?? 0) });
  const first = Math.max(now - YEAR_MS, span.from) - LONGEST_SESSION_MS;
  const begins = Array.from(
    { length: Math.max(0, Math.ceil((span.to - first) / PART_MS)) },
    (_, part) => first + part * PART_MS,
  );
  await forEachInSlices(begins, async (from) => {
    const begun = { from, to: Math.min(from + PART_MS, span.to) };
    for (const row of await store.read(selectPlaytime(begun, span, now))) {
      add(textIn(row, 'driver'), textIn(row, 'name'), numberIn(row, 'seconds') * SECOND);
    }
  });
  for (const { driver, session } of open)
    if (!stored.has(keyOf(driver, session))) add(sameSpelling(driver), driver, playedWithin(session, span));
  return ranked(
    [...totals.values()].map(({ driver, ms }) => ({ driver, value: ms, read: null })),
    parts,
  );
}

function openSessions(state: RecorderState | null): readonly DriverSession[] {
  return [...(state?.servers ?? [])].flatMap(([server, { stays }]) =>
    [...stays.values()].map((stay) => ({ driver: stay.driver, session: { ...toSession(stay), server } })),
  );
}

/** Returns the best ranks by the driver's name in lower case, from the upper halves of the lists of the last seven days. */
export async function bestRanks(parts: Parts): Promise<ReadonlyMap<string, BestRank>> {
  const { now, store } = parts;
  const from = now - 7 * DAY;
  const ends = await readEnds('week', from, now, store);
  const online = await played(from, now, store);
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

async function played(from: number, now: number, store: Parts['store']): Promise<readonly Value[]> {
  const rows = await store.read(selectPlayed(from, now));
  return rows.map((row) => ({ driver: textIn(row, 'name'), value: numberIn(row, 'ms'), read: null }));
}

/** The first and the last reading of each driver within the span. */
async function readEnds(span: TopSpan, from: number, now: number, store: Pick<HistoryStore, 'read'>) {
  const drivers = new Map<string, { driver: string; read: number; ends: Map<Figure, Ends> }>();
  let [firstRead, lastRead] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const take = ({ key, driver, reading: { at, figures } }: StoredReading): void => {
    if (at < from || at > now) return;
    firstRead = Math.min(firstRead, at);
    lastRead = Math.max(lastRead, at);
    const one = drivers.get(key) ?? { driver, read: at, ends: new Map<Figure, Ends>() };
    drivers.set(key, one);
    one.read = at;
    for (const figure of ranking) {
      const value = figures[figure];
      if (value === undefined) continue;
      one.ends.set(figure, { first: one.ends.get(figure)?.first ?? value, last: value });
    }
  };
  if (span === 'all') await eachReadingEnd(store, take);
  else {
    const firstDay = Math.floor(from / DAY);
    const days = Array.from({ length: Math.floor(now / DAY) - firstDay + 1 }, (_, index) => firstDay + index);
    await forEachInSlices(days, async (day) => {
      for (const row of await store.read(selectReadingsOf(day))) take(readReading(row));
    });
  }
  return { drivers: [...drivers.values()], since: firstRead, until: lastRead };
}

async function eachReadingEnd(store: Parts['store'], take: (reading: StoredReading) => void): Promise<void> {
  let after = '';
  await repeatInSlices(async () => {
    const readings = (await store.read(selectReadingEnds(after))).map(readReading);
    readings.forEach(take);
    after = readings.at(-1)?.key ?? after;
    return readings.length === READING_ENDS_PAGE;
  });
}

/** Returns the gain between the two readings. */
function gained(subject: Gained, { drivers, since, until }: Awaited<ReturnType<typeof readEnds>>): Found {
  const unit = subject === 'police' ? SECOND : 1;
  const values = drivers.map(({ driver, read, ends }) => {
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
  readonly first: number;
  readonly last: number;
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
