/** The course of drivers over a span: figures, the picture, and the picture in words. */
import { DAY, HOUR } from '../../base/duration.ts';
import { sumBy } from '../../base/sum-by.ts';
import { startsOf, wallTime, weekdayOf } from '../../base/zone.ts';
import type { CountPoint, Counts, Stretch } from '../../community/history/history.ts';
import type { Translator } from '../../i18n/translator.ts';
import { zonedFormats } from '../../i18n/zoned-formats.ts';
import type { LineChart, Tick } from '../../pictures/chart.ts';
import type { Card } from '../kit/card.ts';
import type { ReaderZone } from './reader-zone.ts';
import { divideStretch, divisions, type Span } from './span.ts';

/** Returns the course as a picture for another card; null if nothing is known. */
export function historyPicture(
  counts: Counts,
  view: {
    readonly span: Span;
    readonly zone: ReaderZone;
    readonly title: string;
    readonly stretch: Stretch;
  },
  t: Translator,
): Pick<NonNullable<Card['picture']>, 'chart' | 'alt'> | null {
  const { title, span, stretch, zone } = view;
  const facts = historyFacts(counts, stretch, zone.name);
  if (facts === null) return null;
  return {
    chart: historyChart(counts, facts, { span, stretch, zone: zone.name }, t),
    alt: altText(title, facts, zone, t),
  };
}

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
  const police = points.flatMap(({ known, police: drivers }) => (drivers === null ? [] : { known, drivers }));
  const longest = holes.toSorted((a, b) => b.to - b.from - (a.to - a.from))[0];
  return {
    peak: { drivers: peak.most, at: peak.at },
    average: averageOf(points),
    latest: latest === null ? null : Math.round(latest.drivers),
    police: police.length === 0 ? null : averageOf(police),
    isPolicePartly: points.some(({ isPolicePartly }) => isPolicePartly === true),
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
  const days = knownParts(points, divideStretch(span, zone, 24)).filter(({ known }) => known >= MIN_DAY_MS);
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

export function altText(
  title: string,
  { peak, average, missing }: HistoryFacts,
  zone: ReaderZone,
  t: Translator,
): string {
  const wall = zonedFormats(t.locale, zone.name).moment(peak.at);
  const date = zone.by === null ? `${wall} UTC` : wall;
  const alt = t('history.alt', { title, peak: peak.drivers, date, average: rounded(average, t) });
  if (missing === null) return alt;
  return `${alt} ${t('history.altMissing', { duration: t.duration(missing.ms / 1000) })}`;
}

/** Rounds to one decimal place below 2, where a whole number would be too coarse. */
export function rounded(value: number, t: Translator): string {
  return t.number(value, value < 2 ? 1 : 0);
}

/** Drivers as a line, police as a second one where their number is known, gaps where nothing is. */
export function historyChart(
  { points }: Counts,
  { peak }: HistoryFacts,
  { span, stretch, zone }: { readonly span: Span; readonly stretch: Stretch; readonly zone: string | null },
  t: Translator,
): LineChart {
  const { steps } = divisions[span];
  const stepOf = (at: number): number =>
    Math.max(0, Math.floor(((at - stretch.from) / (stretch.to - stretch.from)) * steps));
  const byStep = Map.groupBy(points, ({ at }) => stepOf(at));
  const averages = (of: (point: CountPoint) => number | null): readonly (number | null)[] =>
    Array.from({ length: steps }, (_, step) => {
      const stepValues = (byStep.get(step) ?? []).map(of).filter((value) => value !== null);
      return stepValues.length === 0 ? null : Math.round(mean(stepValues) * 10) / 10;
    });
  const drivers = { label: t('history.drivers'), values: averages((point) => point.drivers) };
  const police = { label: t('history.police'), values: averages((point) => point.police) };
  return {
    kind: 'lines',
    series: police.values.some((value) => value !== null) ? [drivers, police] : [drivers],
    across: zone === null ? hoursAgo(stretch, t) : timeAxis(span, stretch, zone, t),
    up: valueAxis(peak.drivers, t),
    peak: { index: stepOf(peak.at), value: peak.drivers, label: t.number(peak.drivers) },
    gap: t('history.gap'),
  };
}

function timeAxis(span: Span, stretch: Stretch, zone: string, t: Translator): readonly Tick[] {
  const formats = zonedFormats(t.locale, zone);
  const label: Readonly<Record<Span, (at: number) => string>> = {
    day: formats.time,
    week: (at) => formats.weekday(weekdayOf(wallTime(zone, at)), 'short'),
    month: formats.day,
  };
  const shareOf = (at: number): number => (at - stretch.from) / (stretch.to - stretch.from);
  return startsOf(zone, stretch, divisions[span].labelled).map((at) => ({
    at: shareOf(at),
    label: label[span](at),
    // A day's name stands below the middle of the day, as far as it has come: its evening is not the next one's.
    ...(span === 'week' ? { labelAt: shareOf((at + Math.min(at + DAY, stretch.to)) / 2) } : {}),
  }));
}

/** "18 hr ago", for readers whose clocks are not known. */
function hoursAgo({ from, to }: Stretch, t: Translator): readonly Tick[] {
  const format = new Intl.RelativeTimeFormat(t.locale, { style: 'narrow' });
  const { hours, labelled } = divisions.day;
  return Array.from({ length: hours / labelled - 1 }, (_, index) => {
    const ago = hours - (index + 1) * labelled;
    return { at: 1 - (ago * HOUR) / (to - from), label: format.format(-ago, 'hour') };
  });
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

/** Lines to read values by; more would crowd a phone. */
const MAX_LINES = 5;
/** The distances between two lines; ten or a hundred times these are possible, too. */
const DISTANCES = [1, 2, 5] as const;

/** Round values from 0 to just above the highest one. */
function valueAxis(highest: number, t: Translator): readonly Tick[] {
  let distance = 1;
  for (let place = 0; Math.ceil(highest / distance) > MAX_LINES - 1; place += 1)
    distance = (DISTANCES[place % 3] ?? 1) * 10 ** Math.floor(place / 3);
  const lines = Math.max(2, Math.ceil(highest / distance)) + 1;
  return Array.from({ length: lines }, (_, line) => ({
    at: line * distance,
    label: t.number(line * distance),
  }));
}
