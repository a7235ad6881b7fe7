import { SECOND } from '../../../src/base/duration.ts';
import { sumBy } from '../../../src/base/sum-by.ts';
import { wallTime } from '../../../src/base/zone.ts';
import { knownTime, MIN_TOLD_HOLE_MS, missingTimeText } from '../../../src/cards/history/coverage-lines.ts';
import { placeText } from '../../../src/cards/history/gains.ts';
import { aboutZone, type ReaderZone, zoneButton } from '../../../src/cards/history/reader-zone.ts';
import { type Button, buttonRow, type Card, createCard, refreshButton } from '../../../src/cards/kit/card.ts';
import type { CustomId } from '../../../src/cards/kit/custom-id.ts';
import { barsInWords, drawnCommunity, drawnName, pictureAlt } from '../../../src/cards/kit/drawn.ts';
import { type DriverNames, driverName, markVerified } from '../../../src/cards/kit/driver.ts';
import { compact, joinParts, labelledFact } from '../../../src/cards/kit/lines.ts';
import { serverName } from '../../../src/cards/servers/server-lines.ts';
import type { TopRow } from '../../../src/community/history/history.ts';
import type { Translator } from '../../../src/i18n/translator.ts';
import { zonedFormats } from '../../../src/i18n/zoned-formats.ts';
import type { DriverCard } from '../../../src/pictures/chart.ts';
import {
  MARATHON_TIMES,
  type RecapFacts,
  type RecapPart,
  type Title,
  titleHours,
  titleOf,
  titleShares,
} from '../models/facts.ts';
import {
  ALL,
  isMonth,
  isOver,
  type KnownTime,
  neighboursOf,
  type Period,
  startOf,
} from '../models/period.ts';
import { timeChange } from './community-card.ts';

export type RecapView = 'picture' | 'words';

interface RecapContext extends KnownTime {
  readonly driver: DriverNames & { readonly username: string };
  readonly period: Period;
  readonly view: RecapView;
  readonly zone: ReaderZone;
  /** The driver's place by time online, of so many; null: it is not known. */
  readonly rank: (Pick<TopRow, 'rank'> & { readonly count: number }) | null;
  readonly community: string | null;
  readonly isProved: boolean;
}

/** `gain`: against the month before; null: it cannot be told. */
type Fact = Readonly<Record<'label' | 'value', string>> & { readonly gain?: string | null };

/** A driver's month, or another period, as a picture or in words, which say the same. */
export function recapCard(facts: RecapFacts, about: RecapContext, t: Translator): Card {
  const isDrawn = !facts.isThin && facts.time > 0;
  const period = periodName(about.period, about.zone.name, t);
  const title = joinParts(markVerified(driverName(about.driver), about.isProved), period);
  const earned = titleOf(facts);
  const parts: RecapParts = {
    period,
    title: earned && t(`recap.title.${earned}`),
    figures: figuresOf(facts, about, t),
    gains: gainsOf(facts, about, t),
    bars: {
      label: t(isMonth(about.period) ? 'recap.byDay' : 'recap.byMonth'),
      value: barsText(facts, about, t),
    },
    rank: rankOf(about, t),
    small: smallLines(facts, about, t),
  };
  const allFacts = [...parts.figures, ...compact(parts.gains, parts.rank, isDrawn ? parts.bars : null)].map(
    ({ label, value, gain = null }) => ({ label, value: joinParts(value, gain) }),
  );
  const reason =
    earned &&
    t('card.labelled', { label: `🏅 **${parts.title}**`, value: reasonOf(earned, facts, about, t) });
  const lead = [
    reason,
    facts.time === 0 && !facts.isThin ? t('recap.notSeen') : null,
    ...allFacts.map(({ label, value }) => labelledFact(label, value)),
    parts.gains === null &&
    isMonth(about.period) &&
    isOver(about.period, about.zone.name, about.now) &&
    facts.time > 0
      ? `-# ${t('recap.noGains')}`
      : null,
    facts.isThin ? (hasJustBegun(facts, about) ? t('recap.young', { period }) : t('recap.thin')) : null,
    ...parts.small.map((line) => `-# ${line}`),
  ];
  const card = {
    ...createCard({ title, lead, components: controls(isDrawn ? 'picture' : null, about, t) }, t),
    // A period that is over has nothing newer, so that no *Refresh* names the view.
    view: isOver(about.period, about.zone.name, about.now) ? viewOf(about) : null,
  };
  if (!isDrawn || about.view === 'words') return card;
  const alt = [title, reason, ...allFacts.map((fact) => t('card.labelled', fact)), ...parts.small];
  return {
    ...card,
    picture: {
      name: 'recap',
      chart: chartOf(facts, parts, about, t),
      alt: pictureAlt(...alt.map((line) => line && withoutMarks(line))),
      embeds: [],
      components: controls('words', about, t),
    },
  };
}

