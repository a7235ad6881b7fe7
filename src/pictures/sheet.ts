/** The sheet that charts are drawn on: its size, colours and lettering. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createCanvas, GlobalFonts, Image, type SKRSContext2D } from '@napi-rs/canvas';
import { memoiseByKey } from '../base/memoise.ts';

export type Pen = SKRSContext2D;

/** Width of a phone's screen, in the sheet's pixels. */
export const WIDTH = 400;
/** A picture has so many pixels for one of the sheet's, each way; fewer where it would have too many bytes. */
const SHARPNESSES = [2, 1.5, 1, 0.5] as const;
const MOST_BYTES = 160 * 1024;

/**
 * A dark ground of its own, so that one picture suits Discord's dark and light themes. Blue and amber differ for
 * every kind of colour blindness, and in brightness too.
 */
export const COLOURS = {
  ground: '#1e2129',
  grid: '#363b48',
  text: '#e3e7ee',
  dim: '#9aa3b5',
  gain: '#7ad39a',
  first: '#57b6f5',
  firstFill: '#26435b',
  second: '#ffb454',
  gap: '#2b303b',
  hatch: '#4a5161',
  frame: '#ffffff',
} as const;

/** On a phone Discord shows a picture about 300 pixels wide: smaller letters could not be read. */
const LETTER_SIZE = 14;
/** The font's files: every language of the bot, and the names that most drivers write. */
const ALPHABETS = ['latin', 'latin-ext', 'cyrillic', 'cyrillic-ext', 'greek'] as const;
const FONT = '@fontsource/fira-sans-condensed/files/fira-sans-condensed';
/** Letters of names that the font lacks: signs such as ★ and ►, and those of Japan. */
const MORE_FONTS = {
  signs: '@fontsource/dejavu-sans/files/dejavu-sans-latin-400-normal.woff2',
  japanese: '@fontsource/sawarabi-gothic/files/sawarabi-gothic-japanese-400-normal.woff2',
} as const;
/** A letter is drawn by the first of these that has it. */
const FAMILIES = [...ALPHABETS, ...Object.keys(MORE_FONTS)].join(', ');

/** Registers the lettering: a machine may have no fonts at all. Once is enough. */
export function loadFonts(): void {
  const register = (file: string, family: string): void => {
    if (GlobalFonts.registerFromPath(file, family) === null) throw new Error(`no font in ${file}`);
  };
  for (const alphabet of ALPHABETS)
    register(fileURLToPath(import.meta.resolve(`${FONT}-${alphabet}-500-normal.woff2`)), alphabet);
  for (const [family, name] of Object.entries(MORE_FONTS)) {
    const file = installedFile(name);
    if (file !== null) register(file, family);
  }
}

/** The path of a package's file; null if that package is not installed, as after an update without `npm ci`. */
function installedFile(name: string): string | null {
  try {
    return fileURLToPath(import.meta.resolve(name));
  } catch {
    return null;
  }
}

/** A PNG with what `draw` puts on a sheet as high as `heightOf` says, which may measure texts; in at most so many bytes. */
export function drawSheet(
  heightOf: (pen: Pen) => number,
  draw: (pen: Pen) => void,
  mostBytes = MOST_BYTES,
): Uint8Array {
  const height = heightOf(lettered(createCanvas(1, 1).getContext('2d')));
  for (const sharpness of SHARPNESSES) {
    const canvas = createCanvas(WIDTH * sharpness, height * sharpness);
    const pen = lettered(canvas.getContext('2d'));
    pen.scale(sharpness, sharpness);
    fillBox(pen, COLOURS.ground, { x: 0, y: 0, width: WIDTH, height });
    draw(pen);
    const png = canvas.encodeSync('png');
    if (png.length <= mostBytes) return png;
  }
  throw new RangeError('a chart with too much in it');
}

function lettered(pen: Pen, size = LETTER_SIZE): Pen {
  pen.font = `${size}px ${FAMILIES}`;
  pen.textBaseline = 'middle';
  return pen;
}

interface Place {
  readonly x: number;
  readonly y: number;
  readonly align?: 'left' | 'center' | 'right';
  readonly size?: number;
  readonly colour?: string;
  /** The colour of a line around the letters. */
  readonly edge?: string;
}

const MIN_EDGE_DISTANCE = 4;

/** A text has a letter that the font does not: a picture with a box in its place would say less than the text beside it. */
class MissingLetter extends Error {
  override readonly name = 'MissingLetter';
}

/** Letters that are looked at once. */
const MAX_KNOWN_LETTERS = 2000;
/** No font has it, so that it is drawn as every letter is that the font lacks. */
const NO_LETTER = '\u{10ffff}';
const SILENT = /[\p{White_Space}\p{Default_Ignorable_Code_Point}]/u;

