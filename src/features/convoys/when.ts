/**
 * Times as people write them, in their language or in English: "fri 20:00", "28.11. 8pm", "morgen um 20 Uhr", "in 2 h". The whole
 * text has to be understood: a time that is half understood is another one.
 */
import { DAY, HOUR, MINUTE } from '../../base/duration.ts';
import { memoiseByKey } from '../../base/memoise.ts';
import { dayOf, momentOf, wallTime } from '../../base/zone.ts';

const FARTHEST = 90 * DAY;
/** Words of the reader's language for days are looked for so many days ahead; above the farthest. */
const DAYS = 100;
/** The units of "in 2 h", in ms, and how many there may be. */
const units = [
  ['minute', MINUTE, 600],
  ['hour', HOUR, 100],
  ['day', DAY, 90],
  ['week', 7 * DAY, 12],
] as const;

/** They stand before a day or an hour and say nothing more. */
const BEFORE_DAY = /^(?:on|am|den|op|le|el|la|il|the|w|we|dnia|в|во|no|na|em|a|al)\s/u;
const HOUR_WORDS = '(?:at|um|om|à|a las|a la|às|as|alle|alle ore|ore|o|o godz|в|saat|@)\\s?';
/** Behind a dot, minutes that are no month: "20.12" may be a day. "20 h 30" stands at the end: "20h 28 novembre" is a day. */
const MINUTES = '(?:(?:[:h]|\\s?[hч]\\s?(?=\\d{2}$))(?<m>\\d{2})|\\.(?<m>00|1[3-9]|[2-5]\\d))?';
const OCLOCK = "(?:uhr|uur|(?<letter>h|ч)|hs|horas|heures|ore|часов|o'clock)";
const TIME = `(?:${HOUR_WORDS})?(?<h>\\d{1,2})${MINUTES}\\s?(?:(?<half>[ap])\\.?m\\.?|${OCLOCK})?`;
const atEnd = new RegExp(`^(?:(?<rest>.+?),?\\s)?${TIME}$`, 'u');
const atStart = new RegExp(`^${TIME}(?:,?\\s(?<rest>.+))?$`, 'u');

type ReadTime = { readonly at: number } | { readonly problem: 'unread' | 'past' | 'too-far' | 'skipped' };

interface Reader {
  /** BCP 47. */
  readonly locale: string;
  readonly zone: string;
  /** Unix milliseconds. */
  readonly now: number;
}

export function readWhen(text: string, reader: Reader): ReadTime {
  const { now } = reader;
  const typed = text.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();
  const [first, ...others] = new Map(
    candidates(typed, reader).map((one) => [JSON.stringify(one), one]),
  ).values();
  // Of two meanings, a person means one.
  if (first === undefined || others.length > 0) return { problem: 'unread' };
  if ('problem' in first) return first;
  if (first.at <= now) return { problem: 'past' };
  return first.at > now + FARTHEST ? { problem: 'too-far' } : first;
}

function candidates(typed: string, reader: Reader): readonly ReadTime[] {
  const stamp = /^<t:(\d{1,11})(?::[a-z])?>$/.exec(typed)?.[1];
  if (stamp !== undefined) return [{ at: Number(stamp) * 1000 }];
  const ahead = fromNow(typed, reader.locale);
  if (ahead !== null) return [{ at: reader.now + ahead }];
  return [atEnd, atStart].flatMap((form) => {
    const { h, m, half, letter, rest = '' } = form.exec(typed)?.groups ?? {};
    // An English "8h" may be a span. Whoever writes "8h" or "8 ч" elsewhere counts hours to 24.
    const isWhole = m === undefined && letter !== undefined && !reader.locale.startsWith('en');
    const time = h === undefined ? null : timeOf(Number(h), isWhole ? '00' : m, half);
    return time === null ? [] : daysOf(rest.replace(BEFORE_DAY, ''), time, reader);
  });
}

/** Ms since midnight; null for no time. An hour that may be of the morning or of the evening is none by itself. */
function timeOf(hour: number, minutes: string | undefined, half: string | undefined): number | null {
  const minute = Number(minutes ?? 0);
  if (minute > 59) return null;
  if (half !== undefined)
    return hour < 1 || hour > 12 ? null : ((hour % 12) + (half === 'p' ? 12 : 0)) * HOUR + minute * MINUTE;
  return hour > 23 || (minutes === undefined && hour < 13) ? null : hour * HOUR + minute * MINUTE;
}

