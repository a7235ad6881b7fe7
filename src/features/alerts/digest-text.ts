import { missingLine } from '../../cards/history/coverage-lines.ts';
import { compact, escapeMarkdown } from '../../cards/kit/lines.ts';
import { formatMoment } from '../../i18n/timestamp.ts';
import type { Translator } from '../../i18n/translator.ts';
import type { Stretch } from '../../service/models/history.ts';

/** Times in unix milliseconds. */
export interface WeekFacts {
  readonly from: number;
  readonly to: number;
  /** When nothing was known. */
  readonly missing: readonly Stretch[];
  /** Null where that is most of it. */
  readonly figures: {
    readonly busiest: { readonly at: number; readonly drivers: number } | null;
    readonly most: { readonly at: number; readonly most: number } | null;
    /** By time on the servers, in ms. Empty where nobody knows the drivers. */
    readonly top: readonly { readonly rank: number; readonly driver: string; readonly value: number }[];
    readonly newFaces: readonly string[];
  } | null;
}

/** Characters of a driver's name. */
const NAME = 40;

export function digestText({ from, to, missing, figures }: WeekFacts, t: Translator): string {
  const day = (at: number): string => formatMoment(at, 'day', t);
  const names = (drivers: readonly string[]) =>
    drivers.map((driver) => escapeMarkdown(driver, NAME)).join(', ');
  // The last day of the week, not the first of the next.
  const title = t('watch.digest.title', { from: day(from), to: day(to - 1) });
  if (figures === null) return `${title}\n${t('watch.digest.holes')}`;
  const { busiest, most, top, newFaces } = figures;
  if (most === null || most.most === 0)
    return compact(title, t('watch.digest.none'), missingLine({ holes: missing }, t)).join('\n');
  const rest = compact(
    newFaces.length === 0 ? null : t('watch.digest.newFaces', { names: names(newFaces) }),
    missingLine({ holes: missing }, t),
  );
  return compact(
    title,
    busiest && t('watch.digest.busiest', { day: day(busiest.at), n: busiest.drivers }),
    t('watch.digest.most', { n: most.most, date: formatMoment(most.at, 'time', t) }),
    top.length === 0 ? null : `**${t('watch.digest.top')}**`,
    ...top.map(
      ({ rank, driver, value }) => `${rank}. ${escapeMarkdown(driver, NAME)} · ${t.duration(value / 1000)}`,
    ),
    // Discord would take it for a part of the last number.
    top.length === 0 || rest.length === 0 ? null : '',
    ...rest,
  ).join('\n');
}
