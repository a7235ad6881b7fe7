import { DAY } from '../../../src/base/duration.ts';
import { sumBy } from '../../../src/base/sum-by.ts';
import { startsOf, wallTime, weekdayOf } from '../../../src/base/zone.ts';
import { modelName } from '../../../src/cards/car/car-models.ts';
import { knownTime, MIN_TOLD_HOLE_MS } from '../../../src/cards/history/coverage-lines.ts';
import { gainsSince, type ProfilePast, rankText } from '../../../src/cards/history/gains.ts';
import { conditionText } from '../../../src/cards/kit/bar.ts';
import { buttonRow, type Card, refreshButton } from '../../../src/cards/kit/card.ts';
import {
  type Bar,
  barsInWords,
  drawnCommunity,
  drawnName,
  pictureAlt,
} from '../../../src/cards/kit/drawn.ts';
import { driverName, markVerified } from '../../../src/cards/kit/driver.ts';
import { oldData } from '../../../src/cards/kit/freshness.ts';
import { compact, formatDistance, formatOptional, joinParts } from '../../../src/cards/kit/lines.ts';
import { tellButtons } from '../../../src/cards/kit/tell-buttons.ts';
import {
  type DriverHistory,
  knownWithin,
  type Presence,
  playedWithin,
} from '../../../src/community/history/history.ts';
import type { Translator } from '../../../src/i18n/translator.ts';
import { zonedFormats } from '../../../src/i18n/zoned-formats.ts';
import type { DriverCard } from '../../../src/pictures/chart.ts';
import type { Answer } from '../../../src/service/models/dated.ts';
import type { Profile } from '../../../src/service/models/profile.ts';
import { cutText } from '../../../src/text/cut.ts';
import { bestCar, flagCode, isOnline, onlineText } from './overview.ts';
import { chasesOf } from './rates.ts';

interface PictureFacts {
  readonly answer: Answer<Profile>;
  readonly past: ProfilePast | null;
  /** Null where nothing is known that is newer than the record. */
  readonly presence: Presence | null;
  /** Null where the live files have not named the driver, or the store fails. */
  readonly sessions: Pick<DriverHistory, 'current' | 'sessions' | 'since' | 'until' | 'holes'> | null;
  /** Name of the community, in plain text; null while it is not known. */
  readonly community: string | null;
  /** IANA: of whoever asks. */
  readonly zone: string;
  /** In unix milliseconds. */
  readonly now: number;
  readonly isProved: boolean;
}

/**
 * A driver to show around: the name in the game's own colours, which phones show nowhere else, the country, three figures and
 * what a week has added, the rank, the best car, and the hours of seven days.
 */
export function driverPicture(facts: PictureFacts, t: Translator): NonNullable<Card['picture']> {
  const { answer, presence, isProved } = facts;
  const { username: subject } = answer.record;
  const week = weekOf(facts, t);
  const chart = driverChart(facts, week, t);
  const title = markVerified(driverName(answer.record), isProved);
  const warning = oldData(answer, t);
  return {
    name: 'driver',
    chart,
    lineAbove: onlineText(answer, presence, t),
    alt: pictureAlt(
      title,
      chart.community,
      ...linesOf(chart, t),
      week && barsInWords(week.days, t),
      ...chart.smallLines,
    ),
    embeds: warning === null ? [] : [{ description: warning }],
    components: [
      buttonRow(
        refreshButton({ command: 'profile', action: 'drawn', subject }, t),
        { command: 'profile', action: 'overview', subject, label: t('profile.view.overview') },
        ...(isOnline(answer, presence) === false ? tellButtons('driver', subject, t) : []),
      ),
    ],
  };
}

/** The facts below the name, one in a line. */
function linesOf({ aboutLine, figures, rank, car, week }: DriverCard, t: Translator): readonly string[] {
  const lines = figures.map(({ label, value, gain }) =>
    t('card.labelled', { label, value: gain === null ? value : `${value} (${gain})` }),
  );
  return compact(
    aboutLine === '' ? null : aboutLine,
    ...lines,
    rank,
    car && t('card.labelled', car),
    week?.label ?? null,
  );
}

