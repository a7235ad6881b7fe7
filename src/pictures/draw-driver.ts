import type { DriverCard } from './chart.ts';
import {
  COLOURS,
  drawFlag,
  drawSheet,
  fillBox,
  hatchBox,
  type Pen,
  toDrawableText,
  WIDTH,
  widestOf,
  writeText,
} from './sheet.ts';

const LEFT = 16;
const RIGHT = WIDTH - LEFT;
const TOP = 12;
/** Size of the name's letters; a longer name has smaller ones. */
const MAX_NAME_SIZE = 36;
const TEXT_SIZE = 14;
const LARGE_SIZE = 16;
const FLAG = { width: 20, height: 15, gap: 8 };
const BADGE = { radius: 10, gap: 10 };
const BARS = { height: 36, gap: 6 };
/** More bars than of a week stand closer together. */
const CLOSE_BARS = { from: 8, gap: 2 };
const COLUMNS = 3;
/** Phones load a picture of this size at once. */
const MOST_BYTES = 100 * 1024;
/** The height of a row of figures; without gains it is lower. */
const FIGURES = { gains: 78, plain: 56 };
const SMALL_LINE_HEIGHT = 18;
/** Between a label and its value in one line. */
const LABEL_GAP = 8;

/**
 * The name in the game's own colours, three or six figures, the rank, the best car, and a bar for each day of the week or of a
 * month. Rows of which nothing is known take no room.
 */
export function drawDriver(card: DriverCard): Uint8Array {
  const { community, figures, rank, car, week, smallLines } = card;
  return drawSheet(
    (pen) => edgesOf(card, pen).end,
    (pen) => {
      const top = edgesOf(card, pen);
      if (community !== null)
        writeFitting(pen, toDrawableText(community).text, { y: top.community + 10, colour: COLOURS.dim });
      writeName(pen, card, top.name + 22);
      writeAbout(pen, card, top.about + 10);
      for (const [row, shown] of rowsOf(figures).entries())
        writeFigures(pen, shown, top.figures + 14 + row * heightOf(figures));
      fillBox(pen, COLOURS.grid, { x: LEFT, y: top.rank - 4, width: RIGHT - LEFT, height: 1 });
      if (rank !== null)
        writeFitting(pen, rank, { y: top.rank + 14, size: LARGE_SIZE, colour: COLOURS.second });
      if (car !== null) writeCar(pen, car, top.car + 12);
      if (week !== null) drawWeek(pen, week, top.week + 14);
      for (const [line, text] of smallLines.entries()) {
        const size = fittingSize(pen, text, TEXT_SIZE, RIGHT - LEFT);
        const y = top.small + 12 + line * SMALL_LINE_HEIGHT;
        writeText(pen, text, { x: RIGHT, y, size, align: 'right', colour: COLOURS.dim });
      }
    },
    MOST_BYTES,
  );
}

/** The upper edge of each row, and the end of the last one. */
function edgesOf({ community, flag, aboutLine, figures, rank, car, week, smallLines }: DriverCard, pen: Pen) {
  let end = TOP;
  const row = (height: number, isShown = true): number => {
    const top = end;
    if (isShown) end += height;
    return top;
  };
  return {
    community: row(22, community !== null),
    name: row(46),
    about: row(30, flag !== null || aboutLine !== ''),
    figures: row(Math.max(1, rowsOf(figures).length) * heightOf(figures)),
    rank: row(28, rank !== null),
    car: row(car !== null && isWide(pen, car) ? 26 + SMALL_LINE_HEIGHT : 26, car !== null),
    week: row(92, week !== null),
    small: row(12 + smallLines.length * SMALL_LINE_HEIGHT),
    end,
  };
}

/** Writes a line from the left edge, in smaller letters if it would be too long. */
function writeFitting(
  pen: Pen,
  text: string,
  { y, x = LEFT, size = TEXT_SIZE, colour }: { y: number; x?: number; size?: number; colour: string },
): void {
  writeText(pen, text, { x, y, size: fittingSize(pen, text, size, RIGHT - x), colour });
}

/** The size, or the smaller one in which the text is no wider than that. */
function fittingSize(pen: Pen, text: string, size: number, width: number): number {
  return Math.floor(size * Math.min(1, width / widestOf(pen, [text], size)));
}

/** A colour of the game below this brightness, black or blue, is hard to see on the dark ground. */
const MIN_BRIGHTNESS = 0.2;

function writeName(pen: Pen, { name, login, isProved }: DriverCard, y: number): void {
  const runs = name.map(({ text, colour }) => ({ ...toDrawableText(text), colour }));
  const isReadable = runs.some((run) => run.isReadable);
  const drawableRuns = isReadable ? runs : [{ text: toDrawableText(login).text, colour: null }];
  const fullName = drawableRuns.map(({ text }) => text).join('');
  const availableWidth = RIGHT - LEFT - (isProved ? BADGE.gap + 2 * BADGE.radius : 0);
  const size = fittingSize(pen, fullName, MAX_NAME_SIZE, availableWidth);
  let x = LEFT;
  for (const { text, colour } of drawableRuns) {
    const edge = colour !== null && brightnessOf(colour) < MIN_BRIGHTNESS ? { edge: COLOURS.dim } : {};
    writeText(pen, text, { x, y, size, colour: colour ?? COLOURS.text, ...edge });
    x += widestOf(pen, [text], size);
  }
  if (isProved) drawBadge(pen, x + BADGE.gap + BADGE.radius, y);
}

