import { memoiseByKey } from '../base/memoise.ts';
import type { Catalogues } from './catalogues.ts';
import { createDurationFormat, createFormats, type DurationBound } from './formats.ts';
import { createTexts } from './texts.ts';
import type { EnglishTexts, Placeholder, PluralForm } from './translation.ts';

/** The paths to the texts of a catalogue: `profile.options.player`. */
type Paths<T> = { [K in keyof T & string]: T[K] extends string ? K : `${K}.${Paths<T[K]>}` }[keyof T &
  string];
/** The count picks `…_one` or `…_other`, so the key is the part before. */
type Base<K extends string> = K extends `${infer Key}_${PluralForm}` ? Key : K;

/** The text at a path. */
type At<T, Path extends string> = Path extends `${infer Head}.${infer Rest}`
  ? Head extends keyof T
    ? At<T[Head], Rest>
    : never
  : Path extends keyof T
    ? T[Path]
    : never;
/** The parameters of a key's text; `count` for one with plural forms. */
type Needs<K extends string> = Placeholder<At<EnglishTexts, K>> | PluralNeeds<K>;
type PluralNeeds<K extends string> =
  `${K}_other` extends Paths<EnglishTexts> ? 'count' | Placeholder<At<EnglishTexts, `${K}_other`>> : never;

type AnyKey = Base<Paths<EnglishTexts>>;
/** A text without parameters. English is the reference: a key missing there does not compile. */
export type TextKey = { [K in AnyKey]: [Needs<K>] extends [never] ? K : never }[AnyKey];
/** A text with placeholders. */
type TemplateKey = Exclude<AnyKey, TextKey>;

/** The texts of one language, with numbers, units and lists in its format. */
export interface Translator {
  (key: TextKey): string;
  /**
   * The text with its `{{placeholders}}` filled in; `count` picks the plural form. Strings are inserted unchanged,
   * numbers are formatted.
   */
  <K extends TemplateKey>(key: K, values: Readonly<Record<Needs<K>, string | number>>): string;
  /** BCP 47. */
  readonly locale: string;
  /** Grouped: 12,345. From 10¹⁵ on as 1E15, to keep it short. Rounded to `digits` places. */
  number(value: number, digits?: number): string;
  /** Shortens numbers from a million on: 1.23M. */
  compact(value: number): string;
  /** 0 to 1 → 87%; only zero is 0%, and only one is 100%. */
  percent(fraction: number, digits?: number): string;
  /** The localised name of a command, subcommand or option; null where the catalogue has none. */
  typed(name: string): string | null;
  /** Whether to show names in their in-game colours as well. */
  readonly colours: boolean;
  /** Metres → kilometres or miles, with the unit. */
  distance(metres: number): string;
  /** That unit, and its name: "km". */
  readonly distanceUnit: { readonly metres: number; name(): string };
  /** Seconds → "45 min", "1 h 45", "1,111 h". A bound is rounded so that it stays true. */
  duration(seconds: number, bound?: DurationBound): string;
  /** Two lower-case letters → the country's name; null if there is none. */
  country(code: string): string | null;
}

/** A viewer's preferences beyond the language. */
export interface Preferences {
  readonly unit: 'kilometre' | 'mile';
  readonly colours: boolean;
}

/** Discord sends the person's locale; an invalid one becomes English. */
function canonical(locale: string): string {
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? 'en';
  } catch {
    return 'en';
  }
}

/** One catalogue per language; a locale without one gets English with its own number format. */
export function createTranslators(
  catalogues: Catalogues,
): (locale: string, preferences?: Preferences) => Translator {
  const textsOf = createTexts(catalogues);
  const inLocale = memoiseByKey((asked: string) => {
    const locale = canonical(asked);
    const { distances, ...formats } = createFormats(locale);
    const textsIn = textsOf(locale);
    const text = textsIn(formats.number);
    const duration = createDurationFormat(text, formats.number);
    const nameOf = (name: string): string | null =>
      Object.hasOwn(Object(catalogues('en').texts['typed']), name) ? text(`typed.${name}`) : null;
    return memoiseByKey((unit: Preferences['unit']) =>
      memoiseByKey(
        (colours: boolean): Translator =>
          // A separate function each, since its properties differ.
          Object.assign(textsIn(formats.number), {
            ...formats,
            duration,
            locale,
            typed: nameOf,
            colours,
            ...distances[unit],
          }),
      ),
    );
  });

  return (asked, { unit, colours } = { unit: 'kilometre', colours: true }) => inLocale(asked)(unit)(colours);
}
