/** A colour of in-game text: black, red, green, yellow, blue, magenta, cyan, white (field notes §1). */
export type Colour = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 'default';

/** A run of one colour. Its text is never empty, and a neighbour always has another colour. */
export interface Span {
  readonly colour: Colour;
  readonly text: string;
}

// What may follow a caret, in three parts: colours, escapes, and the code-page switches, which mean
// nothing in Unicode text. Together they are the first alternative of TOKEN.
const COLOURS: ReadonlyMap<string, Colour> = new Map<string, Colour>([
  ['0', 0],
  ['1', 1],
  ['2', 2],
  ['3', 3],
  ['4', 4],
  ['5', 5],
  ['6', 6],
  ['7', 7],
  ['8', 'default'],
  ['9', 'default'],
]);
const ESCAPES: ReadonlyMap<string, string> = new Map([
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
]);

// Bytes 0x80 to 0x9F of Windows-1252 arrive as C1 controls. A space marks the five bytes that the
// code page leaves undefined.
const WINDOWS_1252 = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';

// Removed are controls, lone surrogates, and what Unicode calls default-ignorable. That is all
// zero-width and bidi controls of field notes §1 and those that they do not name, such as tag
// characters. Earlier alternatives have taken the marks among them (variation selectors) and the
// letters (Hangul fillers, which take up room). Interlinear annotations are as invisible.
//
// Every alternative eats at least one character and none is left again once it has matched: the
// scan is linear.
const TOKEN = new RegExp(
  [
    String.raw`\^([0-9LGCETBJHSKvacdsqtlrh^])`, // a code
    String.raw`([[\p{L}\p{N}\p{P}\p{S}\p{Zs}]--[\^]]+)`, // ordinary text
    String.raw`(\r\n|[\t\n\v\f\r\u2028\u2029])`, // a line break
    String.raw`([\x80-\x9f])`, // a byte of Windows-1252
    String.raw`(\p{M})`, // a combining mark
    String.raw`([\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb])`, // removed
    '.', // anything else, a caret without a code among it
  ].join('|'),
  'gsv',
);

const MARKS_A_BASE = 2;

/**
 * Reads in-game text, as the service sends it, into runs of one colour (field notes §1).
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

  for (const [token, code, run, lineBreak, byte, mark, removed] of input.matchAll(TOKEN)) {
    if (run !== undefined) {
      putBase(run);
    } else if (code !== undefined) {
      const escaped = ESCAPES.get(code);
      if (escaped !== undefined) putBase(escaped);
      else colour = COLOURS.get(code) ?? colour;
    } else if (lineBreak !== undefined) {
      putBase(' ');
    } else if (byte !== undefined) {
      const repaired = WINDOWS_1252.charAt(byte.charCodeAt(0) - 0x80);
      if (repaired !== ' ') putBase(repaired);
    } else if (mark !== undefined) {
      if (marksThatFit > 0) put(mark);
      marksThatFit = Math.max(0, marksThatFit - 1);
    } else if (removed === undefined) {
      putBase(token);
    }
  }
  return spans;
}
