import { HOUR } from '../../../src/base/duration.ts';
import {
  altText,
  type HistoryFacts,
  type HistoryPart,
  historyChart,
  historyFacts,
  knownParts,
  rounded,
} from '../../../src/cards/history/course.ts';
import { knownUntil, smallPrint, unseenLine } from '../../../src/cards/history/coverage-lines.ts';
import { aboutZone, type ReaderZone, zoneButton } from '../../../src/cards/history/reader-zone.ts';
import {
  divideStretch,
  divisions,
  type HistoryPlace,
  type Span,
  spans,
  stretchOf,
} from '../../../src/cards/history/span.ts';
import { shareGauge } from '../../../src/cards/kit/bar.ts';
import {
  buttonRow,
  type Card,
  createCard,
  refreshButton,
  type Section,
} from '../../../src/cards/kit/card.ts';
import {
  formatOptional,
  joinParts,
  keepBracketsTogether,
  labelledFact,
} from '../../../src/cards/kit/lines.ts';
import { serverLabel } from '../../../src/cards/servers/server-lines.ts';
import type { Counts } from '../../../src/community/history/history.ts';
import { formatMoment } from '../../../src/i18n/timestamp.ts';
import type { Translator } from '../../../src/i18n/translator.ts';
import { zonedFormats } from '../../../src/i18n/zoned-formats.ts';

export interface HistoryView {
  readonly where: HistoryPlace;
  readonly span: Span;
  readonly zone: ReaderZone;
  /** Servers without a live file, which are in no sum of all. */
  readonly unseen: readonly string[];
  /** When it was asked for, in unix milliseconds. */
  readonly now: number;
}

/** Drivers over a span: the facts as text, the same as a picture, and how much of it is known. */
export function historyCard(counts: Counts, view: HistoryView, t: Translator): Card {
  const { where, span, zone, now } = view;
  const stretch = stretchOf(span, now);
  const place = where === 'all' ? t('history.everywhere') : serverLabel(where, t);
  const title = t('history.title', { where: place, span: t(`history.span.${span}`) });
  const facts = historyFacts(counts, stretch, zone.name);
  const views = spans.map((each) => ({
    command: 'history',
    action: each,
    subject: where,
    label: t(`history.span.${each}`),
    here: each === span,
  }));
  const refresh = refreshButton({ command: 'history', action: span, subject: where }, t);
  // The moments of a day are Discord's timestamps while no zone is known: no clock stands beside another one.
  const isAnywhere = zone.by === null && span === 'day';
  const components = [buttonRow(...views, refresh, ...(isAnywhere ? [] : zoneButton(zone, t)))];
  if (facts === null) return createCard({ title, lead: [t('history.none')], components }, t);
  const content = {
    title,
    lead: [
      ...factLines(facts, view, t),
      smallPrint(
        ...caveats(facts, counts, view, t),
        where === 'all' ? unseenLine(view.unseen, t) : null,
        isAnywhere ? null : aboutZone(zone, span === 'day' ? 'hours' : 'days', t),
      ),
    ],
    tail: knownUntil(counts.until, now, t),
    components,
  };
  // Beside the picture the same course in words would push it off a phone's screen.
  const { embeds } = createCard(content, t);
  const picture = {
    name: 'history',
    alt: altText(title, facts, zone, t),
    embeds,
    chart: historyChart(counts, facts, { span, stretch, zone: isAnywhere ? null : zone.name }, t),
  };
  return createCard({ ...content, sections: [partsSection(counts, view, t)], picture }, t);
}

/** When it was, as short as the span allows. */
function whenIn({ span, zone }: HistoryView, t: Translator): (at: number) => string {
  const formats = zonedFormats(t.locale, zone.name);
  if (zone.by !== null) return span === 'day' ? formats.time : formats.moment;
  return (at) => `${span === 'day' ? '' : `${formatMoment(at, 'date', t)} `}${formatMoment(at, 'clock', t)}`;
}

function factLines(
  { peak, average, latest, police, isPolicePartly, busiestDay }: HistoryFacts,
  view: HistoryView,
  t: Translator,
): readonly (string | null)[] {
  const formats = zonedFormats(t.locale, view.zone.name);
  const day = busiestDay && {
    day: formats.longDay(busiestDay.from),
    average: rounded(busiestDay.average, t),
  };
  return [
    joinParts(
      labelledFact(t('history.label.latest'), formatOptional(latest, t.number)),
      labelledFact(t('history.label.peak'), `${t.number(peak.drivers)} (${whenIn(view, t)(peak.at)})`),
      labelledFact(t('history.label.average'), rounded(average, t)),
    ),
    labelledFact(
      t('history.label.busiestDay'),
      day && keepBracketsTogether(t('history.dayWithAverage', day)),
    ),
    labelledFact(
      t('history.label.police'),
      formatOptional(police, (known) =>
        joinParts(rounded(known, t), isPolicePartly ? t('board.dutyPartly') : null),
      ),
    ),
  ];
}

function caveats(
  { missing }: HistoryFacts,
  { since, step }: Counts,
  view: HistoryView,
  t: Translator,
): readonly (string | null)[] {
  const { from } = stretchOf(view.span, view.now);
  const when = whenIn(view, t);
  return [
    missing && missingText(missing, when, t),
    since !== null && since > from + step ? t('history.since', { date: when(since) }) : null,
  ];
}

function missingText(
  { ms, gaps, longest }: NonNullable<HistoryFacts['missing']>,
  when: (at: number) => string,
  t: Translator,
): string {
  const duration = t.duration(ms / 1000);
  if (longest === null) return t('past.missing', { duration });
  return t('history.missing', { count: gaps, duration, from: when(longest.from), to: when(longest.to) });
}

/** Known share from which a part counts as whole, like a day with 18 of 24 hours. A line with less says so. */
const MIN_WHOLE_SHARE = 0.75;

/** Returns the course in words, for readers without the picture. */
function partsSection({ points, since }: Counts, { span, zone, now }: HistoryView, t: Translator): Section {
  const fullStretch = stretchOf(span, now);
  const stretch = { ...fullStretch, from: Math.max(fullStretch.from, since ?? 0) };
  const parts = knownParts(points, divideStretch(stretch, zone.name, divisions[span].written));
  const formats = zonedFormats(t.locale, zone.name);
  const time = zone.by === null ? (at: number) => formatMoment(at, 'clock', t) : formats.time;
  const nameOf: Readonly<Record<Span, (part: HistoryPart) => string>> = {
    day: ({ from, to }) => `${time(from)}–${time(to)}`,
    week: ({ from }) => formats.shortDay(from),
    month: ({ from, to }) => `${formats.day(from)} – ${formats.day(to - 1)}`,
  };
  const highest = Math.max(...parts.map(({ average }) => average));
  const line = (part: HistoryPart): string => {
    const { average, most, known } = part;
    const numbers = { average: rounded(average, t), most };
    const filled = shareGauge(highest === 0 ? 0 : average / highest);
    const namedMs = span === 'week' ? divisions.week.written * HOUR : part.to - part.from;
    const only =
      known < namedMs * MIN_WHOLE_SHARE
        ? ` (${t('history.only', { duration: t.duration(known / 1000) })})`
        : '';
    return `${filled} ${nameOf[span](part)} · ${t('history.part', numbers)}${only}`;
  };
  return { name: t(`history.parts.${span}`), lines: parts.map(line) };
}