/** The moments at which clocks show that time on a day that is written like this; today where none is. */
function daysOf(day: string, time: number, { locale, zone, now }: Reader): readonly ReadTime[] {
  const today = dayOf(wallTime(zone, now));
  const on = (days: number): ReadTime => {
    const wall = days * DAY + time;
    const at = momentOf(zone, wall);
    return wallTime(zone, at) === wall ? { at } : { problem: 'skipped' };
  };
  if (day === '') return [on(today)];
  const date = dateOf(day, today, locale);
  if (date !== null) return [on(date)];
  const spoken = wordsOf(`${locale} ${today}`).get(folded(day));
  if (spoken === undefined) return [];
  const found = on(spoken);
  // The weekday of today is that of next week once its hour is over.
  const isOver = spoken === today && 'at' in found && found.at <= now && !isToday(day, locale);
  return [isOver ? on(today + 7) : found];
}

/** A date in digits, as a day since 1970; null for one that no calendar has. Dots and dashes stand behind the day. */
function dateOf(text: string, today: number, locale: string): number | null {
  const { y, a, b, sep, c } =
    /^(?:(?<y>\d{4})-)?(?<a>\d{1,2})(?<sep>[./-])(?<b>\d{1,2})(?:\k<sep>(?<c>\d{4})|\.)?$/.exec(text)
      ?.groups ?? {};
  if (a === undefined || b === undefined || (y !== undefined && c !== undefined)) return null;
  const isMonthFirst = y !== undefined || (sep === '/' && new Intl.Locale(locale).maximize().region === 'US');
  const [day, month] = (isMonthFirst ? [b, a] : [a, b]).map(Number);
  const year = Number(y ?? c ?? new Date(today * DAY).getUTCFullYear());
  const of = (inYear: number): number | null => {
    const at = new Date(Date.UTC(inYear, (month ?? 0) - 1, day));
    return at.getUTCMonth() + 1 === month && at.getUTCDate() === day ? dayOf(at.getTime()) : null;
  };
  const found = of(year);
  return found !== null && found < today && (y ?? c) === undefined ? of(year + 1) : found;
}

/** "in 2 h", "za 2 godziny", "+2 h", as `Intl` would write it, in ms; null for another text. */
function fromNow(text: string, locale: string): number | null {
  const count = Number(/\d+/.exec(text)?.[0]);
  if (!(count > 0)) return null;
  const wanted = spanKey(text);
  for (const language of [locale, 'en'])
    for (const style of ['long', 'short', 'narrow'] as const)
      for (const [unit, ms, most] of units)
        if (count <= most && spanKey(relative(language, style).format(count, unit)) === wanted)
          return count * ms;
  return null;
}

/** The plus counts: in French and Russian nothing else tells "+20 h" from "20 h", a time of day. */
function spanKey(text: string): string {
  return (text.startsWith('+') ? '+' : '') + folded(text).replaceAll(' ', '');
}

function relative(locale: string, style: 'long' | 'short' | 'narrow', numeric: 'auto' | 'always' = 'always') {
  return new Intl.RelativeTimeFormat(locale, { style, numeric });
}

function isToday(text: string, locale: string): boolean {
  return [locale, 'en'].some(
    (each) => folded(relative(each, 'long', 'auto').format(0, 'day')) === folded(text),
  );
}

/** The days that the reader's language and English have words for, as days since 1970. `key`: a locale and today. */
const wordsOf = memoiseByKey((key: string): ReadonlyMap<string, number> => {
  const [locale = 'en', today = ''] = key.split(' ');
  const words = new Map<string, number>();
  const add = (word: string, day: number): void =>
    void (words.has(folded(word)) || words.set(folded(word), day));
  for (const language of [locale, 'en-GB', 'en-US']) {
    const format = (options: Intl.DateTimeFormatOptions) =>
      new Intl.DateTimeFormat(language, { timeZone: 'UTC', ...options });
    const months = (['long', 'short'] as const).flatMap((month) => [
      format({ day: 'numeric', month }),
      format({ weekday: month, day: 'numeric', month }),
      format({ day: 'numeric', month, year: 'numeric' }),
    ]);
    const weekdays = [format({ weekday: 'long' }), format({ weekday: 'short' })];
    for (let ahead = 0; ahead < DAYS; ahead += 1) {
      const at = (Number(today) + ahead) * DAY;
      if (ahead < 3) add(relative(language, 'long', 'auto').format(ahead, 'day'), Number(today) + ahead);
      if (ahead < 7)
        for (const one of weekdays)
          for (const name of namesOf(one.format(at))) add(name, Number(today) + ahead);
      for (const one of months) add(one.format(at), Number(today) + ahead);
    }
  }
  return words;
}, 50);

/** "sexta-feira" and "sexta"; "środa" and "пятница", and as they end after "w" and "в": "środę", "пятницу". */
function namesOf(weekday: string): readonly string[] {
  const [begun = weekday] = weekday.split('-');
  return [weekday, begun, weekday.replace(/a$/u, 'ę'), weekday.replace(/а$/u, 'у')];
}

/** Without accents and marks between words. */
function folded(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\d]+/gu, ' ')
    .trim();
}