/** The texts of words and picture. */
interface RecapParts {
  readonly period: string;
  readonly title: string | null;
  readonly figures: readonly Fact[];
  readonly gains: Fact | null;
  /** The bars of the picture. */
  readonly bars: Fact;
  readonly rank: Fact | null;
  readonly small: readonly string[];
}

/** Returns one of the bot's own lines as a picture and its words have it. */
const withoutMarks = (line: string): string => line.replaceAll(/`|\*\*/g, '');

/** Nothing is missing but the days to come. */
function hasJustBegun({ missing }: RecapFacts, { period, zone, now }: RecapContext): boolean {
  return period !== ALL && missing < MIN_TOLD_HOLE_MS && !isOver(period, zone.name, now);
}

function periodName(period: Period, zone: string, t: Translator): string {
  if (period === ALL) return t('recap.span.all');
  return isMonth(period) ? zonedFormats(t.locale, zone).month(startOf(period, zone)) : String(period);
}

function reasonOf(title: Title, { newSince }: RecapFacts, { zone }: RecapContext, t: Translator): string {
  const { hour, day } = zonedFormats(t.locale, zone.name);
  switch (title) {
    case 'newcomer':
      return t('recap.why.newcomer', { date: day(newSince ?? 0) });
    case 'marathon':
      return t('recap.why.marathon', { times: t.number(MARATHON_TIMES) });
    case 'police':
    case 'medic':
    case 'tow':
    case 'everywhere':
    case 'loyal':
      return t(`recap.why.${title}`, { share: t.percent(titleShares[title]) });
    case 'night':
    case 'morning':
    case 'evening': {
      const { from, to } = titleHours[title];
      return t(`recap.why.${title}`, { from: hour(from), to: hour(to) });
    }
    default:
      return t(`recap.why.${title}`);
  }
}

/** Five figures: the last one is the duty, or the days where there was none. */
function figuresOf(facts: RecapFacts, { zone }: RecapContext, t: Translator): readonly Fact[] {
  const { time, more, busiest, hour, server, duty, days } = facts;
  if (time === 0 || busiest === null || hour === null || server === null) return [];
  const formats = zonedFormats(t.locale, zone.name);
  const isWhole = facts.missing < MIN_TOLD_HOLE_MS;
  const busiestDay = t('recap.busiest', { day: formats.shortDay(busiest.at) });
  return [
    {
      label: t('top.what.playtime'),
      value: knownTime(time, isWhole, t),
      gain: more === null ? null : timeChange(more, t),
    },
    { label: busiestDay, value: t.duration(busiest.time / SECOND) },
    { label: t('recap.mostly'), value: formats.hours(hour, hour + 1) },
    {
      label: t('recap.server'),
      value: joinParts(serverName(server.server, t), t.percent(server.share)),
    },
    duty === null
      ? { label: t('recap.days'), value: t.number(days) }
      : {
          label: t(`recap.duty.${duty.role}`),
          value: knownTime(duty.time, isWhole && !facts.isDutyPartial, t),
        },
  ];
}

function gainsOf({ gains }: RecapFacts, { period, zone }: RecapContext, t: Translator): Fact | null {
  if (gains === null) return null;
  const { distance, money, chases, from, to } = gains;
  const { day, date } = zonedFormats(t.locale, zone.name);
  const format = isMonth(period) ? day : date;
  const value = joinParts(
    distance === null ? null : `+${t.distance(distance)}`,
    money === null ? null : t('gains.money', { amount: `+${t.number(money)}` }),
    chases === null || chases === 0 ? null : t('gains.chases', { count: chases }),
  );
  return value === '' ? null : { label: t('recap.between', { from: format(from), to: format(to) }), value };
}

/** In the upper half of the ranking, as profiles tell it. */
function rankOf({ rank }: RecapContext, t: Translator): Fact | null {
  if (rank === null || rank.rank > Math.max(1, rank.count / 2)) return null;
  return { label: t('recap.place'), value: placeText({ subject: 'playtime', ...rank }, t) };
}

/** Tells since when anything is known, how much is not, and the zone of the days. */
function smallLines(
  facts: RecapFacts,
  { period, since, zone }: RecapContext,
  t: Translator,
): readonly string[] {
  const { date } = zonedFormats(t.locale, zone.name);
  return compact(
    period === ALL || since > facts.span.from ? t('past.since', { date: date(since) }) : null,
    unknownText(facts, period, t),
    aboutZone(zone, 'both', t),
    facts.more === null || facts.time === 0 ? null : t('recap.against'),
  );
}

/** A month's missing days are those that are hatched, if there are any. */
function unknownText({ parts, missing }: RecapFacts, period: Period, t: Translator): string | null {
  const unknown = parts.filter(({ state }) => state === 'unknown').length;
  return unknown > 0 && isMonth(period)
    ? t('past.missingDays', { count: unknown })
    : missingTimeText(missing, t);
}

function chartOf(
  facts: RecapFacts,
  { period, title, figures, gains, bars, rank, small }: RecapParts,
  about: RecapContext,
  t: Translator,
): DriverCard {
  const { driver, community, isProved } = about;
  const line = joinParts(title, rank?.value ?? null);
  return {
    kind: 'driver',
    community: drawnCommunity(community),
    name: drawnName(driver, t),
    login: driver.username,
    isProved,
    flag: null,
    aboutLine: period,
    figures: figures.map(({ label, value, gain = null }) => ({ label, value, gain })),
    rank: line === '' ? null : line,
    car: gains,
    week: { label: bars.label, days: barsOf(facts, about, t) },
    smallLines: small.map(withoutMarks),
  };
}

/** Days with a number below them: others would touch. */
const LABEL_INTERVAL_DAYS = 7;

function barsOf({ parts }: RecapFacts, about: RecapContext, t: Translator) {
  const longest = Math.max(1, ...parts.map(({ time }) => time));
  const hasLabel = (at: number): boolean => !isMonth(about.period) || at % LABEL_INTERVAL_DAYS === 0;
  return parts.map((part, at) => ({
    label: hasLabel(at) ? numberOf(part, at, about, t) : '',
    ...(part.state === 'ahead' ? {} : { share: part.state === 'unknown' ? null : part.time / longest }),
  }));
}

/** Returns the bars in words, those of a month by week so that they fit. */
function barsText({ parts, missing }: RecapFacts, about: RecapContext, t: Translator): string {
  const size = isMonth(about.period) ? LABEL_INTERVAL_DAYS : 1;
  const pastParts = parts.filter(({ state }) => state !== 'ahead');
  const bars = pastParts.flatMap((first, at) => {
    if (at % size !== 0) return [];
    const group = pastParts.slice(at, at + size);
    const knownParts = group.filter(({ state }) => state === 'known');
    const last = at + group.length - 1;
    const ends = [numberOf(first, at, about, t), numberOf(group.at(-1) ?? first, last, about, t)];
    return {
      label: [...new Set(ends)].join('–'),
      time: knownParts.length === 0 ? null : sumBy(knownParts, ({ time }) => time),
      isWhole: missing < MIN_TOLD_HOLE_MS,
    };
  });
  return barsInWords(bars, t);
}

/** The number of the day or the month. */
function numberOf({ from }: RecapPart, at: number, { period, zone }: RecapContext, t: Translator): string {
  return t.number(isMonth(period) ? at + 1 : new Date(wallTime(zone.name, from)).getUTCMonth() + 1);
}

function viewOf({ driver, period, view }: RecapContext): CustomId {
  return { command: 'recap', subject: driver.username, action: view, number: period };
}

/** `other`: the view that is one press away; null: there is no other. */
function controls(other: RecapView | null, about: RecapContext, t: Translator): Card['components'] {
  const { driver, period, view, zone } = about;
  const id = { command: 'recap', subject: driver.username };
  const { previous, next } = neighboursOf(period, zone.name, about);
  const turn = (label: string, to: Period | null, side: number): Button =>
    to === null
      ? { ...id, label, action: 'none', number: side, disabled: true }
      : { ...id, label, action: view, number: to };
  const turns = period === ALL ? [] : [turn('◀', previous, 0), turn('▶', next, 1)];
  const toggle =
    other === null ? [] : [{ ...id, action: other, number: period, label: t(`recap.view.${other}`) }];
  const refresh = isOver(period, zone.name, about.now) ? [] : [refreshButton(viewOf(about), t)];
  const ownZone = zone.by === null ? zoneButton(zone, t) : [];
  return [buttonRow(...turns, ...toggle, ...refresh, ...ownZone)];
}