const drawnWithout = memoiseByKey(pixelsOf);
const isInFont = memoiseByKey(
  (letter: string): boolean => pixelsOf(letter) !== drawnWithout(NO_LETTER),
  MAX_KNOWN_LETTERS,
);

/** The first letter of the text that the font lacks. */
function missingLetter(text: string): string | undefined {
  return [...new Set(text)].find((letter) => !SILENT.test(letter) && !isInFont(letter));
}

const BOX = '□';
/** Kana as wide as half a letter, which no font has: it is drawn as the whole one. */
const HALF_WIDTH = /[\uff61-\uff9f]+/g;
const characters = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** A name as it can be drawn: with a box for each character that no font has. */
export function toDrawableText(name: string): { readonly text: string; readonly isReadable: boolean } {
  const normalized = name.replaceAll(HALF_WIDTH, (kana) => kana.normalize('NFKC'));
  const drawableParts = Array.from(characters.segment(normalized), ({ segment }) =>
    missingLetter(segment) === undefined ? segment : null,
  );
  return {
    text: drawableParts.map((segment) => segment ?? BOX).join(''),
    isReadable: drawableParts.some((segment) => segment !== null && segment.trim() !== ''),
  };
}

function requireLetters(text: string): void {
  const letter = missingLetter(text);
  if (letter !== undefined)
    throw new MissingLetter(`the font has no U+${letter.codePointAt(0)?.toString(16)}`);
}

function pixelsOf(letter: string): string {
  const pen = lettered(createCanvas(2 * LETTER_SIZE, 2 * LETTER_SIZE).getContext('2d'));
  pen.fillText(letter, LETTER_SIZE / 2, LETTER_SIZE);
  return Buffer.from(pen.getImageData(0, 0, 2 * LETTER_SIZE, 2 * LETTER_SIZE).data).toString('latin1');
}

/** Writes a text, moved sideways as far as needed to stay on the sheet. Throws a {@link MissingLetter}. */
export function writeText(pen: Pen, text: string, place: Place): void {
  const { x, y, align = 'left', size = LETTER_SIZE, colour = COLOURS.text, edge } = place;
  requireLetters(text);
  lettered(pen, size);
  const { width } = pen.measureText(text);
  const wantedX = align === 'left' ? x : align === 'center' ? x - width / 2 : x - width;
  const from = Math.max(MIN_EDGE_DISTANCE, Math.min(wantedX, WIDTH - MIN_EDGE_DISTANCE - width));
  // The font lacks the narrow spaces of times and numbers.
  const drawable = text.replaceAll(/\s/g, ' ');
  if (edge !== undefined) {
    [pen.strokeStyle, pen.lineWidth, pen.lineJoin] = [edge, 2.5, 'round'];
    pen.strokeText(drawable, from, y);
  }
  pen.fillStyle = colour;
  pen.fillText(drawable, from, y);
  lettered(pen);
}

/** The width of the widest of these texts. */
export function widestOf(pen: Pen, texts: readonly string[], size = LETTER_SIZE): number {
  lettered(pen, size);
  const width = Math.max(0, ...texts.map((text) => pen.measureText(text).width));
  lettered(pen);
  return width;
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export function fillBox(pen: Pen, colour: string, { x, y, width, height }: Box): void {
  pen.fillStyle = colour;
  pen.fillRect(x, y, width, height);
}

/** Draws a country's flag (two lower-case letters); false where there is none. */
export function drawFlag(pen: Pen, country: string, { x, y, width, height }: Box): boolean {
  const file = installedFile(`flag-icons/flags/4x3/${country}.svg`);
  const image = new Image();
  try {
    if (file !== null) image.src = readFileSync(file);
  } catch {
    // The package has no such flag.
  }
  if (image.width === 0) return false;
  pen.drawImage(image, x, y, width, height);
  return true;
}

const HATCH_GAP = 6;

/** Fills a box with slanted lines: nothing is known there. */
export function hatchBox(pen: Pen, { x, y, width, height }: Box): void {
  pen.save();
  pen.beginPath();
  pen.rect(x, y, width, height);
  pen.clip();
  fillBox(pen, COLOURS.gap, { x, y, width, height });
  pen.strokeStyle = COLOURS.hatch;
  pen.lineWidth = 1;
  pen.beginPath();
  // Counted from the sheet's edge, so that boxes side by side look like one.
  const first = Math.floor((x - height) / HATCH_GAP) * HATCH_GAP;
  for (let hatchX = first; hatchX < x + width; hatchX += HATCH_GAP) {
    pen.moveTo(hatchX, y + height);
    pen.lineTo(hatchX + height, y);
  }
  pen.stroke();
  pen.restore();
}
