import type { DriverCard } from './chart.ts';
import { COLOURS, drawSheet, fill, hatch, missingLetter, type Pen, WIDTH, widest, write } from './sheet.ts';

const LEFT = 16;
const RIGHT = WIDTH - LEFT;
/** Of the name's letters; a longer name has smaller ones. */
const SIZE = 36;
const NAME = 34;
const LOGIN = 66;
const FIGURES = 104;
const RANK = 184;
const WEEK = 212;
const BARS = { top: 226, height: 36, gap: 6 };

/** The name in the game's own colours, three figures, the rank, and a bar for each day of the week. */
export function drawDriver(card: DriverCard): Uint8Array {
  const { name, login, figures, rank, week, asOf } = card;
  const end = week === null ? RANK : BARS.top + BARS.height + 40;
  return drawSheet(
    () => end + 18,
    (pen) => {
      const isDrawable = missingLetter(name.map(({ text }) => text).join('')) === undefined;
      writeName(pen, isDrawable ? name : [{ text: login, colour: null }]);
      if (isDrawable) write(pen, login, { x: LEFT, y: LOGIN, colour: COLOURS.dim });
      writeFigures(pen, figures);
      if (rank !== null) {
        const size = fitting(pen, rank, 16, RIGHT - LEFT);
        write(pen, rank, { x: LEFT, y: RANK, size, colour: COLOURS.second });
      }
      if (week !== null) drawWeek(pen, week);
      write(pen, asOf, { x: RIGHT, y: end, align: 'right', colour: COLOURS.dim });
    },
  );
}

/** Below it a colour of the game is hard to see on the dark ground: black and blue. */
const DARK = 0.2;

function writeName(pen: Pen, name: DriverCard['name']): void {
  const whole = name.map(({ text }) => text).join('');
  const size = fitting(pen, whole, SIZE, RIGHT - LEFT);
  let x = LEFT;
  for (const { text, colour } of name) {
    const edge = colour !== null && brightness(colour) < DARK ? { edge: COLOURS.dim } : {};
    write(pen, text, { x, y: NAME, size, colour: colour ?? COLOURS.text, ...edge });
    x += widest(pen, [text], size);
  }
}

/** The size, or the smaller one in which the text is no wider than that. */
function fitting(pen: Pen, text: string, size: number, width: number): number {
  return Math.floor(size * Math.min(1, width / widest(pen, [text], size)));
}

/** As people see it, from 0 to 1; of `#rrggbb`. */
function brightness(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
}

function writeFigures(pen: Pen, figures: DriverCard['figures']): void {
  const step = (RIGHT - LEFT) / 3;
  for (const [column, { value, label, gain }] of figures.entries()) {
    const line = (text: string, below: number, largest: number, colour: string): void => {
      const size = fitting(pen, text, largest, step - 8);
      write(pen, text, { x: LEFT + column * step, y: FIGURES + below, size, colour });
    };
    line(value, 0, 22, COLOURS.text);
    line(label, 23, 14, COLOURS.dim);
    if (gain !== null) line(gain, 44, 14, COLOURS.gain);
  }
  fill(pen, COLOURS.grid, { x: LEFT, y: RANK - 18, width: RIGHT - LEFT, height: 1 });
}

function drawWeek(pen: Pen, { label, days }: NonNullable<DriverCard['week']>): void {
  write(pen, label, { x: LEFT, y: WEEK, colour: COLOURS.dim });
  const step = (RIGHT - LEFT + BARS.gap) / days.length;
  for (const [day, { label: name, share }] of days.entries()) {
    const column = { x: LEFT + day * step, width: step - BARS.gap };
    const height = Math.max(2, (share ?? 1) * BARS.height);
    const bar = { ...column, y: BARS.top + BARS.height - height, height };
    if (share === null) hatch(pen, bar);
    else fill(pen, COLOURS.first, bar);
    const x = column.x + column.width / 2;
    write(pen, name, { x, y: BARS.top + BARS.height + 14, align: 'center', colour: COLOURS.dim });
  }
}
