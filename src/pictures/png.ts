import { crc32, deflateSync } from 'node:zlib';

interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and alpha of each pixel; the alpha is ignored. */
  readonly data: Uint8ClampedArray;
}

const MOST_COLOURS = 256;
/**
 * The bits of red, green and blue by which colours are told apart, finest first: the blends at the edges of lines
 * and letters make many colours that nobody can tell apart.
 */
const PRECISIONS = [0xf8, 0xf0, 0xe0, 0xc0] as const;

/**
 * A PNG of opaque pixels, with a palette: half the bytes of what the drawing library's encoder writes. As fine as fits
 * into so many bytes; null where nothing does.
 */
export function encodePng(image: Pixels, mostBytes: number): Uint8Array | null {
  const { width, height } = image;
  const shown = coloursOf(image);
  const colours = byUse(shown);
  for (const precision of PRECISIONS) {
    const { palette, places } = paletteOf(colours, precision);
    if (palette.length > MOST_COLOURS) continue;
    const pixels = Uint8Array.from(shown, (colour) => places.get(colour) ?? 0);
    const png = pngFile({ width, height, palette, pixels });
    if (png.length <= mostBytes) return png;
  }
  return null;
}

/** Colours that are kept as they are: those of the chart itself. */
const EXACT = 32;

/** Each pixel's colour, 0xRRGGBB. */
function coloursOf({ data }: Pixels): Uint32Array {
  const colours = new Uint32Array(data.length / 4);
  for (let pixel = 0; pixel < colours.length; pixel++) {
    const at = pixel * 4;
    colours[pixel] = ((data[at] ?? 0) << 16) | ((data[at + 1] ?? 0) << 8) | (data[at + 2] ?? 0);
  }
  return colours;
}

/** Most frequent first. */
function byUse(pixels: Uint32Array): readonly number[] {
  const uses = new Map<number, number>();
  for (const colour of pixels) uses.set(colour, (uses.get(colour) ?? 0) + 1);
  return [...uses].toSorted(([, a], [, b]) => b - a).map(([colour]) => colour);
}

/** The colours of a palette, and the place of every colour in it. The most frequent one stands for all alike. */
function paletteOf(colours: readonly number[], precision: number) {
  const places = new Map<number, number>();
  const alikes = new Map<number, number>();
  const palette: number[] = [];
  for (const colour of colours) {
    const alike = colour & ((precision << 16) | (precision << 8) | precision);
    const known = places.size < EXACT ? undefined : alikes.get(alike);
    const place = known ?? palette.length;
    if (known === undefined) palette.push(colour);
    if (!alikes.has(alike)) alikes.set(alike, place);
    places.set(colour, place);
  }
  return { palette, places };
}

interface Content {
  readonly width: number;
  readonly height: number;
  /** 0xRRGGBB; at most 256. */
  readonly palette: readonly number[];
  /** A byte each, its colour's place in the palette: of all lines, from above, each from the left. */
  readonly pixels: Uint8Array;
}

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
/** Bits of a place in the palette. */
const DEPTH = 8;
/** PNG's colour type for pixels that are places in a palette. */
const PALETTE = 3;

function pngFile({ width, height, palette, pixels }: Content): Uint8Array {
  const header = new DataView(new ArrayBuffer(13));
  header.setUint32(0, width);
  header.setUint32(4, height);
  header.setUint8(8, DEPTH);
  header.setUint8(9, PALETTE);
  const colours = palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 0xff, colour & 0xff]);
  return Buffer.concat([
    SIGNATURE,
    ...chunk('IHDR', new Uint8Array(header.buffer)),
    ...chunk('PLTE', Uint8Array.from(colours)),
    ...chunk('IDAT', deflateSync(inLines(pixels, width), { level: 9 })),
    ...chunk('IEND', new Uint8Array()),
  ]);
}

/** Each line begins with its filter; 0, none, suits flat colours best. */
function inLines(pixels: Uint8Array, length: number): Uint8Array {
  const count = pixels.length / length;
  const lines = new Uint8Array((length + 1) * count);
  for (let line = 0; line < count; line++)
    lines.set(pixels.subarray(line * length, (line + 1) * length), line * (length + 1) + 1);
  return lines;
}

/** Its length, its type, its content, and the checksum of the latter two. */
function chunk(type: string, content: Uint8Array): readonly Uint8Array[] {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  return [bigEndian(content.length), named, bigEndian(crc32(named))];
}

function bigEndian(value: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(4));
  view.setUint32(0, value);
  return new Uint8Array(view.buffer);
}
