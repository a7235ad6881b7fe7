import { MINUTE } from '../../../src/base/duration.ts';
import { hourOf, wallTime, weekdayOf } from '../../../src/base/zone.ts';
import {
  knownUntil,
  missingText,
  smallPrint,
  unseenLine,
} from '../../../src/cards/history/coverage-lines.ts';
import { aboutZone, zoneButton } from '../../../src/cards/history/reader-zone.ts';
import { shareGauge } from '../../../src/cards/kit/bar.ts';
import { buttonRow, type Card, createCard, refreshButton } from '../../../src/cards/kit/card.ts';
import { labelledFact } from '../../../src/cards/kit/lines.ts';
import { serverLabel } from '../../../src/cards/servers/server-lines.ts';
import type { WeekAverages } from '../../../src/community/history/history.ts';
import { formatMoment } from '../../../src/i18n/timestamp.ts';
import type { Translator } from '../../../src/i18n/translator.ts';
import { type ZonedFormats, zonedFormats } from '../../../src/i18n/zoned-formats.ts';
import type { HeatMap } from '../../../src/pictures/chart.ts';
import type { HistoryView } from './history-card.ts';

/** Card of the busy hours of the week: the best ones as text, all of them as a picture. */
export function busyCard(
  averages: WeekAverages,
  { where, zone, unseen, now }: Omit<HistoryView, 'span'>,
  t: Translator,
): Card {
  const place = where === 'all' ? t('history.everywhere') : serverLabel(where, t);
  const title = t('busy.title', { where: place });
  const facts = busyFacts(averages, wallTime(zone.name, now));
  const refresh = refreshButton({ command: 'busy', action: 'show', subject: where }, t);
  const components = [buttonRow(refresh, ...zoneButton(zone, t))];
  if (facts === null) {
    const lead = [
      averages.since === null ? t('history.none') : t('busy.tooEarly', { hours: MIN_KNOWN_HOURS }),
    ];
    return createCard({ title, lead, components }, t);
  }
  const formats = zonedFormats(t.locale, zone.name);
  const content = {
    title,
    lead: [
      labelledFact(t('busy.label.tonight'), facts.tonight && stretchText(facts.tonight, formats, t)),
      labelledFact(t('busy.label.busiest'), hourText(facts.busiest, formats, t)),
      labelledFact(t('busy.label.quietest'), hourText(facts.quietest, formats, t)),
      smallPrint(
        aboutZone(zone, 'hours', t),
        t('busy.weeks', { count: facts.weeks, date: formatMoment(averages.since, 'date', t) }),
        missingText(averages, t),
        where === 'all' ? unseenLine(unseen, t) : null,
      ),
    ],
    tail: knownUntil(averages.until, now, t),
    components,
  };
  // Beside the picture the same days in words would push it off a phone's screen.
  const { embeds } = createCard(content, t);
  const picture = {
    name: 'busy',
    chart: chartOf(averages, facts, formats, t),
    embeds,
    alt: altText(title, facts, zone.name, formats, t),
  };
  const lines = facts.days.map((day) => dayLine(day, facts, formats, t));
  return createCard({ ...content, sections: [{ name: t('busy.days'), lines }], picture }, t);
}

function dayLine(day: BusyStretch, { busiest }: BusyFacts, formats: ZonedFormats, t: Translator): string {
  const filled = shareGauge(busiest.drivers === 0 ? 0 : day.drivers / busiest.drivers);
  const [from, to] = hoursText(day, formats);
  // Short, to fit into one line on a phone.
  return `${filled} ${formats.weekday(day.first.day, 'short')} ${from}–${to} · **${t.number(Math.round(day.drivers))}**`;
}

/** "20:00–22:00, about 120 drivers". */
function stretchText(stretch: BusyStretch, formats: ZonedFormats, t: Translator): string {
  const [from, to] = hoursText(stretch, formats);
  return t('busy.stretch', { from, to, count: Math.round(stretch.drivers) });
}

function hoursText({ first, last }: BusyStretch, formats: ZonedFormats): readonly [from: string, to: string] {
  return [formats.hour(first.hour), formats.hour(last.hour + 1)];
}

/** "Saturday 21:00, about 140 drivers". */
function hourText({ day, hour, drivers }: BusyHour, formats: ZonedFormats, t: Translator): string {
  const place = { day: formats.weekday(day, 'long'), hour: formats.hour(hour) };
  return t('busy.hour', { ...place, count: Math.round(drivers) });
}

/** Hours between two labels. */
const LABEL_INTERVAL_HOURS = 6;

function chartOf(
  { days }: WeekAverages,
  { busiest, tonight }: BusyFacts,
  formats: ZonedFormats,
  t: Translator,
): HeatMap {
  const share = (drivers: number): number =>
    busiest.drivers === 0 ? 0 : Math.round((drivers / busiest.drivers) * 100) / 100;
  return {
    kind: 'heat-map',
    rows: days.map((hours, day) => ({
      label: formats.weekday(day, 'short'),
      cells: hours.map((hour) => (hour === null ? null : share(hour.drivers))),
    })),
    across: Array.from({ length: 24 / LABEL_INTERVAL_HOURS }, (_, index) => ({
      at: index * LABEL_INTERVAL_HOURS,
      label: formats.hour(index * LABEL_INTERVAL_HOURS),
    })),
    scale: { low: t.number(0), high: t('server.drivers', { count: Math.round(busiest.drivers) }) },
    framed: tonight && {
      label: t('busy.tonight'),
      cells: hoursOf(tonight).map(({ day, hour }) => ({ row: day, column: hour })),
    },
    gap: t('history.gap'),
  };
}

