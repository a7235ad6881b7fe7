import { HOUR } from '../../base/duration.ts';
import { sumBy } from '../../base/sum-by.ts';
import type { CountPoint, Counts, Stretch } from '../../service/models/history.ts';
import { partsOf } from './span.ts';

/** A day of which less is known is not compared with others. */
const MIN_DAY_MS = 18 * HOUR;

/** A part of the span; its averages are of what is known of it. */
export interface HistoryPart extends Stretch {
  readonly average: number;
  readonly most: number;
  /** How much of it is known, in ms. */
  readonly known: number;
}

/** A history in figures for people. */
export interface HistoryFacts {
  /** The most drivers at one time; the latest such time. */
  readonly peak: { readonly drivers: number; readonly at: number };
  readonly average: number;
  /** In the newest minute; null where that is not known. */
  readonly latest: number | null;
  /** Police on average, over the readings that tell; null where none does. */
  readonly police: number | null;
  /** Some servers do not say it. */
  readonly isPolicePartly: boolean;
  /**
   * Milliseconds without readings, and the longest of the gaps, where its place is known: one within a single step may
   * be anywhere in it. Null: none.
   */
  readonly missing: { readonly ms: number; readonly gaps: number; readonly longest: Stretch | null } | null;
  /** The day with the highest average; null where fewer than two are known. */
  readonly busiestDay: HistoryPart | null;
}

/** Null without a reading. */
export function historyFacts(
  { points, holes, latest, step }: Counts,
  span: Stretch,
  zone: string,
): HistoryFacts | null {
  const highest = Math.max(...points.map(({ most }) => most));
  const peak = points.findLast(({ most }) => most === highest);
  if (peak === undefined) return null;
  const onDuty = points.flatMap(({ known, duty }) =>
    duty === null ? [] : [{ known, drivers: duty.police }],
  );
  const longest = holes.toSorted((a, b) => b.to - b.from - (a.to - a.from))[0];
  return {
    peak: { drivers: peak.most, at: peak.at },
    average: averageOf(points),
    latest: latest === null ? null : Math.round(latest.drivers),
    police: onDuty.length === 0 ? null : averageOf(onDuty),
    isPolicePartly: points.some(({ dutyPartly }) => dutyPartly === true),
    missing:
      longest === undefined
        ? null
        : {
            ms: sumBy(holes, ({ from, to }) => to - from),
            gaps: holes.length,
            longest: longest.to - longest.from < step ? null : longest,
          },
    busiestDay: busiestDay(points, span, zone),
  };
}

/** Null where fewer than two days are known. */
function busiestDay(points: readonly CountPoint[], span: Stretch, zone: string): HistoryPart | null {
  const days = knownParts(points, partsOf(span, zone, 24)).filter(({ known }) => known >= MIN_DAY_MS);
  const [busiest] = days.toSorted((a, b) => b.average - a.average);
  return busiest === undefined || days.length < 2 ? null : busiest;
}

/** The parts of which something is known. */
export function knownParts(points: readonly CountPoint[], parts: readonly Stretch[]) {
  return parts.flatMap(({ from, to }, index): readonly HistoryPart[] => {
    // The first step may begin a little before the span.
    const inside = points.filter(({ at }) => (index === 0 || at >= from) && at < to);
    if (inside.length === 0) return [];
    const most = Math.max(...inside.map((point) => point.most));
    const knownMs = sumBy(inside, (point) => point.known);
    return [{ from, to, average: averageOf(inside), most, known: knownMs }];
  });
}

/** A step of which less is known counts for less. */
function averageOf(points: readonly Pick<CountPoint, 'drivers' | 'known'>[]): number {
  const knownMs = sumBy(points, (point) => point.known);
  return sumBy(points, (point) => point.drivers * point.known) / knownMs;
}
