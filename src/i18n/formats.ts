import { HOUR, MINUTE, SECOND } from '../base/duration.ts';
import { memoiseByKey } from '../base/memoise.ts';
import type { TextOf } from './texts.ts';

const METRES_A_MILE = 1609.344;

/** From here on, digits are not exact, and 300 zeros tell nobody anything. */
const SCIENTIFIC_FROM = 1e15;

/** From here on, three digits say enough where room is short. */
const COMPACT_FROM = 1e6;

/** Intl takes more than a microsecond a number, and a card that is asked for again has the same ones. */
const REMEMBERED = 500;

type NumberStyle = Pick<Intl.NumberFormatOptions, 'style' | 'unit' | 'maximumFractionDigits'>;

/** Numbers rounded to so many digits. */
function formatter(
  locale: string,
  style: Omit<NumberStyle, 'maximumFractionDigits'> = {},
): (value: number, digits?: number) => string {
  const byDigits: ((value: number) => string)[] = [];
  return (value, digits = 0) => {
    byDigits[digits] ??= rounding(locale, { ...style, maximumFractionDigits: digits });
    return byDigits[digits](value);
  };
}

function rounding(locale: string, style: NumberStyle): (value: number) => string {
  const intl = memoiseByKey(
    // "negative" omits the sign for -0 and for values that round to it.
    (notation: 'standard' | 'scientific') =>
      new Intl.NumberFormat(locale, { ...style, notation, signDisplay: 'negative' }),
  );
  return memoiseByKey(
    (value: number) => intl(Math.abs(value) < SCIENTIFIC_FROM ? 'standard' : 'scientific').format(value),
    REMEMBERED,
  );
}

/** A million and more in three digits: 12.3M. Without the point that ends an abbreviation, which takes a column. */
function compactFormat(locale: string, number: (value: number) => string): (value: number) => string {
  const intl = memoiseByKey(
    (style: 'short') =>
      new Intl.NumberFormat(locale, {
        notation: 'compact',
        compactDisplay: style,
        maximumSignificantDigits: 3,
      }),
  );
  return (value) => {
    const isShort = Math.abs(value) >= COMPACT_FROM && Math.abs(value) < SCIENTIFIC_FROM;
    return isShort ? intl('short').format(value).replace(/\.$/, '') : number(value);
  };
}

/** Non-zero never reads 0%, and less than all never reads 100%. */
function percent(fraction: number, format: ReturnType<typeof formatter>, digits: number): string {
  const step = 10 ** (-2 - digits);
  if (fraction > 0 && fraction < step / 2) return `<${format(step, digits)}`;
  if (fraction < 1 && fraction >= 1 - step / 2) return format(1 - step, digits);
  return format(fraction, digits);
}

/** The letters of a flag: a country is what has one, unlike regions such as "Unknown Region" and "Pseudo-Accents". */
const FLAG = /^\p{RGI_Emoji_Flag_Sequence}$/v;

/** Returns the upper-case code that the standard has now: GB for UK, RU for SU. */
export function regionOf(code: string): string {
  return (new Intl.Locale('und', { region: code }).region ?? code).toUpperCase();
}

/** Returns the letters of a flag, for an upper-case code of a country that there is. */
export function flagLetters(region: string): string {
  return String.fromCodePoint(...[...region].map((letter) => 0x1f1e6 + letter.charCodeAt(0) - 65));
}

/** Names of countries by their upper-case codes. */
const countryNames = memoiseByKey((locale: string): ((code: string) => string | null) => {
  const names = new Intl.DisplayNames([locale, 'en'], { type: 'region', fallback: 'none' });
  return (code) => {
    const region = regionOf(code);
    return FLAG.test(flagLetters(region)) ? (names.of(region) ?? null) : null;
  };
});

/** Numbers, units and country names in that locale (BCP 47). */
export function createFormats(locale: string) {
  const percents = formatter(locale, { style: 'percent' });
  const distances = (unit: string, metresEach: number) => {
    const format = formatter(locale, { style: 'unit', unit });
    return {
      distance: (metres: number): string =>
        format(metres / metresEach, Math.abs(metres) < 100 * metresEach ? 1 : 0),
      distanceUnit: { metres: metresEach, name: () => format(0, 0).replace(/[\p{Nd}\s]+/gu, '') },
    };
  };
  const country = memoiseByKey((code: string) => countryNames(locale)(code.toUpperCase()));
  const number = formatter(locale);
  return {
    number,
    compact: compactFormat(locale, number),
    percent: (fraction: number, digits = 0): string => percent(fraction, percents, digits),
    country,
    distances: { kilometre: distances('kilometer', 1000), mile: distances('mile', METRES_A_MILE) },
  };
}

/** From here on, minutes say nothing beside the hours. */
const WHOLE_HOURS_FROM = 100 * HOUR;

/** A time is at least, or at most, what is written: a bound that is rounded the other way is not true. */
const roundings = { least: Math.floor, most: Math.ceil, about: Math.round } as const;
export type DurationBound = Exclude<keyof typeof roundings, 'about'>;

/** Seconds → "45 min", "1 h 45", "1,111 h", to the minute and from a hundred hours on to the hour. */
export function createDurationFormat(
  text: TextOf,
  number: (value: number) => string,
): (seconds: number, bound?: DurationBound) => string {
  return (seconds, bound) => {
    const round = roundings[bound ?? 'about'];
    const exact = Math.abs(seconds) * SECOND;
    const all = round(exact / MINUTE) * MINUTE;
    const signed = (value: number): string => number(seconds < 0 ? -value : value);
    if (all < HOUR) return text('duration.minutes', { minutes: signed(all / MINUTE) });
    if (all >= WHOLE_HOURS_FROM) return text('duration.hours', { hours: signed(round(exact / HOUR)) });
    const [hours, minutes] = [signed(Math.floor(all / HOUR)), (all % HOUR) / MINUTE];
    if (minutes === 0) return text('duration.hours', { hours });
    const twoDigits = minutes < 10 ? `${number(0)}${number(minutes)}` : number(minutes);
    return text('duration.hoursAndMinutes', { hours, minutes: twoDigits });
  };
}
