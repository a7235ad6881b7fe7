import type { Span } from './scan.ts';

const ELLIPSIS = '…';

/** Characters that are one grapheme each, as long as no others stand between them. */
const SINGLE = /^[ -~]*$/;

/** Made when the first text beyond those is cut: it takes 10 ms of a start. */
let segmenter: Intl.Segmenter | null = null;

/** Returns the index of each grapheme. */
function beginnings(text: string): readonly number[] {
  // Graphemes do not depend on the locale; naming one makes that explicit.
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), ({ index }) => index);
}

/**
 * The text if it has at most `limit` UTF-16 code units, else as many whole graphemes as fit with an ellipsis. Cut
 * before escaping, so that no escape is split.
 *
 * Only the part that fits is segmented: the cost depends on the limit, not on the text.
 */
export function cutText(text: string, limit: number): string {
  return text.length <= limit ? text : cutter(text, limit)(limit);
}

/** Cuts one text at several limits, none of them above `most`. */
function cutter(text: string, most: number): (limit: number) => string {
  // Whether a grapheme ends somewhere depends on the text before and on the next code point, at most two code units.
  const read = text.slice(0, Math.max(0, most - ELLIPSIS.length + 2));
  const ends = SINGLE.test(read) ? null : beginnings(read);
  return (limit) => {
    if (text.length <= limit) return text;
    const room = limit - ELLIPSIS.length;
    if (!(room >= 0)) return '';
    const end = ends === null ? room : (ends.findLast((each) => each <= room) ?? 0);
    return text.slice(0, end) + ELLIPSIS;
  };
}

/** Cuts a coloured name as `cutText` cuts plain text; the ellipsis has the colour of the removed part. */
export function cutSpans(spans: readonly Span[], limit: number): Span[] {
  const whole = spans.map((span) => span.text).join('');
  const shortened = cutText(whole, limit);
  if (shortened === whole) return [...spans];
  let rest = shortened;
  const result: Span[] = [];
  for (const { colour, text } of spans) {
    // The cut is in the first piece that is no longer its whole span.
    const piece = rest.startsWith(text) ? text : rest;
    if (piece !== '') result.push({ colour, text: piece });
    rest = rest.slice(piece.length);
  }
  return result;
}

/**
 * Renders the longest beginning of the text, cut like `cutText`, whose rendering has at most `limit`
 * UTF-16 code units: `cutRendered(name, 1024, markdown)`. Empty where not even the rendering of nothing fits.
 *
 * The rendering must not get shorter when its text gets longer, and must not be shorter than its
 * text, which holds for whatever escapes or wraps plain text. It costs one rendering for each halving
 * of the limit, each of at most `limit` code units.
 */
export function cutRendered(text: string, limit: number, render: (text: string) => string): string {
  const whole = text.length <= limit ? render(text) : null;
  if (whole !== null && whole.length <= limit) return whole;
  let fitting = '';
  let low = 0;
  let high = Math.min(text.length, Math.max(0, Math.floor(limit)));
  const cutAt = cutter(text, high);
  while (low <= high) {
    const middle = Math.ceil((low + high) / 2);
    const rendered = render(cutAt(middle));
    if (rendered.length <= limit) {
      fitting = rendered;
      low = middle + 1;
    } else {
      high = middle - 1;
    }
  }
  return fitting;
}
