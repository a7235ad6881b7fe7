/**
 * Times as people type them: a day that `Intl` names in their language or in English, or a date, with a clock reading in digits
 * ("fri 20:00", "28.11. 8pm"), or a span in digits ("in 2 h"). The whole text has to be understood: a time that is half
 * understood is another one. Of several meanings, the person chooses one.
 */
import { readIsoTime } from '../../../src/base/calendar.ts';
import { DAY, HOUR, MINUTE } from '../../../src/base/duration.ts';
import { memoiseByKey } from '../../../src/base/memoise.ts';
import { dayOf, FIRST_MONDAY, findZone, momentsOf, wallTime, weekdayOf } from '../../../src/base/zone.ts';

export const MAX_AHEAD_MS = 90 * DAY;
/** Days that are looked for by their names; more than {@link MAX_AHEAD_MS} has. */
const NAMED_DAYS = 100;
/** Units of a span such as "in 2 h", in ms. */
const units = [
  ['minute', MINUTE],
  ['hour', HOUR],
  ['day', DAY],
  ['week', 7 * DAY],
] as const;

/** Behind a dot, minutes that are no month: "20.12" may be a day. "20 h 30" stands at the end: "20 h 28/11" is a day. */
const MINUTES = '(?:(?:[:h]|\\s?h\\s?(?=\\d{2}$))(?<m>\\d{2})|\\.(?<m>00|1[3-9]|[2-5]\\d))?';

/** `isZoned`: another time zone would make it another moment. */
type Reading = { readonly at: number; readonly isZoned: boolean } | { readonly problem: 'skipped' };
/** `meanings`: the moments that a text with several meanings can mean, and at which a convoy can begin. */
type Answer =
  | Reading
  | { readonly problem: 'unread' | 'past' | 'too-far' }
  | { readonly problem: 'ambiguous'; readonly meanings: readonly number[] };

/** A person's way to read and write times. */
export interface Reader {
  /** BCP 47. */
  readonly locale: string;
  readonly zone: string;
  /** Unix milliseconds. */
  readonly now: number;
}

