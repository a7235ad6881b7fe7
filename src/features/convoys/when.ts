/**
 * Times as people write them, in their language or in English: "fri 20:00", "28.11. 8pm", "heute Abend um 8", "in 2 h". The
 * whole text has to be understood: a time that is half understood is another one. Of several meanings, the person chooses one.
 */
import { readIsoTime } from '../../base/calendar.ts';
import { DAY, HOUR, MINUTE } from '../../base/duration.ts';
import { memoiseByKey } from '../../base/memoise.ts';
import { dayOf, findZone, momentOf, wallTime, weekdayOf } from '../../base/zone.ts';
import { timeWords } from './when-words.ts';

const MAX_AHEAD_MS = 90 * DAY;
/** Words of the reader's language for days are looked for so many days ahead; above the farthest. */
const NAMED_DAYS = 100;
/** Units of a span such as "in 2 h", in ms. */
const units = [
  ['minute', MINUTE],
  ['hour', HOUR],
  ['day', DAY],
  ['week', 7 * DAY],
] as const;

/** Words before a day or an hour that say nothing more. */
const BEFORE_DAY = /^(?:on|am|den|op|le|el|la|il|the|w|we|dnia|в|во|no|na|em|a|al)\s/u;
const HOUR_WORDS =
  '(?:at|um|om|a|a las|a la|as|alle|alle ore|ore|o|o godz\\.?|godz\\.?|o godzinie|godzina|в|saat|@)\\s?';
/** Behind a dot, minutes that are no month: "20.12" may be a day. "20 h 30" stands at the end: "20h 28 novembre" is a day. */
const MINUTES =
  '(?:(?:[:h]|\\s?(?:[hч]|uhr|uur|heures|часов)\\s?(?=\\d{2}$))(?<m>\\d{2})|\\.(?<m>00|1[3-9]|[2-5]\\d))?';
const OCLOCK = "(?:uhr|uur|(?<letter>h|ч)|hs|horas?|heures?|ore|часов|часа|час|o'clock)";
/** Endings of hours: "saat 8'de", "o 20-tej". */
const ENDING = "(?:'?[dt][ae]|-?s?tej)(?=\\s|$)";
const TIME = `(?:${HOUR_WORDS})?(?<h>\\d{1,2})${MINUTES}(?:${ENDING})?\\s?(?:(?<half>[ap])(?:\\.?|\\.\\s)m\\.?|${OCLOCK})?`;
const atEnd = new RegExp(`^(?:(?<rest>.+?)\\s)?${TIME}$`, 'u');
const atStart = new RegExp(`^${TIME}(?:\\s(?<rest>.+))?$`, 'u');

/** `isZoned`: another time zone would make it another moment. */
type Reading = { readonly at: number; readonly isZoned: boolean } | { readonly problem: 'skipped' };
/** `meanings`: the moments that a text with several meanings can mean, and at which a convoy can begin. */
type Answer =
  | Reading
  | { readonly problem: 'unread' | 'past' | 'too-far' }
  | { readonly problem: 'ambiguous'; readonly meanings: readonly number[] };

interface Reader {
  /** BCP 47. */
  readonly locale: string;
  readonly zone: string;
  /** Unix milliseconds. */
  readonly now: number;
}