/** Characters of a car's model. */
const MAX_MODEL_LENGTH = 30;
function driverChart(facts: PictureFacts, week: Week | null, t: Translator): DriverCard {
  const { answer, past, community, zone, isProved } = facts;
  const { record } = answer;
  const { day, date } = zonedFormats(t.locale, zone);
  const gained = past === null ? null : gainsSince(answer, past.earlier);
  const country = record.country === null ? null : t.country(record.country);
  return {
    kind: 'driver',
    community: drawnCommunity(community),
    name: drawnName(record, t),
    login: record.username,
    isProved,
    flag: record.country === null || country === null ? null : flagCode(record.country),
    aboutLine: joinParts(
      country,
      formatOptional(record.joined, (at) => `${t('profile.joined')} ${date(at)}`),
    ),
    figures: figuresOf(record, gained, t),
    rank: past?.best ? rankText(past.best, t) : null,
    car: carOf(record, t),
    week: week && {
      label: week.label,
      days: week.days.map(({ label, time }) => ({
        label,
        share: time === null ? null : time / week.longest,
      })),
    },
    smallLines: [
      joinParts(
        // A day, since a time would need its zone wherever the picture is shown.
        `${t('card.asOf')} ${day(answer.asOf)}`,
        gained === null ? null : t('picture.gains', { date: day(gained.since) }),
      ),
    ],
  };
}

function carOf({ cars }: Profile, t: Translator): DriverCard['car'] {
  const car = bestCar(cars ?? []);
  if (car === null) return null;
  const condition = formatOptional(car.condition, (percent) => conditionText(percent / 100, t));
  return {
    label: t('picture.car'),
    value: joinParts(
      cutText(modelName(car.type, t), MAX_MODEL_LENGTH),
      formatDistance(car.odometerKm, t),
      condition,
    ),
  };
}

function figuresOf(
  { stats }: Profile,
  gained: ReturnType<typeof gainsSince>,
  t: Translator,
): DriverCard['figures'] {
  const { driven_distance: metres, gaming_time_total: seconds } = stats?.known ?? {};
  const chases = chasesOf(stats?.known ?? {});
  const plus = (gain: number | undefined, inWords: (gain: number) => string): string | null =>
    gain === undefined || gain <= 0 ? null : `+${inWords(gain)}`;
  const figures = [
    ['distance', formatOptional(metres, t.distance), plus(gained?.distance, t.distance)],
    ['playtime', formatOptional(seconds, t.duration), plus(gained?.online, t.duration)],
    [
      'chases',
      chases && `${t.number(chases.won)}/${t.number(chases.won + chases.lost)}`,
      plus(gained?.chases, t.number),
    ],
  ] as const;
  return figures.flatMap(([what, value, gain]) =>
    value === null ? [] : [{ label: t(`top.what.${what}`), value, gain }],
  );
}

/** A day of which less is known is not drawn. */
const KNOWN = 0.5;

interface Week {
  readonly label: string;
  readonly days: readonly Bar[];
  /** The longest time online on a day, in ms. */
  readonly longest: number;
}

/** The time online on each of seven days by the clocks of the zone; the last one is today. */
function weekOf({ sessions: history, zone, now }: PictureFacts, t: Translator): Week | null {
  if (history === null) return null;
  const { current, sessions, ...coverage } = history;
  const starts = startsOf(zone, { from: now - 8 * DAY, to: now }, 24).slice(-7);
  const played = [...sessions, ...(current === null ? [] : [current])];
  const days = starts.map((from, day) => {
    const span = { from, to: starts[day + 1] ?? now };
    const seen = knownWithin(coverage, span);
    return {
      label: zonedFormats(t.locale, zone).weekday(weekdayOf(wallTime(zone, from)), 'short'),
      missing: span.to - span.from - seen,
      isKnown: seen >= KNOWN * (span.to - span.from),
      time: sumBy(played, (session) => playedWithin(session, span)),
    };
  });
  if (days.every(({ isKnown }) => !isKnown)) return null;
  const isWhole = sumBy(days, ({ missing }) => missing) < MIN_TOLD_HOLE_MS;
  const timeOnline = sumBy(days, ({ time }) => time);
  return {
    label: t('picture.week', { duration: knownTime(timeOnline, isWhole, t) }),
    longest: Math.max(1, ...days.map(({ time }) => time)),
    days: days.map(({ label, missing, isKnown, time }) => ({
      label,
      time: isKnown || time > 0 ? time : null,
      isWhole: missing < MIN_TOLD_HOLE_MS,
    })),
  };
}
