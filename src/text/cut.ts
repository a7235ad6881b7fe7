import type { Span } from './scan.ts';

const ELLIPSIS = '…';

// Graphemes are the same in every locale that the segmenter knows; naming one makes it explicit.
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * The text itself if it has at most `limit` UTF-16 code units, else its longest beginning of whole
 * graphemes that fits together with an ellipsis. Cut before escaping, so that no escape is torn.
 *
 * Only the part that can be kept is segmented: the cost is that of the limit, not of the text.
 */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const room = limit - ELLIPSIS.length;
  if (!(room >= 0)) return '';
  let end = 0;
  // Whether a grapheme ends somewhere depends on what stands before and on the next code point,
  // which is two code units at most.
  for (const { index } of graphemes.segment(text.slice(0, room + 2))) {
    if (index > room) break;
    end = index;
  }
  return text.slice(0, end) + ELLIPSIS;
}

/** Cuts a coloured name like `cut` cuts its plain text; the ellipsis has the colour of what was cut. */
export function cutSpans(spans: readonly Span[], limit: number): Span[] {
  const whole = spans.map((span) => span.text).join('');
  const kept = cut(whole, limit);
  if (kept === whole) return [...spans];
  let rest = kept;
  const result: Span[] = [];
  for (const { colour, text } of spans) {
    // The piece that holds the cut is the first that is no longer the whole span.
    const piece = rest.startsWith(text) ? text : rest;
    if (piece !== '') result.push({ colour, text: piece });
    rest = rest.slice(piece.length);
  }
  return result;
}

/**
 * Renders the longest beginning of the text, cut like `cut`, whose rendering has at most `limit`
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
  while (low <= high) {
    const middle = Math.ceil((low + high) / 2);
    const rendered = render(cut(text, middle));
    if (rendered.length <= limit) {
      fitting = rendered;
      low = middle + 1;
    } else {
      high = middle - 1;
    }
  }
  return fitting;
}
