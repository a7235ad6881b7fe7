/** The community's month: its figures and its text. */
import { SECOND } from '../../base/duration.ts';
import { sumBy } from '../../base/sum-by.ts';
import { dayOf, wallTimes } from '../../base/zone.ts';
import { knownTime, missingTimeText, smallPrint } from '../../cards/history/coverage-lines.ts';
import { aboutZone } from '../../cards/history/reader-zone.ts';
import { playtimeBlock } from '../../cards/history/top-card.ts';
import { type Card, createCard } from '../../cards/kit/card.ts';
import type { NicknameOf } from '../../cards/kit/driver.ts';
import { joinParts } from '../../cards/kit/lines.ts';
import type { Translator } from '../../i18n/translator.ts';
import { zonedFormats } from '../../i18n/zoned-formats.ts';
import { type Counts, type History, knownWithin, type TopRow } from '../../service/models/history.ts';
import { type Period, spanOf } from './period.ts';

/** A month of which less is known is not posted. */
const KNOWN_SHARE = 0.5;
const TOP = 5;

/** Times in unix milliseconds, lengths in ms. */
export interface CommunityMonth {
  readonly from: number;
  readonly zone: string;
  readonly missing: number;
  readonly isThin: boolean;
  /** Time that all drivers together were on the live servers. */
  readonly time: number;
  readonly busiest: { readonly at: number; readonly time: number } | null;
  readonly most: { readonly at: number; readonly count: number } | null;
  /** Drivers by time online; empty where no live file names them. */
  readonly rows: readonly TopRow[];
}

export async function communityMonth(
  history: Pick<History, 'counts' | 'playtime'>,
  month: Period,
  zone: string,
  now: number,
): Promise<CommunityMonth> {
  const span = spanOf(month, zone, { since: 0, now });
  const [counts, rows] = await Promise.all([history.counts('all', span), history.playtime(span)]);
  const missing = span.to - span.from - knownWithin(counts, span);
  const { points } = counts;
  const [most] = points.toSorted((a, b) => b.most - a.most);
  return {
    from: span.from,
    zone,
    missing,
    isThin: missing > (1 - KNOWN_SHARE) * (span.to - span.from),
    time: sumBy(points, driverTime),
    busiest: busiestDay(points, zone),
    most: most === undefined || most.most === 0 ? null : { at: most.at, count: most.most },
    rows,
  };
}

const driverTime = ({ drivers, known }: Counts['points'][number]): number => drivers * known;

function busiestDay(points: Counts['points'], zone: string): CommunityMonth['busiest'] {
  const wallAt = wallTimes(zone);
  const days = [...Map.groupBy(points, ({ at }) => dayOf(wallAt(at))).values()].map((day) => ({
    at: day[0]?.at ?? 0,
    time: sumBy(day, driverTime),
  }));
  const [busiest] = days.toSorted((a, b) => b.time - a.time);
  return busiest === undefined || busiest.time === 0 ? null : busiest;
}

/** The month as `/top` shows one. */
export function communityCard(month: CommunityMonth, nicknameOf: NicknameOf, t: Translator): Card {
  const { from, zone, missing, time, busiest, most, rows } = month;
  const { month: formatMonth, shortDay, moment } = zonedFormats(t.locale, zone);
  const gap = missingTimeText(missing, t);
  const top = rows.slice(0, TOP);
  const content = {
    title: t('recap.community.title', { month: formatMonth(from) }),
    lead: [
      joinParts(
        t('recap.community.time', { duration: knownTime(time, gap === null, t) }),
        rows.length === 0 ? null : t('recap.community.drivers', { count: rows.length }),
      ),
      busiest &&
        t('recap.community.busiest', {
          day: shortDay(busiest.at),
          duration: t.duration(busiest.time / SECOND),
        }),
      most && t('recap.community.most', { n: most.count, moment: moment(most.at) }),
      top.length === 0 ? null : `**${t('recap.community.top')}**`,
    ],
    list: playtimeBlock(top, nicknameOf, t),
    tail: smallPrint(gap, aboutZone({ name: zone, by: zone === 'UTC' ? null : 'guild' }, 'days', t)) ?? '',
  };
  return createCard(content, t);
}
