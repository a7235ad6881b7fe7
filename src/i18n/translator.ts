import type { Placeholder, PluralForms } from './catalogue.ts';
import { createFormats } from './formats.ts';
import { en } from './locales/en.ts';
import { memoised } from './memoised.ts';
import { textsOf } from './texts.ts';

type PluralForm = PluralForms[keyof PluralForms];

/** The paths to the texts of a catalogue: `profile.options.player`. */
type Paths<T> = { [K in keyof T & string]: T[K] extends string ? K : `${K}.${Paths<T[K]>}` }[keyof T &
  string];
/** The count picks `…_one` or `…_other`, so the key that is asked for is the part before. */
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

/** Discord tells the reader's locale; whatever is no language tag reads English. */
function canonical(locale: string): string {
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? 'en';
  } catch {
    return 'en';
  }
}

function isTyped(name: string): name is keyof typeof en.typed {
  return Object.hasOwn(en.typed, name);
}

/** One catalogue a language; a locale without its own reads English with its own numbers. */
export function createTranslators(): (locale: string, preferences?: Preferences) => Translator {
  const inLocale = memoised((asked: string) => {
    const locale = canonical(asked);
    const { distances, ...formats } = createFormats(locale);
    const text = textsOf(locale, formats.number);
    const typed = (name: string): string | null => (isTyped(name) ? text(`typed.${name}`) : null);
    return memoised((unit: Preferences['unit']) =>
      memoised(
        (colours: boolean): Translator =>
          // A function of its own for each, since its properties differ.
          Object.assign((...given: Parameters<typeof text>) => text(...given), {
            ...formats,
            locale,
            typed,
            colours,
            distance: distances[unit],
          }),
      ),
    );
  });

  return (asked, { unit, colours } = { unit: 'kilometre', colours: true }) => inLocale(asked)(unit)(colours);
}
