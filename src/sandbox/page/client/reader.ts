import type { Needs, TextKey, Texts } from './catalogue.ts';

/** How the page speaks to its visitor: texts, numbers and times of one language. */
export interface Reader {
  /** BCP 47. */
  readonly locale: string;
  /** The text with its `{{placeholders}}` filled in: strings unchanged, numbers formatted; `count` picks the plural form. */
  t<K extends TextKey>(key: K, ...values: Filling<K, string | number>): string;
  /** The same in pieces, so that a placeholder can be an element. */
  pieces<Piece>(key: TextKey, values: Readonly<Record<string, Piece>>): readonly (string | Piece)[];
  number(value: number): string;
  /** With the unit spelt out: "10 minutes". */
  unit(value: number, unit: 'minute' | 'hour' | 'byte'): string;
}

type Filling<K extends TextKey, Value> = [Needs<K>] extends [never]
  ? []
  : [values: Readonly<Record<Needs<K>, Value>>];

/** `spelt` changes the catalogue's spelling to that of the locale. */
export function createReader(
  locale: string,
  texts: Texts,
  spelt: (text: string) => string = (text) => text,
): Reader {
  const plurals = new Intl.PluralRules(locale);
  const numbers = new Intl.NumberFormat(locale);

  function template(key: string, count: unknown): readonly string[] {
    const [group = '', name = ''] = key.split('.');
    const form = typeof count === 'number' ? `${name}_${plurals.select(count)}` : name;
    const text = texts[group]?.[form];
    if (text === undefined) throw new TypeError(`no text has the key ${key}`);
    return spelt(text).split(/\{\{(\w+)\}\}/);
  }

  function pieces<Piece>(
    key: string,
    values: Readonly<Record<string, Piece>> = {},
  ): readonly (string | Piece)[] {
    const made: (string | Piece)[] = [];
    // Literal, name, literal, name, …, literal.
    template(key, values['count']).forEach((part, index) => {
      const value = index % 2 === 0 ? part : values[part];
      if (value === undefined) throw new TypeError(`${key} needs ${part}`);
      if (value !== '') made.push(value);
    });
    return made;
  }

  return {
    locale,
    t: (key, ...[values]) =>
      pieces<string | number>(key, values)
        .map((piece) => (typeof piece === 'number' ? numbers.format(piece) : piece))
        .join(''),
    pieces,
    number: (value) => numbers.format(value),
    unit: (value, unit) =>
      new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(value),
  };
}
