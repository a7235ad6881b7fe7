import { createInstance } from 'i18next';
import { american } from './american.ts';
import type { Placeholder, PluralForms } from './catalogue.ts';
import type { Language } from './languages.ts';
import { de } from './locales/de.ts';
import { en } from './locales/en.ts';
import { fr } from './locales/fr.ts';
import { pl } from './locales/pl.ts';
import { tr } from './locales/tr.ts';

type PluralForm = PluralForms[keyof PluralForms];

/** The paths to the texts of a catalogue: `profile.options.player`. */
type Paths<T> = { [K in keyof T & string]: T[K] extends string ? K : `${K}.${Paths<T[K]>}` }[keyof T &
  string];
/** i18next picks `…_one`, `…_other` by the count, so the key that is asked for is the part before. */
type Base<K extends string> = K extends `${infer Key}_${PluralForm}` ? Key : K;

/** The text at a path. */
type At<T, Path extends string> = Path extends `${infer Head}.${infer Rest}`
  ? Head extends keyof T
    ? At<T[Head], Rest>
    : never
  : Path extends keyof T
    ? T[Path]
    : never;
/** What a key's text needs to be told; `count` for one with plural forms. */
type Needs<K extends string> = Placeholder<At<typeof en, K>> | PluralNeeds<K>;
type PluralNeeds<K extends string> =
  `${K}_other` extends Paths<typeof en> ? 'count' | Placeholder<At<typeof en, `${K}_other`>> : never;

type AnyKey = Base<Paths<typeof en>>;
/** A text of the catalogue that stands by itself. English is the reference: a key that it lacks does not compile. */
export type TextKey = { [K in AnyKey]: [Needs<K>] extends [never] ? K : never }[AnyKey];
/** A text with placeholders. */
export type TemplateKey = Exclude<AnyKey, TextKey>;

/** What people read, in one language. Numbers, units and lists as its readers write them. */
export interface Translator {
  (key: TextKey): string;
  /**
   * The text with its `{{placeholders}}` filled in; `count` picks the plural form. Strings are inserted as they
   * are, whatever they contain; numbers as readers write them.
   */
  <K extends TemplateKey>(key: K, values: Readonly<Record<Needs<K>, string | number>>): string;
  /** BCP 47. */
  readonly locale: string;
  /** Grouped: 12,345. From 10¹⁵ on as 1E15, so that no figure is longer than a line. Rounded to `digits` places. */
  number(value: number, digits?: number): string;
  /** 0 to 1 → 87%; only nothing at all is 0%, and only the whole is 100%. */
  percent(fraction: number, digits?: number): string;
  /** What a command, a subcommand or an option of that name in the code is called here; null where no catalogue names it. */
  typed(name: string): string | null;
  /** Whether names are also shown in their colours. */
  readonly colours: boolean;
  /** Metres → kilometres, or miles for those who read them, with their unit. */
  distance(metres: number): string;
  /** Seconds → hours, or minutes below two hours, with their unit. */
  duration(seconds: number): string;
  /** Two lower-case letters → the country's name; null where there is no such country. */
  country(code: string): string | null;
}

/** What the readers of a text have decided beyond their language. */
export interface Preferences {
  readonly unit: 'kilometre' | 'mile';
  readonly colours: boolean;
}

const METRES_A_MILE = 1609.344;

/** From here on digits are no longer exact, and a row of 300 zeros tells nobody anything. */
const SCIENTIFIC_FROM = 1e15;

function formatter(locale: string, options: Intl.NumberFormatOptions): (value: number) => string {
  // "negative" writes the sign of neither -0 nor of what rounds to it.
  const shared = { ...options, signDisplay: 'negative' } as const;
  const plain = new Intl.NumberFormat(locale, shared);
  const scientific = new Intl.NumberFormat(locale, { ...shared, notation: 'scientific' });
  return (value) => (Math.abs(value) < SCIENTIFIC_FROM ? plain : scientific).format(value);
}

