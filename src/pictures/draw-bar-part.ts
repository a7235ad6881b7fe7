import { pngFile } from './png-file.ts';

/** A part of a bar: a piece of a tube that is round at both ends, filled from the left. */
interface Part {
  readonly place: 'start' | 'middle' | 'end';
  /** How many of its two halves are filled. */
  readonly filled: number;
  /** Of what is filled, 0xRRGGBB. */
  readonly colour: number | null;
}

/** Pixels of a side: about three times what Discord shows, for sharp screens. */
const SIDE = 64;
/** Half the tube's height, in pixels. */
const RADIUS = 15;
/** The empty tube, seen on Discord's dark and light ground. */
const EMPTY = { colour: 0x80848e, alpha: 0.45 };

/** As a PNG with a transparent ground. */
export function drawBarPart({ place, filled, colour }: Part): Uint8Array {
  const pixels = new Uint8Array(SIDE * SIDE * 4);
  for (let y = 0; y < SIDE; y++)
    for (let x = 0; x < SIDE; x++) {
      const isFilled = colour !== null && x < (filled * SIDE) / 2;
      const ink = isFilled ? { colour, alpha: 1 } : EMPTY;
      const at = (y * SIDE + x) * 4;
      pixels[at] = ink.colour >> 16;
      pixels[at + 1] = (ink.colour >> 8) & 0xff;
      pixels[at + 2] = ink.colour & 0xff;
      pixels[at + 3] = Math.round(255 * ink.alpha * coverage(x, y, place));
    }
  return pngFile({ width: SIDE, height: SIDE, type: 6, pixels });
}

/** The share of a pixel inside the tube, by how far its middle is from the edge: within a pixel, an edge is a straight line. */
function coverage(x: number, y: number, place: Part['place']): number {
  const fromMiddle = Math.hypot(beyond(x + 0.5, place), y + 0.5 - SIDE / 2);
  return Math.max(0, Math.min(1, RADIUS - fromMiddle + 0.5));
}

/** How far a point is into the round end. */
function beyond(x: number, place: Part['place']): number {
  if (place === 'start') return Math.max(0, RADIUS - x);
  return place === 'end' ? Math.max(0, x - (SIDE - RADIUS)) : 0;
}
