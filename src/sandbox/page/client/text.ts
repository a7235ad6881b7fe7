import { words } from './words.ts';

/** The names in a text's `{{placeholders}}`. */
type Placeholder<Text> = Text extends `${string}{{${infer Name}}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never;

type Words = typeof words;

/** Key of a text: `composer.send`. */
type TextKey = { [Group in keyof Words]: `${Group}.${keyof Words[Group] & string}` }[keyof Words];

type At<K extends TextKey> = K extends `${infer Group extends keyof Words}.${infer Name}`
  ? Words[Group][Name & keyof Words[Group]]
  : never;

type Needs<K extends TextKey> = Placeholder<At<K>>;

type Filling<K extends TextKey> = [Needs<K>] extends [never]
  ? []
  : [values: Readonly<Record<Needs<K>, string | number>>];

const groups: Readonly<Record<string, Readonly<Record<string, string>>>> = words;
const numbers = new Intl.NumberFormat('en-GB');

/** The text with its `{{placeholders}}` filled in: strings unchanged, numbers formatted. */
export function t<K extends TextKey>(key: K, ...[values]: Filling<K>): string {
  return pieces<string | number>(key, values)
    .map((piece) => (typeof piece === 'number' ? number(piece) : piece))
    .join('');
}

/** Returns the text in pieces, so that a placeholder can be an element. */
export function pieces<Piece>(
  key: TextKey,
  values: Readonly<Record<string, Piece>> = {},
): readonly (string | Piece)[] {
  const [group = '', name = ''] = key.split('.');
  // Literal, name, literal, name, …, literal.
  const parts = (groups[group]?.[name] ?? '').split(/\{\{(\w+)\}\}/);
  return parts.flatMap((part, index) => {
    const piece = index % 2 === 0 ? part : values[part];
    if (piece === undefined) throw new TypeError(`${key} needs ${part}`);
    return piece === '' ? [] : [piece];
  });
}

export function number(value: number): string {
  return numbers.format(value);
}

/** With the unit spelt out: "10 minutes". */
export function unit(value: number, name: 'minute' | 'hour' | 'byte'): string {
  return new Intl.NumberFormat('en-GB', { style: 'unit', unit: name, unitDisplay: 'long' }).format(value);
}