export function readWhen(text: string, reader: Reader): Answer {
  const { now } = reader;
  const input = withoutAccents(text)
    .replace(/[’`´]/g, "'")
    .replace(/,(?=\s|$)/g, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
  const [first, ...others] = new Map(
    readings(input, reader).map((reading) => [JSON.stringify(reading), reading]),
  ).values();
  if (first === undefined) return { problem: 'unread' };
  const meanings = [first, ...others]
    .flatMap((reading) => ('at' in reading ? reading.at : []))
    .filter((at) => at > now && at <= now + MAX_AHEAD_MS);
  if (others.length > 0 && meanings.length > 0)
    return { problem: 'ambiguous', meanings: meanings.toSorted((a, b) => a - b) };
  if ('problem' in first) return first;
  if (first.at <= now) return { problem: 'past' };
  return first.at > now + MAX_AHEAD_MS ? { problem: 'too-far' } : first;
}

/** All meanings of a text without accents and commas. */
function readings(typed: string, reader: Reader): readonly Reading[] {
  const stamp = /^<t:(\d{1,11})(?::[a-z])?>$/.exec(typed)?.[1];
  if (stamp !== undefined) return [{ at: Number(stamp) * 1000, isZoned: false }];
  const span = spanFromNow(typed, reader.locale);
  if (span !== null) return [{ at: reader.now + span, isZoned: false }];
  const iso = /^(\d{4}-\d\d-\d\d)t(\d\d:\d\d)(?::\d\d(?:\.\d+)?)?(z|[+-]\d\d:\d\d)?$/.exec(typed);
  if (iso?.[3] !== undefined) {
    const at = readIsoTime(typed);
    return at === null ? [] : [{ at, isZoned: false }];
  }
  if (iso !== null) return wallReadings(`${iso[1]} ${iso[2]}`, reader);
  const [, before = '', zoneName = ''] = /^(.+) (utc|gmt|[a-z]+(?:\/[a-z0-9_+-]+)+)$/.exec(typed) ?? [];
  const zone = zoneName === '' ? null : findZone(zoneName);
  if (zone === null) return wallReadings(typed, reader);
  return wallReadings(before, { ...reader, zone }).map((reading) =>
    'at' in reading ? { ...reading, isZoned: false } : reading,
  );
}

/** The meanings of a day and a time by the clock. */
function wallReadings(typed: string, reader: Reader): readonly Reading[] {
  const { text, hours } = withoutPartOfDay(typed, wordsFor(reader.locale));
  return [atEnd, atStart].flatMap((form) => {
    const { h, m, half, letter, rest = '' } = form.exec(text)?.groups ?? {};
    if (h === undefined) return [];
    // An English "8h" may be a span. In other languages "8h" and "8 ч" are hours of 24.
    const isWhole = m === undefined && letter !== undefined && !reader.locale.startsWith('en');
    const times = timesOfDay(h, isWhole && hours === null ? '00' : m, half, hours);
    return times.flatMap((time) => dayReadings(rest.replace(BEFORE_DAY, ''), time, reader));
  });
}

/**
 * Ms since midnight; none for no time. An hour alone may be before or after noon, unless "am", "pm" or the part of the day
 * decides: `hours` are those of that part.
 */
function timesOfDay(
  written: string,
  minutes: string | undefined,
  half: string | undefined,
  hours: readonly [number, number] | null,
): readonly number[] {
  const hour = Number(written);
  const minute = Number(minutes ?? 0);
  const isOfTwelve = hour >= 1 && hour <= 12;
  if (minute > 59 || hour > 23 || (half !== undefined && !isOfTwelve)) return [];
  const isPadded = written.length === 2 && hour < 10;
  const isEither = isOfTwelve && (hours === null ? minutes === undefined : !isPadded && hour < 12);
  const [before, after] = [hour % 12, (hour % 12) + 12];
  const meanings = half !== undefined ? [half === 'p' ? after : before] : isEither ? [before, after] : [hour];
  return meanings
    .filter((meaning) => hours === null || (meaning >= hours[0] && meaning < hours[1]))
    .map((meaning) => meaning * HOUR + minute * MINUTE);
}

/** The moments at which clocks show that time on a day that is written like this; today if none is. */
function dayReadings(written: string, time: number, { locale, zone, now }: Reader): readonly Reading[] {
  const today = dayOf(wallTime(zone, now));
  const on = (day: number): Reading => {
    const wall = day * DAY + time;
    const at = momentOf(zone, wall);
    return wallTime(zone, at) === wall ? { at, isZoned: true } : { problem: 'skipped' };
  };
  if (written === '') return [on(today)];
  const clear = withoutPhrase(written, wordsFor(locale).unclear);
  const namedDay = dayNamed(clear ?? written, today, locale);
  if (namedDay === null) return [];
  // "Next Friday" is the coming one or that of the week after.
  if (clear !== null) return namedDay.isWeekday ? [on(namedDay.day), on(namedDay.day + 7)] : [];
  const meaning = on(namedDay.day);
  // The weekday of today is that of next week once its hour is over.
  const isOver = namedDay.isWeekday && namedDay.day === today && 'at' in meaning && meaning.at <= now;
  return [isOver ? on(today + 7) : meaning];
}

/** `isWeekday`: only its weekday is written. */
function dayNamed(
  written: string,
  today: number,
  locale: string,
): { readonly day: number; readonly isWeekday: boolean } | null {
  const words = wordsFor(locale);
  const { dates, weekdays } = calendarFor(`${locale} ${today}`);
  const dayOfDate = (text: string): number | null =>
    dateOf(text, today, locale) ?? dates.get(folded(withoutOrdinal(text))) ?? null;
  const day = dayOfDate(written);
  if (day !== null) return { day, isWeekday: false };
  const thisWeek = words.thisWeek.find((word) => written.startsWith(`${word} `)) ?? null;
  const weekday = weekdays.get(folded(thisWeek === null ? written : written.slice(thisWeek.length)));
  if (weekday !== undefined)
    return { day: today + ((weekday - weekdayOf(today * DAY) + 7) % 7), isWeekday: thisWeek === null };
  // "sat 28.11." and "28 Kasım cumartesi": both have to agree.
  const parts = written.split(' ');
  for (const [name, date] of [
    [parts.slice(0, 1), parts.slice(1)],
    [parts.slice(-1), parts.slice(0, -1)],
  ] as const) {
    const dayWithName = dayOfDate(date.join(' ').replace(BEFORE_DAY, ''));
    if (dayWithName !== null && weekdays.get(folded(name.join(''))) === weekdayOf(dayWithName * DAY))
      return { day: dayWithName, isWeekday: false };
  }
  return null;
}

/** A date in digits, as a day since 1970; null for one that no calendar has. Dots and dashes stand behind the day. */
function dateOf(text: string, today: number, locale: string): number | null {
  const { y, a, b, sep, c } =
    /^(?:(?<y>\d{4})-)?(?<a>\d{1,2})(?<sep>[./-])(?<b>\d{1,2})(?:\k<sep>(?<c>\d{4})|\.)?$/.exec(text)
      ?.groups ?? {};
  if (a === undefined || b === undefined || (y !== undefined && c !== undefined)) return null;
  const isMonthFirst = y !== undefined || (sep === '/' && new Intl.Locale(locale).maximize().region === 'US');
  const [day = '', month = ''] = (isMonthFirst ? [b, a] : [a, b]).map((part) => part.padStart(2, '0'));
  const year = Number(y ?? c ?? new Date(today * DAY).getUTCFullYear());
  const of = (inYear: number): number | null => {
    const at = readIsoTime(`${inYear}-${month}-${day}`);
    return at === null ? null : dayOf(at);
  };
  const thisYear = of(year);
  return thisYear !== null && thisYear < today && (y ?? c) === undefined ? of(year + 1) : thisYear;
}

/** "29th of november", "1er décembre" and "29-го ноября" without the ending of the number. */
function withoutOrdinal(text: string): string {
  return text
    .replace(/(\d{1,2})-?(?:st|nd|rd|th|er|ste|de|e|o|a|°|го|ое|go)(?= |$)/u, '$1')
    .replace(' of ', ' ');
}

/** "in 2 h", "in einer halben Stunde", "через час", "+2 h", in ms; null for another text. */
function spanFromNow(typed: string, locale: string): number | null {
  const text = typed.replace(/^(\+|\p{L}+)(?=\d)/u, '$1 ');
  for (const spans of wordsFor(locale).spans) {
    const wordBefore = spans.before.find((word) => text.startsWith(`${word} `));
    const wordBehind = spans.behind.find((word) => text.endsWith(` ${word}`));
    if (wordBefore === undefined && wordBehind === undefined) continue;
    const length = text.slice(wordBefore?.length ?? 0, text.length - (wordBehind?.length ?? 0)).trim();
    if (spans.half.includes(length)) return HOUR / 2;
    if (spans.alone.includes(length)) return unitLength(spans, length);
    const number = `(\\d{1,3}(?:[.,]5)?|(?:${spans.one.join('|')})(?= ))`;
    const unit = `(${units.flatMap(([name]) => spans[name]).join('|')})\\.?`;
    const one = `${number} ?${unit}`;
    if (!new RegExp(`^${one}(?: (?:(?:${spans.and.join('|')}) )?${one})*$`, 'u').test(length)) continue;
    const parts = [...length.matchAll(new RegExp(`${one}(?= |$)`, 'gu'))].map(([, count = '', name = '']) => {
      const each = unitLength(spans, name);
      return each === null ? null : (spans.one.includes(count) ? 1 : Number(count.replace(',', '.'))) * each;
    });
    const sum = parts.reduce<number>((total, part) => total + (part ?? Number.NaN), 0);
    return sum > 0 ? sum : null;
  }
  return null;
}

function unitLength(spans: Readonly<Record<(typeof units)[number][0], readonly string[]>>, name: string) {
  return units.find(([unit]) => spans[unit].includes(name))?.[1] ?? null;
}

/** The words for times of the reader's language and of English, without accents; the longest of each list first. */
const wordsFor = memoiseByKey((locale: string) => {
  const language = new Intl.Locale(locale).language;
  const ownWords = [timeWords[language], timeWords['en']].flatMap((each) => each ?? []);
  const all = [...new Set(ownWords)];
  const byLength = (texts: readonly string[]) =>
    [...new Set(texts.map(withoutAccents))].toSorted((a, b) => b.length - a.length);
  const phrases = (key: 'parts' | 'partsOfToday') => {
    const hours = new Map(
      all.flatMap((each) =>
        Object.entries(each[key]).map(([text, range]) => [withoutAccents(text), range] as const),
      ),
    );
    return byLength([...hours.keys()]).flatMap((text) => {
      const range = hours.get(text);
      return range === undefined ? [] : [[text, range] as const];
    });
  };
  return {
    spans: all.map(({ spans: { behind = [], alone = [], ...spans } }) => ({
      before: byLength([...spans.before, '+']),
      behind: byLength(behind),
      alone: byLength(alone),
      and: byLength(spans.and),
      one: byLength(spans.one),
      half: byLength(spans.half),
      minute: byLength(spans.minute),
      hour: byLength(spans.hour),
      day: byLength(spans.day),
      week: byLength(spans.week),
    })),
    days: all.flatMap(({ days = {} }) => Object.entries(days)),
    weekdays: all.flatMap(({ weekdays = {} }) => Object.entries(weekdays)),
    thisWeek: byLength(all.flatMap(({ thisWeek }) => thisWeek)),
    unclear: byLength(all.flatMap(({ unclear }) => unclear)),
    glued: byLength(all.flatMap(({ glued = [] }) => glued)),
    parts: phrases('parts'),
    partsOfToday: phrases('partsOfToday'),
  };
}, 50);

/** The text without the first of these phrases that it has; null if it has none. */
function withoutPhrase(text: string, phrases: readonly string[], instead = ''): string | null {
  const padded = ` ${text} `;
  const phrase = phrases.find((each) => padded.includes(` ${each} `));
  return phrase === undefined
    ? null
    : padded.replace(` ${phrase} `, ` ${instead} `).replace(/ +/g, ' ').trim();
}

/** The text without the part of the day in it, and the hours of that part; null: it has none. */
function withoutPartOfDay(typed: string, words: ReturnType<typeof wordsFor>) {
  for (const [phrase, hours] of words.partsOfToday) {
    const text = withoutPhrase(typed, [phrase], 'today');
    if (text !== null) return { text, hours };
  }
  const apart = words.glued.reduce(
    (text, part) =>
      text.replace(new RegExp(`(\\p{L}{2,})${part}(?= |$)`, 'u'), (word: string, day: string) =>
        words.weekdays.some(([name]) => name === word) ? word : `${day} ${part}`,
      ),
    typed,
  );
  for (const [phrase, hours] of words.parts) {
    const text = withoutPhrase(apart, [phrase]);
    if (text !== null) return { text, hours };
  }
  return { text: typed, hours: null };
}

/**
 * Dates and the words for today, tomorrow and the day after, as days since 1970, and weekdays from 0 for Monday, in the
 * reader's language and in English. `key`: a locale and today.
 */
const calendarFor = memoiseByKey((key: string) => {
  const [locale = 'en', todayText = ''] = key.split(' ');
  const today = Number(todayText);
  const dates = new Map<string, number>();
  const weekdays = new Map<string, number>();
  const add = (words: Map<string, number>, word: string, day: number): void =>
    void (words.has(folded(word)) || words.set(folded(word), day));
  for (const [word, ahead] of wordsFor(locale).days) add(dates, word, today + ahead);
  for (const [word, weekday] of wordsFor(locale).weekdays) add(weekdays, word, weekday);
  for (const language of [locale, 'en-GB', 'en-US']) {
    const format = (options: Intl.DateTimeFormatOptions) =>
      new Intl.DateTimeFormat(language, { timeZone: 'UTC', ...options });
    const months = (['long', 'short'] as const).flatMap((month) => [
      format({ day: 'numeric', month }),
      format({ day: 'numeric', month, year: 'numeric' }),
    ]);
    const nearDays = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
    const names = [format({ weekday: 'long' }), format({ weekday: 'short' })];
    for (let offset = 0; offset < NAMED_DAYS; offset += 1) {
      const at = (today + offset) * DAY;
      if (offset < 3) add(dates, nearDays.format(offset, 'day'), today + offset);
      if (offset < 7)
        for (const one of names)
          for (const name of namesOf(one.format(at))) add(weekdays, name, weekdayOf(at));
      for (const one of months) add(dates, one.format(at), today + offset);
    }
  }
  return { dates, weekdays };
}, 50);

/** "sexta-feira" and "sexta"; "środa" and "пятница", and as they end after "w" and "в": "środę", "пятницу". */
function namesOf(weekday: string): readonly string[] {
  const [begun = weekday] = weekday.split('-');
  return [weekday, begun, weekday.replace(/a$/u, 'ę'), weekday.replace(/а$/u, 'у')];
}

function withoutAccents(text: string): string {
  return text.normalize('NFKD').toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '');
}

/** Without accents and without marks between words. */
function folded(text: string): string {
  return withoutAccents(text)
    .replace(/[^\p{L}\d]+/gu, ' ')
    .trim();
}
