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
/** Points a pixel and direction, for smooth edges. */
const POINTS = 4;

/** As a PNG with a transparent ground. */
export function drawBarPart({ place, filled, colour }: Part): Uint8Array {
  const pixels = new Uint8Array(SIDE * SIDE * 4);
  for (let y = 0; y < SIDE; y++)
    for (let x = 0; x < SIDE; x++) {
      const isFilled = colour !== null && x < (filled * SIDE) / 2;
      const ink = isFilled ? { colour, alpha: 1 } : EMPTY;
      const alpha = Math.round(255 * ink.alpha * coverage(x, y, place));
      pixels.set([ink.colour >> 16, (ink.colour >> 8) & 0xff, ink.colour & 0xff, alpha], (y * SIDE + x) * 4);
    }
  return pngFile({ width: SIDE, height: SIDE, type: 6, pixels });
}

/** The share of a pixel inside the tube. */
function coverage(x: number, y: number, place: Part['place']): number {
  let inside = 0;
  for (let point = 0; point < POINTS * POINTS; point++) {
    const right = x + ((point % POINTS) + 0.5) / POINTS;
    const down = y + (Math.floor(point / POINTS) + 0.5) / POINTS - SIDE / 2;
    if (Math.hypot(beyond(right, place), down) <= RADIUS) inside += 1;
  }
  return inside / (POINTS * POINTS);
}

/** How far a point is into the round end. */
function beyond(x: number, place: Part['place']): number {
  if (place === 'start') return Math.max(0, RADIUS - x);
  return place === 'end' ? Math.max(0, x - (SIDE - RADIUS)) : 0;
}