export function readWhen(text: string, reader: Reader): Answer {
  const { now } = reader;
  const [first, ...others] = new Map(
    readings(plainTime(text, reader.zone), reader).map((reading) => [JSON.stringify(reading), reading]),
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

/** Returns the place in the name of a zone: `America/New_York` → "New York". */
export function placeOf(zone: string): string {
  return zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ');
}

/** Returns the text without accents, commas, and the place of the reader's own zone behind it. */
export function plainTime(text: string, zone: string): string {
  const plain = withoutAccents(text)
    .replace(/,(?=\s|$)/g, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
  const place = ` · ${withoutAccents(placeOf(zone))}`;
  return plain.endsWith(place) ? plain.slice(0, -place.length) : plain;
}

/** All meanings of a plain text. */
function readings(input: string, reader: Reader): readonly Reading[] {
  const stamp = /^<t:(\d{1,11})(?::[a-z])?>$/.exec(input)?.[1];
  if (stamp !== undefined) return [{ at: Number(stamp) * 1000, isZoned: false }];
  const span = spanFromNow(input, reader.locale);
  if (span !== null) return [{ at: reader.now + span, isZoned: false }];
  const iso = /^(\d{4}-\d\d-\d\d)t(\d\d:\d\d)(?::\d\d(?:\.\d+)?)?(z|[+-]\d\d:\d\d)?$/.exec(input);
  if (iso?.[3] !== undefined) {
    const at = readIsoTime(input);
    return at === null ? [] : [{ at, isZoned: false }];
  }
  if (iso !== null) return wallReadings(`${iso[1]} ${iso[2]}`, reader);
  const [, before = '', zoneName = ''] = /^(.+) (utc|gmt|[a-z]+(?:\/[a-z0-9_+-]+)+)$/.exec(input) ?? [];
  const zone = zoneName === '' ? null : findZone(zoneName);
  if (zone === null) return wallReadings(input, reader);
  return wallReadings(before, { ...reader, zone }).map((reading) =>
    'at' in reading ? { ...reading, isZoned: false } : reading,
  );
}

/** The meanings of a day and a time by the clock. */
function wallReadings(input: string, reader: Reader): readonly Reading[] {
  return clockReadings(input, reader.locale).flatMap(({ times, rest }) =>
    times.flatMap((time) => dayReadings(rest, time, reader)),
  );
}

/** Returns the clock readings at the end and at the start of a plain text, in ms since midnight, with the rest of it. */
export function clockReadings(
  input: string,
  locale: string,
): readonly { readonly times: readonly number[]; readonly rest: string }[] {
  return clockForms(locale).flatMap((form) => {
    const { h, m, half, letter, rest = '' } = form.exec(input)?.groups ?? {};
    if (h === undefined) return [];
    // An English "8h" may be a span. In other languages it is an hour of 24.
    const isWhole = m === undefined && letter !== undefined && !locale.startsWith('en');
    return [{ times: timesOfDay(h, isWhole ? '00' : m, half), rest }];
  });
}

/** In ms since midnight; none for no time. An hour alone may be before or after noon, unless "am" or "pm" decides. */
function timesOfDay(
  written: string,
  minutes: string | undefined,
  half: string | undefined,
): readonly number[] {
  const hour = Number(written);
  const minute = Number(minutes ?? 0);
  const isOfTwelve = hour >= 1 && hour <= 12;
  if (minute > 59 || hour > 23 || (half !== undefined && !isOfTwelve)) return [];
  const [before, after] = [hour % 12, (hour % 12) + 12];
  const isEither = isOfTwelve && minutes === undefined;
  const meanings = half !== undefined ? [half === 'p' ? after : before] : isEither ? [before, after] : [hour];
  return meanings.map((meaning) => meaning * HOUR + minute * MINUTE);
}

/** The moments at which clocks show that time on a day that is written like this; today if none is. */
function dayReadings(written: string, time: number, { locale, zone, now }: Reader): readonly Reading[] {
  const today = dayOf(wallTime(zone, now));
  const on = (day: number): readonly Reading[] => {
    const moments = momentsOf(zone, day * DAY + time);
    return moments.length === 0 ? [{ problem: 'skipped' }] : moments.map((at) => ({ at, isZoned: true }));
  };
  if (written === '') return on(today);
  const namedDay = dayNamed(written, today, locale);
  if (namedDay === null) return [];
  const meanings = on(namedDay.day);
  // The weekday of today is that of next week once its hour is over.
  const isToday = namedDay.isWeekday && namedDay.day === today;
  const isOver = isToday && meanings.every((meaning) => 'at' in meaning && meaning.at <= now);
  return isOver ? on(today + 7) : meanings;
}

/** Returns the next day of that name or date. `isWeekday`: only its weekday is written. */
export function dayNamed(
  written: string,
  today: number,
  locale: string,
): { readonly day: number; readonly isWeekday: boolean } | null {
  const { dates, weekdays } = calendarFor(`${locale} ${today}`);
  const dayOfDate = (text: string): number | null =>
    dateOf(text, today, locale) ?? dates.get(folded(text)) ?? null;
  const day = dayOfDate(written);
  if (day !== null) return { day, isWeekday: false };
  const weekday = weekdays.get(folded(written));
  if (weekday !== undefined) return { day: weekday, isWeekday: true };
  // "sat 28.11." and "28 Kasım cumartesi": both have to agree.
  const parts = written.split(' ');
  for (const [name, date] of [
    [parts.slice(0, 1), parts.slice(1)],
    [parts.slice(-1), parts.slice(0, -1)],
  ] as const) {
    const dayWithName = dayOfDate(date.join(' '));
    const namedWeekday = weekdays.get(folded(name.join('')));
    if (dayWithName !== null && namedWeekday !== undefined && (dayWithName - namedWeekday) % 7 === 0)
      return { day: dayWithName, isWeekday: false };
  }
  return null;
}

/** Returns the next days of which a name begins like this, in their order. */
export function daysBegun(written: string, today: number, locale: string): readonly number[] {
  const { dates, weekdays } = calendarFor(`${locale} ${today}`);
  const begun = [...dates, ...weekdays].flatMap(([name, day]) =>
    name.startsWith(folded(written)) ? day : [],
  );
  return [...new Set(begun)].toSorted((a, b) => a - b);
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

/** "in 2 h", "через 2 часа", "+2 h", "90 min", in ms; null for another text. */
function spanFromNow(input: string, locale: string): number | null {
  const [, before = '', count = '', after = ''] = /^(\D*)(\d{1,3}(?:[.,]5)?)(\D*)$/.exec(input) ?? [];
  const words = withoutGaps(`${before}#${after}`);
  const spans = spansOf(locale);
  const unit = spans.get(words) ?? spans.get(words.replace(/^\+/, 'in'));
  const span = unit === undefined ? 0 : Number(count.replace(',', '.')) * unit;
  return span > 0 ? span : null;
}

/**
 * Units of spans from now, in ms, by the words around the number in the reader's language and in English. Minutes need no other
 * words. An hour does: "20 h" is a time of day.
 */
const spansOf = memoiseByKey((locale: string): ReadonlyMap<string, number> => {
  const spans = new Map<string, number>();
  // Languages with several plural forms have another word for each of these.
  for (const language of [locale, 'en-GB', 'en-US'])
    for (const [unit, ms] of units)
      for (const count of [1, 2, 5]) {
        const add = (text: string): void => {
          const words = withoutGaps(withoutAccents(text).replace(String(count), '#'));
          if (!spans.has(words)) spans.set(words, ms);
        };
        for (const style of ['long', 'short', 'narrow'] as const)
          add(new Intl.RelativeTimeFormat(language, { style }).format(count, unit));
        for (const unitDisplay of unit === 'minute' ? (['long', 'short'] as const) : [])
          add(new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay }).format(count));
      }
  return spans;
}, 50);

/** Forms of a clock reading at the end and at the start of a text, with the words that `Intl` writes around hours. */
const clockForms = memoiseByKey((locale: string): readonly RegExp[] => {
  const languages = [locale, 'en-GB'];
  const before = languages.map((language) => {
    const parts = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'short' }).formatToParts(
      0,
    );
    const { value = '' } = parts[parts.findIndex(({ type }) => type === 'hour') - 1] ?? {};
    // Russian has the word for the year there, too: "2026 г. в 20:00".
    return folded(value.replace(/^.*\./u, ''));
  });
  const behind = languages.flatMap((language) =>
    new Intl.DateTimeFormat(language, { hour: 'numeric' })
      .formatToParts(0)
      .flatMap(({ type, value }) => (type === 'literal' ? folded(value) : [])),
  );
  const time = `(?:(?:${before.join('|')})\\s)?(?<h>\\d{1,2})${MINUTES}(?:\\s?(?:(?<half>[ap])\\.?\\s?m\\.?|(?<letter>h)|${behind.join('|')}))?`;
  return [new RegExp(`^(?:(?<rest>.+?)\\s)?${time}$`, 'u'), new RegExp(`^${time}(?:\\s(?<rest>.+))?$`, 'u')];
}, 50);

