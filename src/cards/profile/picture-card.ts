import { DAY, SECOND } from '../../base/duration.ts';
import { beginnings, wallTime, weekdayOf } from '../../base/zone.ts';
import type { Translator } from '../../i18n/translator.ts';
import { zonedFormats } from '../../i18n/zoned-formats.ts';
import type { DriverCard } from '../../pictures/chart.ts';
import type { Answer } from '../../service/models/dated.ts';
import type { DriverHistory } from '../../service/models/history.ts';
import type { Profile } from '../../service/models/profile.ts';
import { WORTH_TELLING } from '../history/coverage-lines.ts';
import { gainsSince, type ProfilePast, rankText } from '../history/gains.ts';
import { overlap } from '../history/span.ts';
import { buttons, type Card, card, refreshButton } from '../kit/card.ts';
import { driverName, nameCell } from '../kit/driver.ts';
import { asOf, oldData } from '../kit/freshness.ts';
import { present, written } from '../kit/lines.ts';
import { chasesOf } from './rates.ts';

interface PictureFacts {
  readonly answer: Answer<Profile>;
  readonly past: ProfilePast | null;
  /** Null where the live files have not named the driver, or the store fails. */
  readonly sessions: Pick<DriverHistory, 'current' | 'sessions' | 'since' | 'until' | 'holes'> | null;
  /** IANA: of whoever asks. */
  readonly zone: string;
  /** In unix milliseconds. */
  readonly now: number;
  readonly isProved: boolean;
}

/**
 * A driver to show around: the name in the game's own colours, which phones show nowhere else, three figures and what a
 * week has added, the rank, and the hours of seven days. The words say the same where the picture cannot be drawn.
 */
export function pictureCard(facts: PictureFacts, t: Translator): Card {
  const { answer, isProved } = facts;
  const chart = driverChart(facts, t);
  const said = factsIn(chart);
  const content = {
    title: driverName(answer.record) + (isProved ? ' ✅' : ''),
    tail: asOf(answer, t),
    components: [
      buttons(refreshButton({ command: 'profile', action: 'drawn', subject: answer.record.username }, t)),
    ],
  };
  const warning = oldData(answer, t);
  return {
    ...card({ ...content, lead: [warning, ...said] }, t),
    picture: {
      name: 'driver',
      chart,
      alt: [driverName(answer.record), ...said, chart.asOf].join('\n').slice(0, ALT),
      embed: card({ ...content, lead: [warning] }, t).embeds[0],
    },
  };
}

/** Discord's limit for the words behind a picture. */
const ALT = 1024;

/** The lines below the name. */
function factsIn({ figures, rank, week }: DriverCard): readonly string[] {
  const lines = figures.map(
    ({ label, value, gain }) => `${label}: ${value}${gain === null ? '' : ` (${gain})`}`,
  );
  return present(...lines, rank, week?.label ?? null);
}

/** Columns of a name; the game's own have 24 letters. */
const NAME = 36;
/** The game's colours by their digit: the pure corners of the RGB cube. */
const RGB = ['#000000', '#ff0000', '#00ff00', '#ffff00', '#0000ff', '#ff00ff', '#00ffff', '#ffffff'];

function driverChart({ answer, past, sessions, zone, now }: PictureFacts, t: Translator): DriverCard {
  const { record } = answer;
  const { day } = zonedFormats(t.locale, zone);
  const gained = past === null ? null : gainsSince(answer, past.earlier);
  return {
    kind: 'driver',
    name: nameCell(record, NAME).map(({ colour, text }) => ({
      text,
      colour: colour === 'default' || !t.colours ? null : (RGB[colour] ?? null),
    })),
    login: record.username,
    figures: figuresOf(record, gained, t),
    rank: past?.best ? rankText(past.best, t) : null,
    week: sessions === null ? null : weekOf(sessions, zone, now, t),
    asOf: [
      // A day, since a time would need its zone wherever the picture is shown.
      `${t('card.asOf')} ${day(answer.asOf)}`,
      ...(gained === null ? [] : [t('picture.gains', { date: day(gained.since) })]),
    ].join(' · '),
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
    ['distance', written(metres, t.distance), plus(gained?.distance, t.distance)],
    ['playtime', written(seconds, t.duration), plus(gained?.online, t.duration)],
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

/** The time online on each of seven days by the clocks of the zone; the last one is today. */
function weekOf(
  { current, sessions, since, until, holes }: NonNullable<PictureFacts['sessions']>,
  zone: string,
  now: number,
  t: Translator,
): DriverCard['week'] {
  const starts = beginnings(zone, { from: now - 8 * DAY, to: now }, 24).slice(-7);
  const known = since === null || until === null ? [] : [{ from: since, to: until }];
  const played = [...sessions, ...(current === null ? [] : [current])];
  const days = starts.map((from, day) => {
    const span = { from, to: starts[day + 1] ?? now };
    const seen = sum(known, (one) => overlap(one, span)) - sum(holes, (hole) => overlap(hole, span));
    return {
      label: zonedFormats(t.locale, zone).weekday(weekdayOf(wallTime(zone, from)), 'short'),
      missing: span.to - span.from - seen,
      isKnown: seen >= KNOWN * (span.to - span.from),
      time: sum(played, (one) => (overlap(one, span) * one.played) / Math.max(1, one.to - one.from)),
    };
  });
  const longest = Math.max(1, ...days.map(({ time }) => time));
  if (days.every(({ isKnown }) => !isKnown)) return null;
  const duration = t.duration(sum(days, ({ time }) => time) / SECOND);
  const isWhole = sum(days, ({ missing }) => missing) < WORTH_TELLING;
  return {
    label: t('picture.week', { duration: isWhole ? duration : t('seen.atLeast', { duration }) }),
    days: days.map(({ label, isKnown, time }) => ({
      label,
      share: isKnown || time > 0 ? time / longest : null,
    })),
  };
}

function sum<Entry>(entries: readonly Entry[], of: (entry: Entry) => number): number {
  return entries.reduce((total, entry) => total + of(entry), 0);
}
