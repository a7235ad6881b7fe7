import { createCanvas, loadImage } from '@napi-rs/canvas';
import { expect, test } from 'vitest';
import { drawBarPart } from '../../src/pictures/draw-bar-part.ts';

const GREEN = 0x2ecc71;

/** Red, green, blue and alpha at a share of the picture's width, in the middle of its height or elsewhere. */
async function at(png: Uint8Array, across: number, down = 0.5): Promise<readonly number[]> {
  const image = await loadImage(Buffer.from(png));
  const pen = createCanvas(image.width, image.height).getContext('2d');
  pen.drawImage(image, 0, 0);
  return [...pen.getImageData(across * image.width, down * image.height, 1, 1).data];
}

const alpha = async (png: Uint8Array, across: number, down?: number): Promise<number> =>
  (await at(png, across, down))[3] ?? Number.NaN;

test('is filled from the left, by halves', async () => {
  const empty = drawBarPart({ place: 'middle', filled: 0, colour: null });
  const half = drawBarPart({ place: 'middle', filled: 1, colour: GREEN });
  const full = drawBarPart({ place: 'middle', filled: 2, colour: GREEN });
  const colour = [0x2e, 0xcc, 0x71, 255];
  expect(await Promise.all([half, full].map((png) => at(png, 0.1)))).toEqual([colour, colour]);
  expect(await at(full, 0.9)).toEqual(colour);
  expect(await at(half, 0.9)).toEqual(await at(empty, 0.9));
  expect(await alpha(empty, 0.1)).toBeGreaterThan(50);
});

test('is round at the ends of the bar alone, on a transparent ground', async () => {
  const [start, middle, end] = (['start', 'middle', 'end'] as const).map((place) =>
    drawBarPart({ place, filled: 2, colour: GREEN }),
  );
  if (start === undefined || middle === undefined || end === undefined) throw new Error('not drawn');
  // Just below the tube's upper edge.
  const corners = async (png: Uint8Array) => [await alpha(png, 0, 0.29), await alpha(png, 0.99, 0.29)];
  expect(await corners(start)).toEqual([0, 255]);
  expect(await corners(middle)).toEqual([255, 255]);
  expect(await corners(end)).toEqual([255, 0]);
  expect(await alpha(middle, 0.5, 0.1)).toBe(0);
});

test('is the same in every run, and small', () => {
  const part = { place: 'start', filled: 1, colour: GREEN } as const;
  expect(drawBarPart(part)).toEqual(drawBarPart(part));
  expect(drawBarPart(part).length).toBeLessThan(1000);
});
