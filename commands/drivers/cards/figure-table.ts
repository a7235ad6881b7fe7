import { tableBlock } from '../../../src/cards/kit/block.ts';
import { formatOptional } from '../../../src/cards/kit/lines.ts';
import type { TextKey, Translator } from '../../../src/i18n/translator.ts';
import type { KnownStats, StatName } from '../../../src/service/models/stats.ts';

/** The subject of a row, and the names of its figures, one for each column. */
export type FigureRow = readonly [label: TextKey, ...figures: readonly (StatName | null)[]];

/** Metres in the reader's unit, which stands above or beside the figure: 123,457. */
export function distanceCell(metres: number, t: Translator): string {
  const value = metres / t.distanceUnit.metres;
  return t.number(value, Math.abs(value) < 100 ? 1 : 0);
}

/** Seconds as "45 min", "1.5 h" or "1,111 h": never as wide as hours with minutes. */
export function durationCell(seconds: number, t: Translator): string {
  const hours = Math.round(seconds / 360) / 10;
  const isExact = Math.abs(hours) < 1 || Math.abs(hours) >= 100;
  return isExact ? t.duration(seconds) : t('duration.hours', { hours: t.number(hours, 1) });
}

/** Leaves out the rows of which no figure is reported; empty if none is left. */
export function figureTable(
  known: KnownStats,
  rows: readonly FigureRow[],
  columns: readonly { readonly heading: string; readonly format: (value: number) => string }[],
  t: Translator,
): readonly string[] {
  const figureOf = (name: StatName | null | undefined) => (name ? known[name] : undefined);
  const reported = rows.filter(([, ...names]) => names.some((name) => figureOf(name) !== undefined));
  if (reported.length === 0) return [];
  const figures = columns.map(({ heading, format }, place) => ({
    heading,
    align: 'right' as const,
    cell: ([, ...names]: FigureRow) => formatOptional(figureOf(names[place]), format),
  }));
  return [tableBlock([{ most: 13, cell: ([label]) => t(label) }, ...figures], reported)];
}
