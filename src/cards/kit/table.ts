import { cut } from '../../text/cut.ts';

/** One column of a table. */
interface Column {
  /** May be empty. */
  readonly heading: string;
  /** Numbers are right-aligned, so that their digits line up. */
  readonly align: 'left' | 'right';
  /** Maximum width; longer text is cut, but never a number: a cut one is another one. */
  readonly most: number;
}

/** Cells are plain text; null where not reported. */
type TableRow = readonly (string | null)[];

const MISSING = '–';
const GAP = ' ';
/** Between two columns of numbers, which may have spaces between their digits. */
const WIDE_GAP = '  ';

// Drawn twice as wide as a letter in the fonts of a code block.
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\uff01-\uff60]/u;
const EMOJI_STYLE = '\ufe0f';
const NO_WIDTH = /^[\p{M}\p{Cf}]$/u;

/**
 * Rows with aligned columns, in a code block. A phone shows 36 to 40 letters before it wraps: the columns and the
 * gaps of one should fit into 36.
 *
 * No cell can close the block: a backtick is replaced by a similar letter (U+02CB), since a code block has no
 * escapes.
 */
export function table(columns: readonly Column[], rows: readonly TableRow[]): string {
  const headings = columns.map(({ heading, most }) => fitted(heading, most));
  const cells = rows.map((row) =>
    columns.map(
      ({ most, align }, place) => fitted(row[place] ?? '', align === 'right' ? Infinity : most) || MISSING,
    ),
  );
  const lines = [headings, ...cells];
  const widths = columns.map((_, place) => Math.max(...lines.map((line) => widthOf(line[place] ?? ''))));
  const body = lines.map((line) =>
    line
      .map((cell, place) => {
        const space = ' '.repeat((widths[place] ?? 0) - widthOf(cell));
        const isNumber = columns[place]?.align === 'right';
        const gap = place === 0 ? '' : isNumber && columns[place - 1]?.align === 'right' ? WIDE_GAP : GAP;
        return gap + (isNumber ? space + cell : cell + space);
      })
      .join('')
      .trimEnd(),
  );
  return ['```', ...body, '```'].join('\n');
}

/** Non-breaking spaces become plain ones, which have the same width. */
function fitted(text: string, most: number): string {
  let fitting = text.replaceAll('`', 'ˋ').replace(/\s/gu, ' ').trim();
  for (let limit = most; widthOf(fitting) > most && limit > 0; limit -= 1) fitting = cut(fitting, limit);
  return fitting;
}

function widthOf(text: string): number {
  const widths: number[] = [];
  for (const character of text) {
    // Makes an emoji of the letter before it.
    if (character === EMOJI_STYLE && widths.length > 0) widths[widths.length - 1] = 2;
    widths.push(NO_WIDTH.test(character) ? 0 : WIDE.test(character) ? 2 : 1);
  }
  return widths.reduce((sum, width) => sum + width, 0);
}