/** Brightness as people see it, from 0 to 1, of `#rrggbb`. */
function brightnessOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
}

/** Draws a disc with a tick. */
function drawBadge(pen: Pen, x: number, y: number): void {
  const { radius } = BADGE;
  pen.fillStyle = COLOURS.gain;
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.fill();
  [pen.strokeStyle, pen.lineWidth, pen.lineCap, pen.lineJoin] = [COLOURS.ground, 2.5, 'round', 'round'];
  pen.beginPath();
  pen.moveTo(x - 0.45 * radius, y);
  pen.lineTo(x - 0.1 * radius, y + 0.4 * radius);
  pen.lineTo(x + 0.5 * radius, y - 0.35 * radius);
  pen.stroke();
}

function writeAbout(pen: Pen, { flag, aboutLine }: DriverCard, y: number): void {
  const { width, height, gap } = FLAG;
  const hasFlag = flag !== null && drawFlag(pen, flag, { x: LEFT, y: y - height / 2, width, height });
  if (aboutLine === '') return;
  const x = LEFT + (hasFlag ? width + gap : 0);
  writeFitting(pen, toDrawableText(aboutLine).text, { x, y, colour: COLOURS.dim });
}

const FIGURE = { value: 22, gap: 12 };

function rowsOf(figures: DriverCard['figures']): readonly DriverCard['figures'][] {
  return [figures.slice(0, COLUMNS), figures.slice(COLUMNS)].filter(({ length }) => length > 0);
}

function heightOf(figures: DriverCard['figures']): number {
  const hasGains = figures.length <= COLUMNS || figures.some(({ gain }) => gain !== null);
  return hasGains ? FIGURES.gains : FIGURES.plain;
}

function writeFigures(pen: Pen, figures: DriverCard['figures'], y: number): void {
  let x = LEFT;
  for (const [column, width] of columnWidths(pen, figures).entries()) {
    const { value = '', label = '', gain = null } = figures[column] ?? {};
    const line = (text: string, below: number, largest: number, colour: string): void => {
      const size = fittingSize(pen, text, largest, width - FIGURE.gap);
      writeText(pen, text, { x, y: y + below, size, colour });
    };
    line(value, 0, FIGURE.value, COLOURS.text);
    line(label, 22, TEXT_SIZE, COLOURS.dim);
    if (gain !== null) line(gain, 42, TEXT_SIZE, COLOURS.gain);
    x += width;
  }
}

/** Thirds of the row, or what each figure needs if one of them does not fit into a third. */
function columnWidths(pen: Pen, figures: DriverCard['figures']): readonly number[] {
  const row = RIGHT - LEFT + FIGURE.gap;
  const widths = figures.map(
    ({ value, label, gain }) =>
      FIGURE.gap +
      Math.max(widestOf(pen, [value], FIGURE.value), widestOf(pen, [label, gain ?? ''], TEXT_SIZE)),
  );
  if (widths.every((width) => width <= row / 3)) return widths.map(() => row / 3);
  const freeWidth = row - widths.reduce((total, width) => total + width, 0);
  return widths.map((width) => (freeWidth < 0 ? row / 3 : width + freeWidth / figures.length));
}

type LabelledLine = NonNullable<DriverCard['car']>;

/** The label and its value are too wide for one line, in which small letters could not be read. */
function isWide(pen: Pen, { label, value }: LabelledLine): boolean {
  return LEFT + widestOf(pen, [label]) + LABEL_GAP + widestOf(pen, [toDrawableText(value).text]) > RIGHT;
}

function writeCar(pen: Pen, car: LabelledLine, y: number): void {
  const { label, value } = car;
  writeText(pen, label, { x: LEFT, y, colour: COLOURS.dim });
  const place = isWide(pen, car)
    ? { x: LEFT, y: y + SMALL_LINE_HEIGHT }
    : { x: LEFT + widestOf(pen, [label]) + LABEL_GAP, y };
  writeFitting(pen, toDrawableText(value).text, { ...place, colour: COLOURS.text });
}

function drawWeek(pen: Pen, { label, days }: NonNullable<DriverCard['week']>, y: number): void {
  writeFitting(pen, label, { y, colour: COLOURS.dim });
  const bottom = y + 16 + BARS.height;
  const gap = days.length < CLOSE_BARS.from ? BARS.gap : CLOSE_BARS.gap;
  const step = (RIGHT - LEFT + gap) / days.length;
  for (const [day, { label: name, share }] of days.entries()) {
    const column = { x: LEFT + day * step, width: step - gap };
    const height = Math.max(2, (share ?? 1) * BARS.height);
    const bar = { ...column, y: bottom - height, height };
    if (share === null) hatchBox(pen, bar);
    else if (share !== undefined) fillBox(pen, COLOURS.first, bar);
    const x = column.x + column.width / 2;
    writeText(pen, name, { x, y: bottom + 14, align: 'center', colour: COLOURS.dim });
  }
}
