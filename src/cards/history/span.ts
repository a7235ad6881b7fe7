import { HOUR } from '../../base/duration.ts';
import type { Stretch } from '../../service/models/history.ts';

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

export function stretchOf(span: Span, now: number): Stretch {
  return { from: now - divisions[span].hours * HOUR, to: now };
}