/**
 * Names in the reader's language and in English: formatting each of {@link NAMED_DAYS} would hold up the event loop. In the forms
 * of a date by its month, 0 stands for the day, and 9999 for the year.
 */
const namesFor = memoiseByKey(
  (locale: string) =>
    [locale, 'en-GB', 'en-US'].map((language) => {
      const format = (options: Intl.DateTimeFormatOptions) =>
        new Intl.DateTimeFormat(language, { timeZone: 'UTC', ...options });
      const dates = (['long', 'short'] as const).flatMap((month) => [
        format({ day: 'numeric', month }),
        format({ day: 'numeric', month, year: 'numeric' }),
      ]);
      const weekdays = [format({ weekday: 'long' }), format({ weekday: 'short' })];
      const nearDays = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
      return {
        // English has no word for the day after tomorrow, and "in 2 days" is a span.
        nearDays: [0, 1, 2]
          .map((offset) => nearDays.format(offset, 'day'))
          .map((name) => (/\d/.test(name) ? null : folded(name))),
        // "sexta-feira" and "sexta".
        weekdays: Array.from({ length: 7 }, (_, day) =>
          weekdays
            .map((one) => one.format(FIRST_MONDAY + day * DAY))
            .flatMap((name) => [folded(name), folded(name.replace(/-.*/, ''))]),
        ),
        months: Array.from({ length: 12 }, (_, month) =>
          dates.map((one) => {
            const parts = one.formatToParts(Date.UTC(2000, month));
            const form = parts.map(({ type, value }) =>
              type === 'day' ? '0' : type === 'year' ? '9999' : value,
            );
            return folded(form.join(''));
          }),
        ),
      };
    }),
  50,
);

/**
 * The days of dates, of the words for today, tomorrow and the day after, and of weekdays, as days since 1970. `key`: a locale and
 * today.
 */
const calendarFor = memoiseByKey((key: string) => {
  const [locale = 'en', todayText = ''] = key.split(' ');
  const today = Number(todayText);
  const dates = new Map<string, number>();
  const weekdays = new Map<string, number>();
  const add = (words: Map<string, number>, word: string, day: number): void =>
    void (words.has(word) || words.set(word, day));
  for (const names of namesFor(locale))
    for (let offset = 0; offset < NAMED_DAYS; offset += 1) {
      const day = today + offset;
      const date = new Date(day * DAY);
      const [dayOfMonth, year] = [String(date.getUTCDate()), String(date.getUTCFullYear())];
      const nearDay = names.nearDays[offset] ?? null;
      if (nearDay !== null) add(dates, nearDay, day);
      const weekday = offset < 7 ? names.weekdays[weekdayOf(day * DAY)] : [];
      for (const word of weekday ?? []) add(weekdays, word, day);
      for (const form of names.months[date.getUTCMonth()] ?? [])
        add(dates, form.replace(/\b0\b/, dayOfMonth).replace('9999', year), day);
    }
  return { dates, weekdays };
}, 50);

function withoutAccents(text: string): string {
  return text.normalize('NFKD').toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '');
}

/** Without spaces and full stops. */
function withoutGaps(text: string): string {
  return text.replace(/[\s.]+/gu, '');
}

/** Without accents, marks between words, and the ending of a number: "1er décembre" → "1 decembre". */
function folded(text: string): string {
  return withoutAccents(text)
    .replace(/[^\p{L}\d]+/gu, ' ')
    .replace(/(\d)\p{L}{1,2}(?= |$)/gu, '$1')
    .trim();
}
