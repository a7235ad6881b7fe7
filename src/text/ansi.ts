import type { Colour, Span } from './scan.ts';

// Discord has eight foreground colours, 30 to 37, and a reset. Black is hardly readable on the dark theme, which
// most people use, so it is shown in the default text colour.
const CODES: Readonly<Record<Colour, number>> = {
  0: 0,
  1: 31,
  2: 32,
  3: 33,
  4: 34,
  5: 35,
  6: 36,
  7: 37,
  default: 0,
};

/**
 * A one-line fenced `ansi` block in the colours of the spans; empty for no spans, since Discord shows no empty
 * block. Only for places with code blocks: message content, embed description, field value. Show the plain name
 * too, because phones may not display colours.
 *
 * No name can close the fence: before a third backtick in a row the current colour is repeated, which is invisible.
 * `scan` guarantees that spans have no control characters or line breaks.
 */
export function ansi(spans: readonly Span[]): string {
  if (spans.length === 0) return '';
  let body = '';
  let current = 0;
  for (const { colour, text } of spans) {
    const code = CODES[colour];
    // Without a new code, the backticks of both spans would be adjacent.
    if (code !== current || (body.endsWith('`') && text.startsWith('`'))) body += escapeSequence(code);
    current = code;
    body += text.replace(/``(?=`)/g, `$&${escapeSequence(code)}`);
  }
  return `\`\`\`ansi\n${body}\n\`\`\``;
}

/**
 * Whether colours add anything to the plain name. Black, white and the default all look like the default text
 * colour, and a coloured space is invisible.
 */
export function hasColour(spans: readonly Span[]): boolean {
  return spans.some(
    ({ colour, text }) => colour !== 'default' && colour >= 1 && colour <= 6 && /\S/.test(text),
  );
}

function escapeSequence(code: number): string {
  return `\u001b[${code}m`;
}
