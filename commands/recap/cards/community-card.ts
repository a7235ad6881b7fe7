/** The community's week or month, as a card and as text. */
import { DAY, SECOND } from '../../../src/base/duration.ts';
import { historyPicture } from '../../../src/cards/history/course.ts';
import { knownTime, missingTimeText, smallPrint } from '../../../src/cards/history/coverage-lines.ts';
import { playtimeBlock } from '../../../src/cards/history/ranking.ts';
import { aboutZone } from '../../../src/cards/history/reader-zone.ts';
import { type Card, createCard } from '../../../src/cards/kit/card.ts';
import {
  type DriverNames,
  driverMenu,
  type NicknameOf,
  shortNameInLine,
} from '../../../src/cards/kit/driver.ts';
import { linePerRow } from '../../../src/cards/kit/fit-lines.ts';
import { compact, joinParts, labelledFact } from '../../../src/cards/kit/lines.ts';
import type { Translator } from '../../../src/i18n/translator.ts';
import { zonedFormats } from '../../../src/i18n/zoned-formats.ts';
import type { CommunityFacts } from '../models/community.ts';
import { postPeriods } from '../models/post-time.ts';

/** The figures, with the drivers over time as a picture; below them a menu of the drivers. */
export function communityCard(facts: CommunityFacts, nicknameOf: NicknameOf, t: Translator): Card {
  const { kind, span, zone, missing, counts, most, top, newFaces } = facts;
  const title = titleOf(facts, t);
  const readerZone = { name: zone, by: zone === 'UTC' ? null : ('guild' as const) };
  const gap = missingTimeText(missing, t);
  const tail = smallPrint(gap, aboutZone(readerZone, 'days', t)) ?? '';
  if (most === null) return createCard({ title, lead: [t('recap.community.none')], tail }, t);
  const namesOf = (driver: string): DriverNames => ({ username: driver, nickname: nicknameOf(driver) });
  const picture = historyPicture(counts, { title, span: kind, stretch: span, zone: readerZone }, t);
  return createCard(
    {
      title,
      lead: [
        ...figureLines(facts, gap === null, t),
        top.length === 0 ? null : `**${t('recap.community.top')}**`,
      ],
      list: playtimeBlock(top, nicknameOf, t),
      sections:
        newFaces.length === 0
          ? []
          : [
              {
                name: t('recap.community.newFaces'),
                lines: linePerRow(newFaces, (driver) => shortNameInLine(namesOf(driver))),
                between: ' · ',
              },
            ],
      tail,
      components: driverMenu([...top.map(({ driver }) => driver), ...newFaces].map(namesOf), t),
      ...(picture === null ? {} : { picture: { name: kind, ...picture } }),
    },
    t,
  );
}

function titleOf({ kind, number, zone }: CommunityFacts, t: Translator): string {
  const { startOf } = postPeriods[kind];
  const formats = zonedFormats(t.locale, zone);
  if (kind === 'month') return t('recap.community.month', { month: formats.month(startOf(number, zone)) });
  // The last day of the week, not the first of the next.
  const days = formats.dayRange(startOf(number, zone), startOf(number + 1, zone) - DAY / 2);
  return t('recap.community.week', { days });
}

function figureLines(facts: CommunityFacts, isWhole: boolean, t: Translator): readonly (string | null)[] {
  const { zone, time, drivers, busiest, most, earlier } = facts;
  const { longDay, moment } = zonedFormats(t.locale, zone);
  const driversText = (count: number): string | null =>
    drivers === 0 ? null : t('recap.community.drivers', { count });
  return [
    joinParts(t('recap.community.time', { duration: knownTime(time, isWhole, t) }), driversText(drivers)),
    earlier &&
      labelledFact(
        t('recap.community.earlier'),
        joinParts(
          timeChange(time - earlier.time, t),
          drivers === 0 || drivers === earlier.drivers
            ? null
            : `${arrow(drivers - earlier.drivers)} ${driversText(Math.abs(drivers - earlier.drivers))}`,
        ),
      ),
    busiest && t('recap.community.busiest', { day: longDay(busiest.at), n: busiest.drivers }),
    most && t('recap.community.most', { n: most.count, moment: moment(most.at) }),
  ];
}

const arrow = (change: number): string => (change < 0 ? '▼' : '▲');

/** Returns how much more, or less, time was spent online than before: "▲ 3 h". In ms. */
export function timeChange(ms: number, t: Translator): string {
  return `${arrow(ms)} ${t.duration(Math.abs(ms) / SECOND)}`;
}

/** Returns the card as text, for a channel where the bot may post no embeds. Colours are left out: they take many characters. */
export function communityText(facts: CommunityFacts, t: Translator): string {
  const [{ title, description, fields = [] }] = communityCard(facts, () => null, t).embeds;
  return compact(
    `**${title}**`,
    description ?? null,
    ...fields.map(({ name, value }) => `**${name}**\n${value}`),
  ).join('\n');
}
