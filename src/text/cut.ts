import type { Span } from './scan.ts';

const ELLIPSIS = '…';

/** Characters that are one grapheme each, as long as no others stand between them. */
const SINGLE = /^[ -~]*$/;

/** Created when a text needs it for the first time: creating it would add 10 ms to a start. */
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

/** Returns a function that cuts one text at several limits, none of them above `maxLimit`. */
function cutter(text: string, maxLimit: number): (limit: number) => string {
  // Whether a grapheme ends somewhere depends on the text before and on the next code point, at most two code units.
  const head = text.slice(0, Math.max(0, maxLimit - ELLIPSIS.length + 2));
  const ends = SINGLE.test(head) ? null : beginnings(head);
  return (limit) => {
    if (text.length <= limit) return text;
    const available = limit - ELLIPSIS.length;
    if (!(available >= 0)) return '';
    const end = ends === null ? available : (ends.findLast((index) => index <= available) ?? 0);
    return text.slice(0, end) + ELLIPSIS;
  };
}

/** Cuts a coloured name as `cutText` cuts plain text; the ellipsis has the colour of the removed part. */
export function cutSpans(spans: readonly Span[], limit: number): Span[] {
  const fullText = spans.map((span) => span.text).join('');
  const shortened = cutText(fullText, limit);
  if (shortened === fullText) return [...spans];
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
 * UTF-16 code units: `cutRendered(name, 1024, markdown)`. Empty if not even the rendering of an empty text fits.
 *
 * The rendering must not get shorter when its text gets longer, and must not be shorter than its
 * text, which holds for whatever escapes or wraps plain text. It costs one rendering for each halving
 * of the limit, each of at most `limit` code units.
 */
export function cutRendered(text: string, limit: number, render: (text: string) => string): string {
  const fullRendering = text.length <= limit ? render(text) : null;
  if (fullRendering !== null && fullRendering.length <= limit) return fullRendering;
  let longestFitting = '';
  let low = 0;
  let high = Math.min(text.length, Math.max(0, Math.floor(limit)));
  const cutAt = cutter(text, high);
  while (low <= high) {
    const middle = Math.ceil((low + high) / 2);
    const rendered = render(cutAt(middle));
    if (rendered.length <= limit) {
      longestFitting = rendered;
      low = middle + 1;
    } else {
      high = middle - 1;
    }
  }
  return longestFitting;
}
