import { DAY, HOUR } from '../base/duration.ts';
import { memoiseByKey } from '../base/memoise.ts';
import { FIRST_MONDAY } from '../base/zone.ts';

/** How moments, hours and weekdays are written in a locale (BCP 47), for texts in which Discord shows no timestamps. */
export interface ZonedFormats {
  /** Unix ms → "Sat 21 Nov, 21:05". */
  moment(at: number): string;
  /** Unix ms → "21 Nov". */
  day(at: number): string;
  /** Unix ms → "November 2026". */
  month(at: number): string;
  /** Unix ms → "21 Nov 2026", and as short as a column of a table needs it. */
  date(at: number): string;
  tableDate(at: number): string;
  /** Unix ms → "Sat 21 Nov", and "Saturday, 21 November". */
  shortDay(at: number): string;
  longDay(at: number): string;
  /** The days of both moments: "16–22 November". */
  dayRange(from: number, to: number): string;
  /** Unix ms → "21:00". */
  time(at: number): string;
  /** 0 to 24 → "21:00"; 24 is midnight again. */
  hour(hour: number): string;
  /** Both of one day: "20:00–21:00", "8:00 – 9:00 PM". */
  hours(from: number, to: number): string;
  /** 0, Monday, to 6. */
  weekday(day: number, length: 'short' | 'long'): string;
}

/** A formatter that is made when it is first used: making one takes up to 3 ms, and a card needs two or three. */
function lazyFormat(locale: string, options: Intl.DateTimeFormatOptions): () => Intl.DateTimeFormat {
  let made: Intl.DateTimeFormat | null = null;
  return () => (made ??= new Intl.DateTimeFormat(locale, options));
}

/** The first day of a month in languages that count it: "1er décembre". */
const firstDays: Readonly<Record<string, string>> = { fr: '1er', pt: '1º' };

/** Russian ends a year with the word for it: "декабрь 2026 г.". */
const withoutYearWord = (text: string): string => text.replace(/\sг\.$/, '');

/** Zones of one locale: there are more than 400, anybody may name each, and the formatters of one take 0.25 MB. */
const REMEMBERED = 20;

const inLocale = memoiseByKey((locale: string) => {
  const firstDay = firstDays[new Intl.Locale(locale).language];
  return memoiseByKey((timeZone: string): ZonedFormats => {
    const format = (options: Intl.DateTimeFormatOptions, zone = timeZone) => {
      const formatter = lazyFormat(locale, { ...options, timeZone: zone });
      if (firstDay === undefined) return (at: number): string => formatter().format(at);
      const writePart = ({ type, value }: Intl.DateTimeFormatPart): string =>
        type === 'day' && value === '1' ? firstDay : value;
      return (at: number): string => formatter().formatToParts(at).map(writePart).join('');
    };
    const range = lazyFormat(locale, { day: 'numeric', month: 'long', timeZone });
    const clock = lazyFormat(locale, { timeStyle: 'short', timeZone: 'UTC' });
    const hour = (of: number): string => clock().format((of % 24) * HOUR);
    const month = format({ month: 'long', year: 'numeric' });
    const date = format({ day: 'numeric', month: 'short', year: 'numeric' });
    const weekdays = {
      short: format({ weekday: 'short' }, 'UTC'),
      long: format({ weekday: 'long' }, 'UTC'),
    };
    return {
      moment: format({
        weekday: 'short',
        day: 'numeric',
        month: 'short',
        hour: 'numeric',
        minute: '2-digit',
      }),
      day: format({ day: 'numeric', month: 'short' }),
      month: (at) => withoutYearWord(month(at)),
      date: (at) => withoutYearWord(date(at)),
      tableDate: tableDate(locale, timeZone),
      shortDay: format({ weekday: 'short', day: 'numeric', month: 'short' }),
      longDay: format({ weekday: 'long', day: 'numeric', month: 'long' }),
      dayRange: (from, to) => range().formatRange(from, to),
      time: format({ timeStyle: 'short' }),
      hour,
      hours: (from, to) =>
        to < 24 ? clock().formatRange(from * HOUR, to * HOUR) : `${hour(from)}–${hour(to)}`,
      weekday: (day, length) => weekdays[length](FIRST_MONDAY + day * DAY),
    };
  }, REMEMBERED);
});

/** Leaves out the words between the parts ("8 de fev. de 2027") and full stops of months. */
function tableDate(locale: string, timeZone: string): (at: number) => string {
  const format = lazyFormat(locale, { day: 'numeric', month: 'short', year: 'numeric', timeZone });
  const writePart = ({ type, value }: Intl.DateTimeFormatPart): string => {
    if (type === 'literal') return /\p{L}/u.test(value) ? ' ' : value;
    return type === 'month' ? value.replace(/\.$/, '') : value;
  };
  return (at) => format().formatToParts(at).map(writePart).join('').trim();
}

export function zonedFormats(locale: string, zone: string): ZonedFormats {
  return inLocale(locale)(zone);
}
