import stringWidth from 'string-width';
import { sumBy } from '../../base/sum-by.ts';
import type { Translator } from '../../i18n/translator.ts';
import { hasColour, toAnsi } from '../../text/ansi.ts';
import { cutSpans } from '../../text/cut.ts';
import { toMarkdown } from '../../text/markdown.ts';
import { rememberingNames } from '../../text/names.ts';
import { toPlainText } from '../../text/plain.ts';
import { type Span, scanText } from '../../text/scan.ts';
import { encloseText, type Lines } from './fit-lines.ts';

/** Plain text, or an in-game text in its colours: `inGame`, or `nameCell` for a driver. */
type Cell = string | readonly Span[];

/** Cells of a row; or a text that heads the rows below it. */
type CellRow = readonly Cell[] | string;

/** A column, and what it says of a row. */
export interface Column<Row> {
  readonly cell: (row: Row) => Cell | null;
  /** Stands above the column in a table. */
  readonly heading?: Cell;
  /** Stands in a table's cell without text; by default the sign for a figure that is not reported. */
  readonly missing?: string;
  /** Numbers are right-aligned, so that their digits line up. */
  readonly align?: 'right';
  /** Begins with a number all the same. */
  readonly isNumber?: boolean;
  /** Maximum width; longer text is cut, but never a number: a cut one is another one. */
  readonly most?: number;
  /** Stands between the cell before it and this one in a plain list; ' · ' by default. */
  readonly before?: string;
}

type Layout = Omit<Column<never>, 'cell'>;

const BETWEEN = ' · ';
const MISSING = '–';
const INDENT = '  ';
const GAP = ' ';
/** Between two columns of numbers, which may have spaces between their digits. */
const WIDE_GAP = '  ';
/** Columns of display that a phone of 360 px shows of a row before it wraps. */
export const ROW_WIDTH = 32;
/** Columns that a phone draws an emoji wider than two letters. */
const EMOJI_EXCESS = 0.5;
/** Columns that a text keeps when its row is too wide. */
const MIN_TEXT_WIDTH = 8;
/** Characters read of a text that may be a megabyte: enough for a name with a colour code before every letter. */
const MAX_READ_LENGTH = 1000;
/** Most runs of one colour in a name when space is short. */
const MAX_COLOUR_RUNS = 3;
/** Maximum width of a name by itself; longer than any real one. */
const MAX_COLOURED_WIDTH = 64;
/** Letters that are written from right to left: a number behind them would be drawn before them. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;
const LEFT_TO_RIGHT_MARK = '\u200e';

/**
 * Rows in aligned columns, for `list` of a card, `lines` of a section or `fitLines`, which show as many whole rows as fit
 * into their characters and count the rest, "+3 more"; fence and escape sequences count. A text among the rows heads those
 * below it, which are indented. Columns without any text are left out. Where the guild hides colours, a plain list of the
 * same cells.
 *
 * Rows have at most {@link ROW_WIDTH} letters: a column with `most` gives way. Widths are
 * those of display: wide letters and emoji take two. Cells need no escaping, and none can close the block, ping, or draw
 * over another.
 *
 *     listBlock([{ cell: (driver) => nameCell(driver, 24) }, { before: ' ', cell: () => '🚑' }], ['One', driver], t)
 */
export function listBlock<Row extends object>(
  columns: readonly Column<Row>[],
  rows: readonly (Row | string)[],
  t: Translator,
): Lines {
  const cells = rows.map((row) =>
    typeof row === 'string' ? row : columns.map(({ cell }) => cell(row) ?? ''),
  );
  return t.colours ? block(columns, cells) : cells.map((row) => plainRow(columns, row));
}

/** Returns rows below headings, always in a block. */
export function tableBlock<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const cells = rows.map((row) =>
    columns.map(({ cell, missing = MISSING }) => {
      const spans = spansOf(cell(row) ?? '');
      return spans.length === 0 ? missing : spans;
    }),
  );
  const lines = block(columns, [columns.map(({ heading = '' }) => heading), ...cells]);
  return encloseText(lines.join('\n'), lines.fence);
}

/** An in-game text in its colours, in a block of its own; null where they would add nothing, or the guild hides them. */
export function inColours(text: string, t: Translator): string | null {
  const spans = inGame(text);
  if (!t.colours || !hasColour(spans)) return null;
  const shortened = cutCell(spans, MAX_COLOURED_WIDTH);
  const fence = fenceFor([shortened]);
  return encloseText(drawCell(shortened, fence).trimEnd(), fence);
}

