import type { Span } from './scan.ts';

/** The game's colours, `#rrggbb` by their digit: the pure corners of the RGB cube. */
export const RGB = ['#000000', '#ff0000', '#00ff00', '#ffff00', '#0000ff', '#ff00ff', '#00ffff', '#ffffff'];

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
]);

/**
 * The spans as HTML for element content: a coloured run is a `span` with an inline colour, text in the default
 * colour is bare. All text is escaped. The colours are the game's own, so the page needs a background on which both
 * black and white are readable.
 */
export function html(spans: readonly Span[]): string {
  return spans
    .map(({ colour, text }) =>
      colour === 'default' ? escaped(text) : `<span style="color:${RGB[colour]}">${escaped(text)}</span>`,
    )
    .join('');
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES.get(character) ?? character);
}
