import { HOUR } from '../../base/duration.ts';
import { startsOf } from '../../base/zone.ts';
import type { Stretch } from '../../community/history/history.ts';
import { LiveServer } from '../../service/models/live-status.ts';

/** One server, or all of them together. */
export const places = ['all', ...LiveServer.options] as const;
export type HistoryPlace = (typeof places)[number];

/** How far back a history goes. */
export const spans = ['day', 'week', 'month'] as const;
export type Span = (typeof spans)[number];

interface Division {
  readonly hours: number;
  /** Steps of the line; each takes four pixels. */
  readonly steps: number;
  /** Hours between two labels of the time axis, counted from midnight or Monday. */
  readonly labelled: number;
  /** Hours of a line in the text. */
  readonly written: number;
}

export const divisions: Readonly<Record<Span, Division>> = {
  day: { hours: 24, steps: 144, labelled: 6, written: 4 },
  week: { hours: 7 * 24, steps: 168, labelled: 24, written: 24 },
  month: { hours: 30 * 24, steps: 180, labelled: 168, written: 168 },
};

/** The stretch in parts that begin every so many hours by the zone's clocks; the first one with the stretch itself. */
export function divideStretch(stretch: Stretch, zone: string, hours: number): readonly Stretch[] {
  const starts = startsOf(zone, stretch, hours).filter((at) => at > stretch.from);
  const edges = [stretch.from, ...starts, stretch.to];
  return edges.slice(0, -1).map((from, index) => ({ from, to: edges[index + 1] ?? stretch.to }));
}

export function stretchOf(span: Span, now: number): Stretch {
  return { from: now - divisions[span].hours * HOUR, to: now };
}
