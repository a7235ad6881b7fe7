import { createInstance } from 'i18next';
import { en } from './en.ts';

/** The paths to the texts of a catalogue: `profile.options.player`. */
type Paths<T> = { [K in keyof T & string]: T[K] extends string ? K : `${K}.${Paths<T[K]>}` }[keyof T &
  string];
/** i18next picks `…_one`, `…_other` by the count, so the key that is asked for is the part before. */
type Base<K extends string> = K extends `${infer Key}_${'zero' | 'one' | 'two' | 'few' | 'many' | 'other'}`
  ? Key
  : K;

/** A text of the catalogue. English is the reference: a key that it lacks does not compile. */
export type WordKey = Base<Paths<typeof en>>;

/** What people read, in one language. Numbers, units and lists as its readers write them. */
export interface Words {
  /** BCP 47. */
  readonly locale: string;
  /** The text with its `{{placeholders}}` filled in; `count` picks the plural form. Values are inserted as they are. */
  text(key: WordKey, values?: Readonly<Record<string, string | number>>): string;
  /** Grouped: 12,345. */
  number(value: number, digits?: number): string;
  /** 0 to 1 → 87%. */
  percent(fraction: number): string;
  /** Metres → kilometres with their unit. */
  distance(metres: number): string;
  /** Seconds → hours, or minutes below two hours, with their unit. */
  duration(seconds: number): string;
}

/** One catalogue a language; a locale without its own reads English with its own numbers. */
export function createWords(): (locale: string) => Words {
  const catalogues = createInstance();
  void catalogues.init({
    resources: { en: { translation: en } },
    fallbackLng: 'en',
    initAsync: false,
    // Chat is not HTML; what is inserted is escaped for where it is shown, by whoever shows it.
    interpolation: { escapeValue: false },
  });
  return (locale) => {
    const translate = catalogues.getFixedT(locale);
    const decimals = (value: number, digits: number): string =>
      new Intl.NumberFormat(locale, { maximumFractionDigits: digits }).format(value);
    const unit = (value: number, name: string, digits: number): string =>
      new Intl.NumberFormat(locale, { style: 'unit', unit: name, maximumFractionDigits: digits }).format(
        value,
      );
    return {
      locale,
      text: (key, values) => translate(key, { ...values }),
      number: (value, digits = 0) => decimals(value, digits),
      percent: (fraction) => new Intl.NumberFormat(locale, { style: 'percent' }).format(fraction),
      distance: (metres) => unit(metres / 1000, 'kilometer', metres < 100_000 ? 1 : 0),
      duration: (seconds) =>
        seconds < 7200 ? unit(seconds / 60, 'minute', 0) : unit(seconds / 3600, 'hour', 0),
    };
  };
}
