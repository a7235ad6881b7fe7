import type { TextKey, Translator } from '../../i18n/translator.ts';
import { table } from '../kit/table.ts';

/** At most 36 letters wide: see {@link table}. Empty where no row has a figure. */
export function figureTable(
  headings: readonly [string, string],
  rows: readonly (readonly [label: TextKey, first: string | null, second: string | null])[],
  t: Translator,
): readonly string[] {
  const reported = rows.filter(([, first, second]) => first !== null || second !== null);
  if (reported.length === 0) return [];
  const [first, second] = headings;
  return [
    table(
      [
        { heading: '', align: 'left', most: 14 },
        { heading: first, align: 'right', most: 12 },
        { heading: second, align: 'right', most: 11 },
      ],
      reported.map(([label, ...figures]) => [t(label), ...figures]),
    ),
  ];
}

/** A figure, if it is reported. */
export function written(value: number | undefined, write: (value: number) => string): string | null {
  return value === undefined ? null : write(value);
}
