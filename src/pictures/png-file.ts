import { crc32, deflateSync } from 'node:zlib';

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

export function pngFile({ width, height, palette, pixels }: Content): Uint8Array {
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