/** What is there never reads 0%, and what lacks something never 100%. */
function percent(fraction: number, format: (value: number) => string, digits: number): string {
  const step = 10 ** (-2 - digits);
  if (fraction > 0 && fraction < step / 2) return `<${format(step)}`;
  if (fraction < 1 && fraction >= 1 - step / 2) return format(1 - step);
  return format(fraction);
}

/** Making a formatter costs far more than using it. */
function memoised<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new Map<Key, Value>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    made.set(key, value);
    return value;
  };
}

/** Chat tells the reader's locale; whatever is no language tag reads English. */
function canonical(locale: string): string {
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? 'en';
  } catch {
    return 'en';
  }
}

/** By language, each of them; British English is the English that all fall back on. */
const catalogues = { en, 'en-US': american(en), de, tr, pl, fr } satisfies Readonly<
  Record<Exclude<Language, 'en-GB'> | 'en', object>
>;

function isTyped(name: string): name is keyof typeof en.typed {
  return Object.hasOwn(en.typed, name);
}

/** One catalogue a language; a locale without its own reads English with its own numbers. */
export function createTranslators(): (locale: string, preferences?: Preferences) => Translator {
  const translations = createInstance();
  void translations.init({
    resources: Object.fromEntries(
      Object.entries(catalogues).map(([language, translation]) => [language, { translation }]),
    ),
    fallbackLng: 'en',
    initAsync: false,
  });

  const inLocale = memoised((asked: string) => {
    const locale = canonical(asked);
    const translate = translations.getFixedT(locale);
    const decimals = memoised((digits: number) => formatter(locale, { maximumFractionDigits: digits }));
    const percents = memoised((digits: number) =>
      formatter(locale, { style: 'percent', maximumFractionDigits: digits }),
    );
    const unit = (name: string, digits: number) =>
      formatter(locale, { style: 'unit', unit: name, maximumFractionDigits: digits });
    const distance = (name: string, metresEach: number) => {
      const near = unit(name, 1);
      const far = unit(name, 0);
      return (metres: number): string =>
        (Math.abs(metres) < 100 * metresEach ? near : far)(metres / metresEach);
    };
    const minutes = unit('minute', 0);
    const hours = unit('hour', 0);
    const regions = new Intl.DisplayNames([locale, 'en'], { type: 'region', fallback: 'none' });
    const number = (value: number, digits = 0): string => decimals(digits)(value);

    const distances = { kilometre: distance('kilometer', 1000), mile: distance('mile', METRES_A_MILE) };
    // i18next picks the text and its plural form. It is filled in here, in one pass: i18next would look for
    // placeholders and nested keys in names that it has just inserted.
    const text = (key: AnyKey, values: Readonly<Record<string, string | number>> = {}): string => {
      const count = values['count'];
      const template = translate(key, {
        skipInterpolation: true,
        ...(typeof count === 'number' ? { count } : {}),
      });
      return template.replace(/\{\{(\w+)\}\}/g, (_placeholder, name: string) => {
        const value = values[name] ?? '';
        return typeof value === 'number' ? number(value) : value;
      });
    };
    return memoised((unit: Preferences['unit']) =>
      memoised(
        (colours: boolean): Translator =>
          // A function of its own for each, since its properties differ.
          Object.assign((...asked: Parameters<typeof text>) => text(...asked), {
            locale,
            typed: (name: string) => (isTyped(name) ? translate(`typed.${name}`) : null),
            number,
            percent: (fraction: number, digits = 0) => percent(fraction, percents(digits), digits),
            duration: (seconds: number) =>
              Math.abs(seconds) < 7200 ? minutes(seconds / 60) : hours(seconds / 3600),
            country: (code: string) => regions.of(code.toUpperCase()) ?? null,
            colours,
            distance: distances[unit],
          }),
      ),
    );
  });

  return (asked, { unit, colours } = { unit: 'kilometre', colours: true }) => inLocale(asked)(unit)(colours);
}
