/** The community's week or month: its figures. */
import { DAY, HOUR, MINUTE } from '../../../src/base/duration.ts';
import { sumBy } from '../../../src/base/sum-by.ts';
import { dayOf, hourOf, wallTimes } from '../../../src/base/zone.ts';
import {
  type Counts,
  type History,
  knownWithin,
  type Stretch,
  type TopRow,
} from '../../../src/community/history/history.ts';
import { type PostKind, postPeriods, startOfUtcWeek } from './post-time.ts';

/** A period of which less is known is not posted. */
const KNOWN_SHARE = 0.5;
/** Two periods of which less is known are not compared: the difference might be that of the holes. */
const COMPARED_SHARE = 0.9;
/** From 18:00 on. */
const EVENING_HOUR = 18;
const TOP_DRIVERS = 5;
/** Names of new faces; more would be a list. */
const MAX_NEW_FACES = 15;
/** How far two sums of the same sessions may differ, in ms. */
const ROUNDING_MS = MINUTE;

export interface CommunityPeriod {
  readonly kind: PostKind;
  readonly number: number;
  /** IANA: by its clocks the period begins, and days and evenings are counted. */
  readonly zone: string;
  /** The last week that was counted in UTC: the one after it begins where it ended. */
  readonly utcWeek: number;
}

/** Time that all drivers together were on the live servers, in ms, and how many they were. */
interface Sums {
  readonly time: number;
  readonly drivers: number;
}

/** Times in unix milliseconds, lengths in ms. */
export interface CommunityFacts extends CommunityPeriod, Sums {
  readonly span: Stretch;
  readonly missing: number;
  readonly isThin: boolean;
  readonly counts: Counts;
  /** The evening with the most drivers on average. */
  readonly busiest: { readonly at: number; readonly drivers: number } | null;
  readonly most: { readonly at: number; readonly count: number } | null;
  /** Drivers by time online; empty where no live file names them. */
  readonly top: readonly TopRow[];
  readonly newFaces: readonly string[];
  /** The month before; null for a week, and where too little of one of the two is known. */
  readonly earlier: Sums | null;
}

type CommunityHistory = Pick<History, 'counts' | 'playtime' | 'top'>;

export async function communityFacts(
  history: CommunityHistory,
  period: CommunityPeriod,
  now: number,
): Promise<CommunityFacts> {
  const { kind, number, zone, utcWeek } = period;
  const { startOf } = postPeriods[kind];
  const isFirst = kind === 'week' && number === utcWeek + 1;
  const begin = startOf(number, zone);
  const span = { from: isFirst ? startOfUtcWeek(number) : begin, to: startOf(number + 1, zone) };
  const { rows, known, knownShare, counts, ...sums } = await readSums(history, span);
  const earlierSums =
    kind === 'month' && knownShare >= COMPARED_SHARE
      ? await readSums(history, { from: startOf(number - 1, zone), to: begin })
      : null;
  const [most] = counts.points.toSorted((a, b) => b.most - a.most);
  return {
    ...period,
    ...sums,
    span,
    counts,
    missing: span.to - span.from - known,
    isThin: knownShare < KNOWN_SHARE,
    busiest: busiestEvening(counts.points, zone),
    most: most === undefined || most.most === 0 ? null : { at: most.at, count: most.most },
    top: rows.slice(0, TOP_DRIVERS),
    newFaces: await readNewFaces(history, rows, { from: span.from, to: now }),
    earlier: earlierSums !== null && earlierSums.knownShare >= COMPARED_SHARE ? earlierSums : null,
  };
}

async function readSums(history: CommunityHistory, span: Stretch) {
  const [counts, rows] = await Promise.all([history.counts('all', span), history.playtime(span)]);
  const time = sumBy(counts.points, ({ drivers, known }) => drivers * known);
  const known = knownWithin(counts, span);
  const knownShare = known / (span.to - span.from);
  return { counts, rows, time, drivers: rows.length, known, knownShare };
}

/** Finds the evening with the most drivers. An evening with data for less than half of it does not count. */
function busiestEvening(points: Counts['points'], zone: string): CommunityFacts['busiest'] {
  const wallTimeAt = wallTimes(zone);
  const evenings = Map.groupBy(
    points.filter(({ at }) => hourOf(wallTimeAt(at)) >= EVENING_HOUR),
    ({ at }) => dayOf(wallTimeAt(at)),
  );
  const means = [...evenings.values()].flatMap((evening) => {
    const [first] = evening;
    const knownTime = sumBy(evening, ({ known }) => known);
    const sum = sumBy(evening, ({ drivers, known }) => drivers * known);
    return first === undefined || sum === 0 || knownTime < (DAY - EVENING_HOUR * HOUR) / 2
      ? []
      : [{ at: first.at, drivers: sum / knownTime }];
  });
  return means.toSorted((a, b) => b.drivers - a.drivers)[0] ?? null;
}

/** Finds the drivers of the period who had no time online before it. `since`: from its beginning until now. */
async function readNewFaces(
  history: CommunityHistory,
  rows: readonly TopRow[],
  since: Stretch,
): Promise<readonly string[]> {
  const [all, rowsSince] = await Promise.all([history.top('playtime', 'all'), history.playtime(since)]);
  // In the first period of all, everybody would be new.
  if (all.since === null || all.since >= since.from) return [];
  const timesOf = (list: readonly TopRow[]) => new Map(list.map(({ driver, value }) => [driver, value]));
  const [allTimes, timesSince] = [timesOf(all.rows), timesOf(rowsSince)];
  const isNew = ({ driver, value }: TopRow): boolean =>
    (allTimes.get(driver) ?? 0) - (timesSince.get(driver) ?? value) < ROUNDING_MS;
  return rows
    .filter(isNew)
    .map(({ driver }) => driver)
    .slice(0, MAX_NEW_FACES);
}
