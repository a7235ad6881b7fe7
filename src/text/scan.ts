/** A colour of in-game text: black, red, green, yellow, blue, magenta, cyan, white. */
type Colour = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 'default';

/** A run of one colour. Its text is never empty, and a neighbour always has another colour. */
export interface Span {
  readonly colour: Colour;
  readonly text: string;
}

const COLOURS: readonly Colour[] = [0, 1, 2, 3, 4, 5, 6, 7, 'default', 'default'];
const ESCAPES = { v: '|', a: '*', c: ':', d: '\\', s: '/', q: '?', t: '"', l: '<', r: '>', h: '#', '^': '^' };

// After a caret comes a colour, an escape, or a code-page switch, which means nothing in Unicode text.
const CODES: ReadonlyMap<string, { readonly colour?: Colour; readonly text: string }> = new Map([
  ...COLOURS.map((colour, digit) => [`^${digit}`, { colour, text: '' }] as const),
  ...Object.entries(ESCAPES).map(([letter, text]) => [`^${letter}`, { text }] as const),
  ...Array.from('LGCETBJHSK', (page) => [`^${page}`, { text: '' }] as const),
]);

// Text without a caret, which is most of any name; a caret with a letter or digit; a line break; any other character. The
// letters among the default-ignorable characters (Hangul fillers, which take up room) are text.
const PIECES = /([[\p{L}\p{N}\p{P}\p{S}\p{Zs}]--^]+)|\^[\w^]|\r\n|./gsv;

// Bytes 0x80 to 0x9F of Windows-1252 arrive as C1 controls. A space marks the five bytes that the
// code page leaves undefined.
const WINDOWS_1252 = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';

// The other characters, by the first match. Removed are controls, lone surrogates, and Unicode's default-ignorable
// characters: all zero-width and bidi controls, tag characters, and the like. The marks among them (variation selectors)
// count as marks. Interlinear annotations are as invisible.
const MARK = /^\p{M}/u;
const BREAK = /^[\t\n\v\f\r\u2028\u2029]/u;
const BYTE = /^[\x80-\x9f]/u;
const REMOVED = /^[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/u;

/** Returns the visible form of a piece that is neither text nor a mark; empty if it is removed. */
function repairPiece(piece: string): string {
  if (BREAK.test(piece)) return ' ';
  if (BYTE.test(piece)) return WINDOWS_1252.charAt(piece.charCodeAt(0) - 0x80).trim();
  return REMOVED.test(piece) ? '' : piece;
}

const MAX_MARKS_PER_BASE = 2;

/**
 * Reads in-game text, as the service sends it, into runs of one colour. The README of this module lists the codes.
 *
 * The text of the spans is safe to show on one line: bytes of Windows-1252 are repaired; controls,
 * invisible characters and lone surrogates are gone; no base carries more than two combining marks,
 * also across a change of colour. Codes are recognised before anything is removed, so that a
 * zero-width character between `^` and `1` leaves a caret and a digit rather than make a colour.
 *
 * A name is one line: a line break or tab becomes one space, because dropping it would join the
 * words on both sides into one.
 */
export function scanText(input: string): Span[] {
  const spans: { colour: Colour; text: string }[] = [];
  let colour: Colour = 'default';
  // A mark without a base would sit on whatever a card prints before the name, so none fits at first.
  let marksLeft = 0;
  for (const [piece, run] of input.matchAll(PIECES)) {
    const code = CODES.get(piece);
    colour = code?.colour ?? colour;
    const isMark = run === undefined && MARK.test(piece);
    const text = run ?? code?.text ?? (isMark ? piece : repairPiece(piece));
    if (text === '' || (isMark && marksLeft === 0)) continue;
    marksLeft = isMark ? marksLeft - 1 : MAX_MARKS_PER_BASE;
    const last = spans.at(-1);
    if (last?.colour === colour) last.text += text;
    else spans.push({ colour, text });
  }
  return spans;
}
