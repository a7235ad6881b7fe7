/** A colour of in-game text: black, red, green, yellow, blue, magenta, cyan, white. */
export type Colour = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 'default';

/** A run of one colour. Its text is never empty, and a neighbour always has another colour. */
export interface Span {
  readonly colour: Colour;
  readonly text: string;
}

const COLOURS: readonly Colour[] = [0, 1, 2, 3, 4, 5, 6, 7, 'default', 'default'];
const ESCAPES = [
  ['v', '|'],
  ['a', '*'],
  ['c', ':'],
  ['d', '\\'],
  ['s', '/'],
  ['q', '?'],
  ['t', '"'],
  ['l', '<'],
  ['r', '>'],
  ['h', '#'],
  ['^', '^'],
] as const;

// What may follow a caret, by its character code: a colour, an escape, or one of the code-page switches, which mean
// nothing in Unicode text.
interface Code {
  readonly colour: Colour | null;
  readonly text: string;
}
const CODES: readonly (Code | undefined)[] = codesByCharacter([
  ...COLOURS.map((colour, digit) => [48 + digit, { colour, text: '' }] as const),
  ...ESCAPES.map(([letter, text]) => [letter.charCodeAt(0), { colour: null, text }] as const),
  ...Array.from('LGCETBJHSK', (page) => [page.charCodeAt(0), { colour: null, text: '' }] as const),
]);

function codesByCharacter(codes: readonly (readonly [number, Code])[]): readonly (Code | undefined)[] {
  const byCharacter = new Map(codes);
  return Array.from({ length: 128 }, (_, code) => byCharacter.get(code));
}

// Bytes 0x80 to 0x9F of Windows-1252 arrive as C1 controls. A space marks the five bytes that the
// code page leaves undefined.
const WINDOWS_1252 = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';

const CARET = 0x5e;

// What happens to a character; the first match counts. Removed are controls, lone surrogates, and Unicode's
// default-ignorable characters: all zero-width and bidi controls, tag characters, and the like. The marks among
// them (variation selectors) and the letters (Hangul fillers, which take up room) count as marks and text.
// Interlinear annotations are as invisible.
const KINDS = [
  ['text', /^[\p{L}\p{N}\p{P}\p{S}\p{Zs}]$/u],
  ['mark', /^\p{M}$/u],
  ['break', /^[\t\n\v\f\r\u2028\u2029]$/u],
  ['byte', /^[\x80-\x9f]$/u],
  ['removed', /^[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]$/u],
  ['other', /^/],
] as const;
type Kind = (typeof KINDS)[number][0];
const TEXT = 0;

function kindNumber(character: string): number {
  return KINDS.findIndex(([, pattern]) => pattern.test(character));
}

// Most text uses letters of a few alphabets: a block of 256 code units is classified when first met, and then
// looked up. At most 64 KiB.
const pages: (Uint8Array | undefined)[] = [];

function addPage(number: number): Uint8Array {
  const page = Uint8Array.from({ length: 256 }, (_, low) =>
    kindNumber(String.fromCharCode((number << 8) | low)),
  );
  pages[number] = page;
  return page;
}

/** For a single code unit, so half of a surrogate pair is not a character that counts. */
function kindOfUnit(unit: number): number {
  return (pages[unit >> 8] ?? addPage(unit >> 8))[unit & 0xff] ?? TEXT;
}

/** For a character that may be a surrogate pair. */
function kindOf(character: string): Kind {
  const number = character.length === 1 ? kindOfUnit(character.charCodeAt(0)) : kindNumber(character);
  return KINDS[number]?.[0] ?? 'other';
}

/** Neither a caret nor a character that needs a second look. All that ASCII prints is text. */
function isOrdinary(unit: number): boolean {
  if (unit >= 0x20 && unit < 0x7f) return unit !== CARET;
  return kindOfUnit(unit) === TEXT;
}

/** A character as it is shown; empty for nothing. */
function shown(character: string, kind: Kind): string {
  if (kind === 'break') return ' ';
  if (kind === 'byte') return WINDOWS_1252.charAt(character.charCodeAt(0) - 0x80).trim();
  return kind === 'removed' ? '' : character;
}

const MARKS_A_BASE = 2;

/**
 * Reads in-game text, as the service sends it, into runs of one colour. The codes are in the room's README.
 *
 * The text of the spans is safe to show on one line: bytes of Windows-1252 are repaired; controls,
 * invisible characters and lone surrogates are gone; no base carries more than two combining marks,
 * also across a change of colour. Codes are recognised before anything is removed, so that a
 * zero-width character between `^` and `1` leaves a caret and a digit rather than make a colour.
 *
 * A name is one line: a line break or tab becomes one space, because dropping it would join the
 * words on both sides into one.
 */
export function scan(input: string): Span[] {
  const spans: { colour: Colour; text: string }[] = [];
  const reading = beginReading(input);
  for (let text = nextRun(reading); text !== ''; text = nextRun(reading)) {
    const last = spans.at(-1);
    if (last?.colour === reading.colour) last.text += text;
    else spans.push({ colour: reading.colour, text });
  }
  return spans;
}

/** How far a text has been read. */
interface Reading {
  readonly input: string;
  at: number;
  /** Of the run that was read last. */
  colour: Colour;
  /** A mark without a base would sit on whatever a card prints before the name, so none fits at first. */
  marksThatFit: number;
}

export function beginReading(input: string): Reading {
  return { input, at: 0, colour: 'default', marksThatFit: 0 };
}

/** One piece after another, of which neighbours may share a colour; empty at the end. */
export function nextRun(reading: Reading): string {
  const { input } = reading;
  while (reading.at < input.length) {
    const begin = reading.at;
    let end = begin;
    while (end < input.length && isOrdinary(input.charCodeAt(end))) end += 1;
    if (end > begin) {
      reading.at = end;
      reading.marksThatFit = MARKS_A_BASE;
      return input.slice(begin, end);
    }
    const text = nextCode(reading);
    if (text !== '') return text;
  }
  return '';
}

/** What the code or the single character stands for that comes next; empty for nothing. */
function nextCode(reading: Reading): string {
  const { input, at } = reading;
  const code = input.charCodeAt(at) === CARET ? CODES[input.charCodeAt(at + 1)] : undefined;
  if (code === undefined) return nextCharacter(reading);
  reading.at += 2;
  if (code.colour !== null) reading.colour = code.colour;
  if (code.text !== '') reading.marksThatFit = MARKS_A_BASE;
  return code.text;
}

function nextCharacter(reading: Reading): string {
  const { input } = reading;
  const character = String.fromCodePoint(input.codePointAt(reading.at) ?? 0);
  const kind = kindOf(character);
  reading.at += character.length;
  if (character === '\r' && input[reading.at] === '\n') reading.at += 1;
  if (kind === 'mark') {
    const isShown = reading.marksThatFit > 0;
    reading.marksThatFit = Math.max(0, reading.marksThatFit - 1);
    return isShown ? character : '';
  }
  const text = shown(character, kind);
  if (text !== '') reading.marksThatFit = MARKS_A_BASE;
  return text;
}
