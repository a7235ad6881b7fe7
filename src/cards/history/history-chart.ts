import { DAY, HOUR } from '../../base/duration.ts';
import { beginnings, wallTime, weekdayOf } from '../../base/zone.ts';
import type { Translator } from '../../i18n/translator.ts';
import { zonedFormats } from '../../i18n/zoned-formats.ts';
import type { LineChart, Tick } from '../../pictures/chart.ts';
import type { CountPoint, Counts, Stretch } from '../../service/models/history.ts';
import type { HistoryFacts } from './history-facts.ts';
import { divisions, type Span } from './span.ts';

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
      const known = (byStep.get(step) ?? []).map(of).filter((value) => value !== null);
      return known.length === 0 ? null : Math.round(mean(known) * 10) / 10;
    });
  const drivers = { label: t('history.drivers'), values: averages((point) => point.drivers) };
  const police = { label: t('history.police'), values: averages(({ duty }) => duty?.police ?? null) };
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
  return beginnings(zone, stretch, divisions[span].labelled).map((at) => ({
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
const MOST_LINES = 5;
/** The distances between two lines; ten or a hundred times these are possible, too. */
const DISTANCES = [1, 2, 5] as const;

/** Round values from 0 to just above the highest one. */
export function valueAxis(highest: number, t: Translator): readonly Tick[] {
  let distance = 1;
  for (let place = 0; Math.ceil(highest / distance) > MOST_LINES - 1; place += 1)
    distance = (DISTANCES[place % 3] ?? 1) * 10 ** Math.floor(place / 3);
  const lines = Math.max(2, Math.ceil(highest / distance)) + 1;
  return Array.from({ length: lines }, (_, line) => ({
    at: line * distance,
    label: t.number(line * distance),
  }));
}
