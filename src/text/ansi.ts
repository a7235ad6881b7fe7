import type { Colour, Span } from './scan.ts';

// Discord knows eight foreground colours, 30 to 37, and a reset. Black is hardly readable on the dark theme, which
// most people have, so it is shown in the theme's own text colour.
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
 * A fenced `ansi` block of one line in the colours of the spans; empty where there are none, since
 * chat draws no empty block. Only for places that draw code blocks: message content, embed
 * description, field value. The plain name must stand beside it, because phones may show none of
 * the colours.
 *
 * Nothing in a name can close the fence: a third backtick in a row is kept apart by saying the
 * current colour once more, which draws nothing and leaves the name as it is. Spans hold no control
 * characters or line breaks by what `scan` promises.
 */
export function ansi(spans: readonly Span[]): string {
  if (spans.length === 0) return '';
  let body = '';
  let current = 0;
  for (const { colour, text } of spans) {
    const code = CODES[colour];
    // Without the new code the backticks of both spans would be one run.
    if (code !== current || (body.endsWith('`') && text.startsWith('`'))) body += escapeSequence(code);
    current = code;
    body += text.replace(/``(?=`)/g, `$&${escapeSequence(code)}`);
  }
  return `\`\`\`ansi\n${body}\n\`\`\``;
}

/**
 * Whether colours say more than the plain name does. Black, white and the default are all drawn in
 * about the theme's text colour, and a coloured space shows nothing.
 */
export function hasColour(spans: readonly Span[]): boolean {
  return spans.some(
    ({ colour, text }) => colour !== 'default' && colour >= 1 && colour <= 6 && /\S/.test(text),
  );
}

function escapeSequence(code: number): string {
  return `\u001b[${code}m`;
}