/**
 * "One: Björn ⚠️ · Rokas · +3" in one block: a line for each label, of at most so many characters together, fence and escape
 * sequences included. Where not all fit, names of many colours go without, since each costs as much as several names; what
 * still does not fit is counted, from the end of the line that is longest. Empty where not even the counts fit, or there are
 * no lines. Where the guild hides colours, the same without a block.
 */
export function nameLines(
  lines: readonly {
    readonly label: string;
    /** Each with the signs that stick to it, which may be empty. */
    readonly names: readonly (readonly [name: Cell, signs: string])[];
    /** How many more there are that have no name, or do not want to be named. */
    readonly others?: number;
  }[],
  characters: number,
  t: Translator,
): string {
  const fence = t.colours
    ? fenceFor(lines.flatMap(({ label, names }) => [label, ...names.map(([name]) => name)]))
    : undefined;
  const drawnWith = (maxRuns: number) =>
    lines.map(({ label, names, others = 0 }) => ({
      shown: names.length,
      total: names.length + others,
      label: fence !== undefined ? `${drawCell(label, fence)}:` : `**${toMarkdown(label)}:**`,
      names: names.map(([name, signs]) => {
        const spans = spansOf(spansOf(name).length > maxRuns ? textOf(name) : name);
        const text = fence !== undefined ? drawCell(spans, fence) : toMarkdown(textOf(spans));
        return signs === '' ? text : `${text}\u00a0${signs}`;
      }),
    }));
  let all = drawnWith(Number.POSITIVE_INFINITY);
  const writeLine = ({ label, names, shown, total }: (typeof all)[number]): string => {
    const rest = total === shown ? [] : [`+${t.number(total - shown)}`];
    return `${label} ${[...names.slice(0, shown), ...rest].join(BETWEEN)}`;
  };
  const enclosedAll = (): string => encloseText(all.map(writeLine).join('\n'), fence);
  if (enclosedAll().length > characters) all = drawnWith(MAX_COLOUR_RUNS);
  for (;;) {
    const text = enclosedAll();
    if (text.length <= characters) return text;
    const cuttable = all.filter(({ shown }) => shown > 0);
    const longest = cuttable.toSorted((a, b) => writeLine(b).length - writeLine(a).length)[0];
    if (longest === undefined) return '';
    longest.shown -= 1;
  }
}

/** In-game text with its codes as a cell, without surrounding space. */
export const inGame = rememberingNames((text): readonly Span[] => {
  const spans = scanText(text.slice(0, MAX_READ_LENGTH));
  const all = textOf(spans);
  let skipped = all.length - all.trimStart().length;
  let remainingLength = all.trim().length;
  return spans.flatMap((span) => {
    const visibleText = span.text.slice(skipped).slice(0, remainingLength);
    skipped = Math.max(0, skipped - span.text.length);
    remainingLength -= visibleText.length;
    return visibleText === '' ? [] : [{ ...span, text: visibleText }];
  });
});

/** The cell in at most so many columns of display, with an ellipsis where it was longer. */
export function cutCell(cell: Cell, maxWidth: number): readonly Span[] {
  let spans = spansOf(cell);
  // Surely short enough: no unit of UTF-16 takes more than two columns, and to measure them costs the first answer 15 ms.
  if (textOf(spans).length * 2 <= maxWidth) return spans;
  for (let limit = maxWidth; widthOf(spans) > maxWidth && limit > 0; limit -= 1)
    spans = cutSpans(spans, limit);
  return spans;
}

/** Columns of display that it takes. */
export function widthOf(cell: Cell): number {
  return widthOfText(textOf(cell));
}

const widthOfText = rememberingNames((text) => stringWidth(text));

type Block = readonly string[] & { readonly fence: string };

