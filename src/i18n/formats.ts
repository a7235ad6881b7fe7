import { HOUR, MINUTE, SECOND } from '../base/duration.ts';
import { memoised } from '../base/memoised.ts';
import { ENGLISH_BELOW, englishNumber, type NumberStyle } from './english.ts';
import { englishCountries } from './english-countries.ts';
import type { TextOf } from './texts.ts';

const METRES_A_MILE = 1609.344;

/** From here on, digits are not exact, and 300 zeros tell nobody anything. */
const SCIENTIFIC_FROM = 1e15;

/** Intl takes more than a microsecond a number, and a card that is asked for again has the same ones. */
const REMEMBERED = 500;

function formatter(locale: string, style: NumberStyle): (value: number) => string {
  const intl = memoised(
    // "negative" omits the sign for -0 and for values that round to it.
    (notation: 'standard' | 'scientific') =>
      new Intl.NumberFormat(locale, { ...style, notation, signDisplay: 'negative' }),
  );
  const english = englishNumber(locale, style);
  return memoised((value) => {
    const size = Math.abs(value);
    if (english !== null && size < ENGLISH_BELOW) return english(value);
    return intl(size < SCIENTIFIC_FROM ? 'standard' : 'scientific').format(value);
  }, REMEMBERED);
}

/** Non-zero never reads 0%, and less than all never reads 100%. */
function percent(fraction: number, format: (value: number) => string, digits: number): string {
  const step = 10 ** (-2 - digits);
  if (fraction > 0 && fraction < step / 2) return `<${format(step)}`;
  if (fraction < 1 && fraction >= 1 - step / 2) return format(1 - step);
  return format(fraction);
}

/** Countries by their upper-case codes. */
const countryNames = memoised((locale: string): ((code: string) => string | null) => {
  const inEnglish = englishCountries[locale];
  if (inEnglish !== undefined) return (code) => inEnglish[code] ?? null;
  const names = new Intl.DisplayNames([locale, 'en'], { type: 'region', fallback: 'none' });
  return (code) => names.of(code) ?? null;
});

/** Numbers, units and country names in that locale (BCP 47). */
export function createFormats(locale: string) {
  const decimals = memoised((digits: number) => formatter(locale, { maximumFractionDigits: digits }));
  const percents = memoised((digits: number) =>
    formatter(locale, { style: 'percent', maximumFractionDigits: digits }),
  );
  const unit = memoised((name: string) =>
    memoised((digits: number) =>
      formatter(locale, { style: 'unit', unit: name, maximumFractionDigits: digits }),
    ),
  );
  const distance =
    (name: string, metresEach: number) =>
    (metres: number): string =>
      unit(name)(Math.abs(metres) < 100 * metresEach ? 1 : 0)(metres / metresEach);
  const country = memoised((code: string) => countryNames(locale)(code.toUpperCase()));
  return {
    number: (value: number, digits = 0): string => decimals(digits)(value),
    percent: (fraction: number, digits = 0): string => percent(fraction, percents(digits), digits),
    country,
    distances: { kilometre: distance('kilometer', 1000), mile: distance('mile', METRES_A_MILE) },
  };
}

/** From here on, minutes say nothing beside the hours. */
const WHOLE_HOURS_FROM = 100 * HOUR;

/** Seconds → "45 min", "1 h 45", "1,111 h", to the minute and from a hundred hours on to the hour. */
export function durations(text: TextOf, number: (value: number) => string): (seconds: number) => string {
  return (seconds) => {
    const exact = Math.abs(seconds) * SECOND;
    const all = Math.round(exact / MINUTE) * MINUTE;
    const signed = (value: number): string => number(seconds < 0 ? -value : value);
    if (all < HOUR) return text('duration.minutes', { minutes: signed(all / MINUTE) });
    if (all >= WHOLE_HOURS_FROM) return text('duration.hours', { hours: signed(Math.round(exact / HOUR)) });
    const [hours, minutes] = [signed(Math.floor(all / HOUR)), (all % HOUR) / MINUTE];
    if (minutes === 0) return text('duration.hours', { hours });
    const twoDigits = minutes < 10 ? `${number(0)}${number(minutes)}` : number(minutes);
    return text('duration.hoursAndMinutes', { hours, minutes: twoDigits });
  };
}
