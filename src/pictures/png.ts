import { crc32, deflateSync } from 'node:zlib';

interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and alpha of each pixel; the alpha is ignored. */
  readonly data: Uint8ClampedArray;
}

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
/** One byte a pixel, its colour's place in a palette (PNG's colour type 3). */
const DEPTH = 8;
const INDEXED = 3;
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
export function encodePng(pixels: Pixels, mostBytes: number): Uint8Array | null {
  for (const precision of PRECISIONS) {
    const { colours, places } = inPalette(pixels, precision);
    if (colours.length > MOST_COLOURS * 3) continue;
    const png = written(pixels, colours, places);
    if (png.length <= mostBytes) return png;
  }
  return null;
}

function written({ width, height }: Pixels, colours: Uint8Array, places: Uint8Array): Uint8Array {
  const lines = new Uint8Array((width + 1) * height);
  // Each line begins with its filter; 0, none, suits flat colours best.
  for (let y = 0; y < height; y++)
    lines.set(places.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  const header = new DataView(new ArrayBuffer(13));
  header.setUint32(0, width);
  header.setUint32(4, height);
  header.setUint8(8, DEPTH);
  header.setUint8(9, INDEXED);
  return Buffer.concat([
    SIGNATURE,
    ...chunk('IHDR', new Uint8Array(header.buffer)),
    ...chunk('PLTE', colours),
    ...chunk('IDAT', deflateSync(lines, { level: 9 })),
    ...chunk('IEND', new Uint8Array()),
  ]);
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

/** The palette, three bytes a colour, and each pixel's place in it. */
function inPalette({ data }: Pixels, precision: number) {
  const places = new Uint8Array(data.length / 4);
  const found = new Map<number, number>();
  const colours: number[] = [];
  for (let pixel = 0; pixel < places.length; pixel++) {
    const [red, green, blue] = [data[pixel * 4] ?? 0, data[pixel * 4 + 1] ?? 0, data[pixel * 4 + 2] ?? 0];
    const alike = ((red & precision) << 16) | ((green & precision) << 8) | (blue & precision);
    let place = found.get(alike);
    if (place === undefined) {
      place = found.size;
      found.set(alike, place);
      // The first one seen stands for all alike; the ground is first of all.
      colours.push(red, green, blue);
    }
    places[pixel] = place;
  }
  return { colours: Uint8Array.from(colours), places };
}