function altText(
  title: string,
  { busiest, quietest, tonight }: BusyFacts,
  zone: string,
  formats: ZonedFormats,
  t: Translator,
): string {
  const hours = { busiest: hourText(busiest, formats, t), quietest: hourText(quietest, formats, t) };
  const alt = t('busy.alt', { title, zone, ...hours });
  if (tonight === null) return alt;
  return `${alt} ${t('busy.altTonight', { stretch: stretchText(tonight, formats, t) })}`;
}

/** An hour of the week: 0, Monday, to 6, and 0 to 23. */
interface BusyHour {
  readonly day: number;
  readonly hour: number;
  /** On average. */
  readonly drivers: number;
}

/** Consecutive hours about as busy as the busiest of them. */
interface BusyStretch {
  readonly first: BusyHour;
  readonly last: BusyHour;
  /** In the busiest hour, on average. */
  readonly drivers: number;
}

interface BusyFacts {
  readonly busiest: BusyHour;
  readonly quietest: BusyHour;
  /** The weeks that the averages are of, at most; the hour under way, which can have one more, does not count. */
  readonly weeks: number;
  /** The best of this evening or of this night, as far as it is still ahead; null where nothing is known of it. */
  readonly tonight: BusyStretch | null;
  /** The best of each weekday of which something is known. */
  readonly days: readonly BusyStretch[];
}

/** An evening lasts from 17:00 to 4:00; before, there is more than one to choose from. */
const EVENING_HOUR = 17;
const NIGHT_END_HOUR = 4;
/** An hour with less left of it than this, in ms, is over for a reader. */
const MIN_REMAINING_MS = 30 * MINUTE;
/** Hours with at least this share of the best one are as good. */
const MIN_SHARE_OF_BEST = 0.9;

/** Before there is something of as many hours as a day has, the busiest is only the busiest of those watched. */
const MIN_KNOWN_HOURS = 24;

/** Null where too little is known. `wall`: what clocks show now, where the averages' hours are. */
function busyFacts({ days }: WeekAverages, wall: number): BusyFacts | null {
  const at = (day: number, hour: number): BusyHour | null => {
    const average = days[day]?.[hour] ?? null;
    return average && { day, hour, drivers: average.drivers };
  };
  const all = days.map((hours, day) => hours.map((_, hour) => at(day, hour)));
  const knownHours = all.flat().filter((hour) => hour !== null);
  const [busiest, quietest] = [highest(knownHours), knownHours.toSorted((a, b) => a.drivers - b.drivers)[0]];
  if (busiest === undefined || quietest === undefined || knownHours.length < MIN_KNOWN_HOURS) return null;
  return {
    busiest,
    quietest,
    weeks: days.flatMap((hours) => hours.map((hour) => hour?.weeks ?? 0)).toSorted((a, b) => b - a)[1] ?? 0,
    tonight: best(hoursTonight(wall).map(({ day, hour }) => at(day, hour))),
    days: all.map(best).filter((stretch) => stretch !== null),
  };
}

function hoursTonight(wall: number): readonly { readonly day: number; readonly hour: number }[] {
  const start = wall + MIN_REMAINING_MS - 1;
  const [day, hour] = [weekdayOf(start), hourOf(start)];
  const [from, to] =
    hour < NIGHT_END_HOUR ? [hour, NIGHT_END_HOUR] : [Math.max(hour, EVENING_HOUR), 24 + NIGHT_END_HOUR];
  return Array.from({ length: to - from }, (_, index) => ({
    day: (day + Math.floor((from + index) / 24)) % 7,
    hour: (from + index) % 24,
  }));
}

/** Around the busiest of these hours, which follow each other. */
function best(hours: readonly (BusyHour | null)[]): BusyStretch | null {
  const top = highest(hours.filter((hour) => hour !== null));
  if (top === undefined) return null;
  const place = hours.indexOf(top);
  const isWorse = (hour: BusyHour | null): boolean =>
    hour === null || hour.drivers < MIN_SHARE_OF_BEST * top.drivers;
  const from = hours.findLastIndex((hour, at) => at < place && isWorse(hour)) + 1;
  const end = hours.findIndex((hour, at) => at > place && isWorse(hour));
  const last = hours.at(end === -1 ? -1 : end - 1);
  return { first: hours[from] ?? top, last: last ?? top, drivers: top.drivers };
}

function highest(hours: readonly BusyHour[]): BusyHour | undefined {
  return hours.toSorted((a, b) => b.drivers - a.drivers)[0];
}

/** The hours of a stretch, over midnight and over the end of the week. */
function hoursOf({ first, last }: BusyStretch): readonly { readonly day: number; readonly hour: number }[] {
  const index = ({ day, hour }: BusyHour): number => day * 24 + hour;
  const length = ((index(last) - index(first) + 168) % 168) + 1;
  return Array.from({ length }, (_, after) => {
    const at = (index(first) + after) % 168;
    return { day: Math.floor(at / 24), hour: at % 24 };
  });
}
