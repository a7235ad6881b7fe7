import type { Span } from './scan.ts';

// Discord has eight foreground colours, 30 to 37, and a reset. Black is hardly readable on the dark theme and white is
// invisible on the light one, so both are shown in the default text colour.
const CODES: Readonly<Record<Span['colour'], number>> = {
  0: 0,
  1: 31,
  2: 32,
  3: 33,
  4: 34,
  5: 35,
  6: 36,
  7: 0,
  default: 0,
};

/**
 * The spans in their colours, as a part of a line in a fenced `ansi` block: it begins and ends in the default colour.
 * Such blocks are drawn in message content, an embed's description and a field's value.
 *
 * No name can close the fence: before a third backtick in a row the current colour is repeated, which is invisible.
 * `scan` guarantees that spans have no control characters or line breaks. Between two parts something else must stand.
 */
export function toAnsi(spans: readonly Span[]): string {
  let part = '';
  let current = 0;
  for (const { colour, text } of spans) {
    const code = CODES[colour];
    // Without a new code, the backticks of both spans would be adjacent.
    if (code !== current || (part.endsWith('`') && text.startsWith('`'))) part += escapeSequence(code);
    current = code;
    part += text.replace(/``(?=`)/g, `$&${escapeSequence(code)}`);
  }
  return current === 0 ? part : part + escapeSequence(0);
}

/**
 * Colours add something to the plain name. Black, white and the default all look like the default text
 * colour, and a coloured space is invisible.
 */
export function hasColour(spans: readonly Span[]): boolean {
  return spans.some(({ colour, text }) => CODES[colour] !== 0 && /\S/.test(text));
}

function escapeSequence(code: number): string {
  return `\u001b[${code}m`;
}