function block(columns: readonly Layout[], rows: readonly CellRow[], isNarrow = false): Block {
  const cells = rows.map((row) => (typeof row === 'string' ? row : cellsOf(columns, row)));
  const aligned = cells.filter((row) => typeof row !== 'string');
  const widths = columns.map((_, place) => Math.max(0, ...aligned.map((row) => row[place]?.width ?? 0)));
  const fence = fenceFor(
    cells.flatMap((row): readonly Cell[] =>
      typeof row === 'string' ? [row] : row.map(({ spans }) => spans),
    ),
  );
  const indent = aligned.length === rows.length ? '' : INDENT;
  const gapsWith = (betweenNumbers: string) =>
    columns.map(({ align, isNumber = align === 'right' }, place) => {
      if (widths.slice(0, place).every((width) => width === 0)) return indent;
      return isNumber && columns[place - 1]?.align === 'right' ? betweenNumbers : GAP;
    });
  const widthWith = (gaps: readonly string[]): number =>
    widths.reduce((sum, width, place) => sum + (width === 0 ? 0 : width + (gaps[place] ?? '').length), 0);
  const isTight =
    (isNarrow || widthWith(gapsWith(WIDE_GAP)) > ROW_WIDTH) && !aligned.flat().some(hasSpacedDigits);
  const gaps = gapsWith(isTight ? GAP : WIDE_GAP);
  const emoji = Math.max(0, ...aligned.map((row) => sumBy(row, ({ spans }) => emojiIn(spans))));
  const excess = widthWith(gaps) + Math.ceil(emoji * EMOJI_EXCESS) - ROW_WIDTH;
  const narrower = excess > 0 ? narrowed(columns, widths, excess) : null;
  if (narrower !== null) return block(narrower, rows, true);
  const lines = cells.map((row) => {
    if (typeof row === 'string') return drawCell(row, fence);
    let line = '';
    for (const [place, { spans, width }] of row.entries()) {
      const columnWidth = widths[place] ?? 0;
      if (columnWidth === 0) continue;
      const [text, space] = [drawCell(spans, fence), ' '.repeat(columnWidth - width)];
      line += (gaps[place] ?? '') + (columns[place]?.align === 'right' ? space + text : text + space);
    }
    return line.trimEnd();
  });
  return Object.assign(lines, { fence });
}

function emojiIn(spans: readonly Span[]): number {
  return textOf(spans).match(/\p{Emoji_Presentation}/gu)?.length ?? 0;
}

/** "1 234": between two of these, one space would be a part of a number. */
function hasSpacedDigits({ spans }: ReturnType<typeof cellsOf>[number]): boolean {
  return /\p{Nd}\s\p{Nd}/u.test(textOf(spans));
}

/** The columns with so many columns of display less for the widest text that may be cut; null where none may. */
function narrowed(
  columns: readonly Layout[],
  widths: readonly number[],
  excess: number,
): readonly Layout[] | null {
  const texts = columns.flatMap(({ align, isNumber = align === 'right', most }, place) =>
    most === undefined || isNumber ? [] : [{ place, width: widths[place] ?? 0 }],
  );
  const widest = texts.toSorted((a, b) => b.width - a.width)[0];
  if (widest === undefined || widest.width <= MIN_TEXT_WIDTH) return null;
  const maxWidth = Math.max(MIN_TEXT_WIDTH, widest.width - excess);
  return columns.map((column, place) => (place === widest.place ? { ...column, most: maxWidth } : column));
}

function cellsOf(columns: readonly Layout[], row: readonly Cell[]) {
  return columns.map(({ align, isNumber = align === 'right', most = Number.POSITIVE_INFINITY }, place) => {
    const spans = cutCell(row[place] ?? '', isNumber ? Number.POSITIVE_INFINITY : most);
    return { spans, width: widthOf(spans) };
  });
}

function plainRow(columns: readonly Layout[], row: CellRow): string {
  if (typeof row === 'string') return `**${toMarkdown(row)}**`;
  return row.reduce((line: string, cell, place) => {
    const text = toMarkdown(textOf(cell));
    const separator = columns[place]?.before ?? BETWEEN;
    return line === '' || text === '' ? line + text : line + separator + text;
  }, '');
}

/** Without escape sequences where they would change nothing: a phone may show them. */
function fenceFor(cells: readonly Cell[]): string {
  const isAnsi = cells.map(spansOf).some((spans) => hasColour(spans) || textOf(spans).includes('```'));
  return isAnsi ? '```ansi' : '```';
}

function drawCell(cell: Cell, fence: string): string {
  const spans = spansOf(cell);
  const text = fence === '```' ? textOf(spans) : toAnsi(spans);
  return RIGHT_TO_LEFT.test(text) ? text + LEFT_TO_RIGHT_MARK : text;
}

function spansOf(cell: Cell): readonly Span[] {
  return typeof cell === 'string' ? ownText(cell) : cell;
}

/** A text that is not from the game has no codes; non-breaking spaces of numbers become plain ones, of the same width. */
const ownText = rememberingNames((cell): readonly Span[] => {
  const text = toPlainText(cell.replaceAll('^', '^^')).replace(/\s/gu, ' ').trim();
  return text === '' ? [] : [{ colour: 'default', text }];
});

function textOf(cell: Cell): string {
  return typeof cell === 'string' ? cell : cell.map(({ text }) => text).join('');
}
