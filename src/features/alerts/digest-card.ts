import { missingLine } from '../../cards/history/coverage-lines.ts';
import { historyPicture } from '../../cards/history/history-card.ts';
import { playtimeBlock } from '../../cards/history/top-card.ts';
import { type Card, type Content, createCard } from '../../cards/kit/card.ts';
import { type DriverNames, driverMenu, type NicknameOf, shortNameInLine } from '../../cards/kit/driver.ts';
import { linePerRow } from '../../cards/kit/fit-lines.ts';
import { compact } from '../../cards/kit/lines.ts';
import { formatMoment } from '../../i18n/timestamp.ts';
import type { Translator } from '../../i18n/translator.ts';
import { zonedFormats } from '../../i18n/zoned-formats.ts';
import type { Counts, Stretch } from '../../service/models/history.ts';

/** Times in unix milliseconds. */
export interface WeekFacts {
  readonly from: number;
  readonly to: number;
  /** IANA: in which evenings and days are counted. */
  readonly zone: string;
  /** When nothing was known. */
  readonly missing: readonly Stretch[];
  /** Null where that is most of it. */
  readonly figures: {
    readonly busiest: { readonly at: number; readonly drivers: number } | null;
    readonly most: { readonly at: number; readonly most: number } | null;
    readonly counts: Counts;
    /** By time on the servers, in ms. Empty where nobody knows the drivers. */
    readonly top: readonly { readonly rank: number; readonly driver: string; readonly value: number }[];
    readonly newFaces: readonly string[];
  } | null;
}

/** The week as `/top` shows one, with its course as a picture; below it a menu of the drivers. */
export function digestCard(facts: WeekFacts, nicknameOf: NicknameOf, t: Translator): Card {
  const { from, to, zone, missing, figures } = facts;
  // The last day of the week, not the first of the next.
  const title = t('watch.digest.title', { days: zonedFormats(t.locale, 'UTC').dayRange(from, to - 1) });
  const gaps = missingLine({ holes: missing }, t);
  if (figures === null) return createCard({ title, lead: [t('watch.digest.holes')] }, t);
  const { busiest, most, counts, top, newFaces } = figures;
  if (most === null || most.most === 0) return createCard({ title, lead: [t('watch.digest.none'), gaps] }, t);
  const namesOf = (driver: string): DriverNames => ({ username: driver, nickname: nicknameOf(driver) });
  const day = busiest && zonedFormats(t.locale, zone).longDay(busiest.at);
  const picture = historyPicture(
    counts,
    { title, span: 'week', stretch: { from, to }, zone: { name: zone, by: 'guild' } },
    t,
  );
  const content: Content = {
    title,
    lead: [
      busiest && day && t('watch.digest.busiest', { day, n: busiest.drivers }),
      t('watch.digest.most', { n: most.most, date: formatMoment(most.at, 'time', t) }),
      top.length === 0 ? null : `**${t('watch.digest.top')}**`,
    ],
    list: playtimeBlock(top, nicknameOf, t),
    sections:
      newFaces.length === 0
        ? []
        : [
            {
              name: t('watch.digest.newFaces'),
              lines: linePerRow(newFaces, (driver) => shortNameInLine(namesOf(driver))),
              between: ' · ',
            },
          ],
    ...(gaps === null ? {} : { tail: gaps }),
    components: driverMenu([...new Set([...top.map(({ driver }) => driver), ...newFaces])].map(namesOf), t),
    ...(picture === null ? {} : { picture: { name: 'week', ...picture } }),
  };
  return createCard(content, t);
}

/** Returns the digest as text, for a channel where the bot may not post embeds. Colours are left out: they take many characters. */
export function digestText(facts: WeekFacts, t: Translator): string {
  const [{ title, description, fields = [] }] = digestCard(facts, () => null, t).embeds;
  return compact(
    `**${title}**`,
    description ?? null,
    ...fields.map(({ name, value }) => `**${name}**\n${value}`),
  ).join('\n');
}
