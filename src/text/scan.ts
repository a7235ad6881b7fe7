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
const CODES: ReadonlyMap<number, Code> = new Map<number, Code>([
  ...COLOURS.map((colour, digit) => [48 + digit, { colour, text: '' }] as const),
  ...ESCAPES.map(([letter, text]) => [letter.charCodeAt(0), { colour: null, text }] as const),
  ...Array.from('LGCETBJHSK', (page) => [page.charCodeAt(0), { colour: null, text: '' }] as const),
]);

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
  let colour: Colour = 'default';
  // A mark without a base would sit on whatever a card prints before the name, so none fits yet.
  let marksThatFit = 0;

  const put = (text: string): void => {
    const last = spans.at(-1);
    if (last?.colour === colour) last.text += text;
    else spans.push({ colour, text });
  };
  const putBase = (text: string): void => {
    put(text);
    marksThatFit = MARKS_A_BASE;
  };

  /** One character that is neither ordinary nor a code; returns where the next one begins. */
  const putOther = (at: number): number => {
    const character = String.fromCodePoint(input.codePointAt(at) ?? 0);
    const next = at + character.length;
    const kind = kindOf(character);
    if (kind === 'break') {
      putBase(' ');
      return character === '\r' && input[next] === '\n' ? next + 1 : next;
    }
    if (kind === 'mark') {
      if (marksThatFit > 0) put(character);
      marksThatFit = Math.max(0, marksThatFit - 1);
    } else if (kind === 'byte') {
      const repaired = WINDOWS_1252.charAt(character.charCodeAt(0) - 0x80);
      if (repaired !== ' ') putBase(repaired);
    } else if (kind !== 'removed') {
      putBase(character);
    }
    return next;
  };

  let at = 0;
  while (at < input.length) {
    const begin = at;
    for (; at < input.length; at += 1) {
      const unit = input.charCodeAt(at);
      if (unit === CARET || kindOfUnit(unit) !== TEXT) break;
    }
    if (at > begin) putBase(input.slice(begin, at));
    if (at === input.length) break;
    const code = input.charCodeAt(at) === CARET ? CODES.get(input.charCodeAt(at + 1)) : undefined;
    if (code === undefined) {
      at = putOther(at);
      continue;
    }
    at += 2;
    if (code.colour !== null) colour = code.colour;
    else if (code.text !== '') putBase(code.text);
  }
  return spans;
}
