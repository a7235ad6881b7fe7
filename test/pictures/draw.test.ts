/** `GOLDEN=write npx vitest run --config test/vitest.config.ts test/pictures/draw` draws the golden images again; look at them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { beforeAll, expect, test } from 'vitest';
import type { Chart, LineChart } from '../../src/pictures/chart.ts';
import { drawChart } from '../../src/pictures/draw.ts';
import { loadFonts } from '../../src/pictures/sheet.ts';
import { colourfulDriver, monthOfBars, polishWeek, weekOfLines } from './support/charts.ts';

const LIMIT = 160 * 1024 + 1;
/** How far a pixel may differ in each channel before it counts, and how many may: other machines smooth edges otherwise. */
const BLUR = 24;
const SHARE = 0.005;

interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray;
}

async function pixelsOf(png: Uint8Array): Promise<Pixels> {
  const image = await loadImage(Buffer.from(png));
  const pen = createCanvas(image.width, image.height).getContext('2d');
  pen.drawImage(image, 0, 0);
  return pen.getImageData(0, 0, image.width, image.height);
}

/** The share of pixels that differ; all of them where the sizes do. */
function difference(one: Pixels, other: Pixels): number {
  if (one.width !== other.width || one.height !== other.height) return 1;
  let different = 0;
  for (let at = 0; at < one.data.length; at += 4)
    if ([0, 1, 2].some((k) => Math.abs((one.data[at + k] ?? 0) - (other.data[at + k] ?? 0)) > BLUR))
      different += 1;
  return different / (one.data.length / 4);
}

/** The side of a tile in pixels, and the pixels of a hue from which it is one of the tile's own. */
const TILE = 48;
const MIN_PIXELS = 25;
/** The channels' distance from which a pixel has a hue. */
const MIN_SATURATION = 60;
/** Steps of the colour wheel; smoothed edges have the hue of what they smooth, or one beside it. */
const HUES = 12;

/** The step of a pixel on the colour wheel, from red; null: it is grey. */
function hueOf([red = 0, green = 0, blue = 0]: ArrayLike<number> & Iterable<number>): number | null {
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  const span = most - least;
  if (span < MIN_SATURATION) return null;
  const sixth =
    most === red
      ? (green - blue) / span
      : most === green
        ? 2 + (blue - red) / span
        : 4 + (red - green) / span;
  return Math.round((sixth * HUES) / 6 + HUES) % HUES;
}

/** The pixels of each hue, tile by tile. */
function huesOf({ data, width }: Pixels): ReadonlyMap<string, readonly number[]> {
  const tiles = new Map<string, number[]>();
  for (let at = 0; at < data.length; at += 4) {
    const hue = hueOf(data.subarray(at, at + 3));
    if (hue === null) continue;
    const [x, y] = [(at / 4) % width, Math.floor(at / 4 / width)];
    const tile = `${Math.floor(x / TILE)},${Math.floor(y / TILE)}`;
    const counts = tiles.get(tile) ?? Array.from({ length: HUES }, () => 0);
    counts[hue] = (counts[hue] ?? 0) + 1;
    tiles.set(tile, counts);
  }
  return tiles;
}

/** The tiles in which the other picture has less than half of a hue that is the tile's own. */
function tilesOfOtherHue(one: Pixels, other: Pixels): readonly string[] {
  const others = huesOf(other);
  return [...huesOf(one)].flatMap(([tile, counts]) =>
    counts.some((count, hue) => {
      const near = [HUES - 1, 0, 1].map((aside) => others.get(tile)?.[(hue + aside) % HUES] ?? 0);
      return count >= MIN_PIXELS && near.reduce((sum, each) => sum + each) < count / 2;
    })
      ? [tile]
      : [],
  );
}

beforeAll(loadFonts);

const charts: readonly (readonly [string, () => Chart])[] = [
  ['lines', weekOfLines],
  ['heat-map', polishWeek],
  ['bars', monthOfBars],
  ['driver', colourfulDriver],
];

test.each(charts)('%s look as they have been looked at', async (name, chart) => {
  const file = new URL(`golden/${name}.png`, import.meta.url);
  const png = drawChart(chart());
  if (process.env['GOLDEN'] === 'write') writeFileSync(file, png);
  expect(png.length).toBeLessThan(LIMIT);
  const [drawn, golden] = [await pixelsOf(png), await pixelsOf(readFileSync(file))];
  expect(difference(drawn, golden)).toBeLessThan(SHARE);
  expect([tilesOfOtherHue(drawn, golden), tilesOfOtherHue(golden, drawn)]).toEqual([[], []]);
});

test('small letters in another colour are noticed', async () => {
  const golden = await pixelsOf(drawChart(colourfulDriver()));
  const tiles = [...huesOf(golden)].filter(([, counts]) => Math.max(...counts) >= MIN_PIXELS);
  expect(tiles.length).toBeGreaterThan(10);
  const data = golden.data.slice();
  // A third of the wheel further on.
  for (let at = 0; at < data.length; at += 4) {
    const [red = 0, green = 0, blue = 0] = data.subarray(at, at + 3);
    data.set([blue, red, green], at);
  }
  expect(tilesOfOtherHue(golden, { ...golden, data })).toEqual(tiles.map(([tile]) => tile));
});

test('a gap, a peak or another value changes more than the tolerance forgives', async () => {
  const chart = weekOfLines();
  const [drivers, police] = chart.series;
  const without: LineChart = { ...chart, peak: null };
  const filled: LineChart = {
    ...chart,
    series: [{ ...drivers, values: drivers.values.map((count) => count ?? 0) }, ...(police ? [police] : [])],
  };
  const golden = await pixelsOf(drawChart(chart));
  expect(difference(golden, await pixelsOf(drawChart(without)))).toBeGreaterThan(SHARE / 10);
  expect(difference(golden, await pixelsOf(drawChart(filled)))).toBeGreaterThan(SHARE);
});

/** The brightness that people see, by which the colours differ even without any hue. */
function brightness([red = 0, green = 0, blue = 0]: readonly number[]): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

test('a heat map gets brighter with every step, so that hues need not be told apart', async () => {
  const cells = Array.from({ length: 24 }, (_, hour) => hour / 23);
  const chart: Chart = { ...polishWeek(), rows: [{ label: '', cells }], framed: null };
  const { width, data } = await pixelsOf(drawChart(chart));
  const middle = Array.from({ length: width }, (_, x) => {
    const at = (2 * 42 * width + x) * 4;
    return brightness([...data.slice(at, at + 3)]);
  });
  const ground = middle[0] ?? 0;
  const shown = middle.filter((light, x) => light !== ground && light !== middle[x - 1]);
  expect(shown).toHaveLength(24);
  expect(shown).toEqual(shown.toSorted((a, b) => a - b));
});

test('whatever the numbers are, a picture stays within 160 KB', async () => {
  const jagged = (length: number) =>
    Array.from({ length }, (_, at) => (at % 9 === 8 ? null : (at * 7919) % 151));
  const chart: LineChart = {
    ...weekOfLines(),
    series: [
      { label: 'W'.repeat(60), values: jagged(180) },
      { label: 'Ł'.repeat(60), values: jagged(180).toReversed() },
    ],
  };
  const png = drawChart(chart);
  expect(png.length).toBeLessThan(LIMIT);
  // Less sharp: at full sharpness it takes 180 KB.
  expect((await pixelsOf(png)).width).toBe(600);
});

test.each([
  ['no values', []],
  ['unknown values alone', [null, null, null]],
  ['zeros alone', [0, 0]],
  ['one value', [5]],
])('lines of %s can be drawn', async (_what, values) => {
  const png = drawChart({ ...weekOfLines(), series: [{ label: 'Drivers', values }], up: [], peak: null });
  expect((await pixelsOf(png)).width).toBe(800);
});

test('bars of a year fit, and an outage of minutes is seen among them', async () => {
  const year = { ...monthOfBars(), bars: Array.from({ length: 366 }, () => ({ up: 1, down: 0 })) };
  const blinked = {
    ...year,
    bars: year.bars.map((bar, day) => (day === 200 ? { up: 0.99, down: 0.01 } : bar)),
  };
  const [without, withOne] = [drawChart(year), drawChart(blinked)];
  expect(withOne.length).toBeLessThan(LIMIT);
  const amber = ({ data }: Pixels): number => {
    let count = 0;
    for (let at = 0; at < data.length; at += 4)
      if ((data[at] ?? 0) > 200 && (data[at + 1] ?? 0) < 200 && (data[at + 2] ?? 0) < 120) count += 1;
    return count;
  };
  // Beside the sample in the legend.
  expect(amber(await pixelsOf(withOne)) - amber(await pixelsOf(without))).toBeGreaterThan(15);
});

test("a driver's name is in the game's own colours", async () => {
  const { data } = await pixelsOf(drawChart(colourfulDriver()));
  const seen = new Set(
    Array.from({ length: data.length / 4 }, (_, pixel) => data.slice(4 * pixel, 4 * pixel + 3).join()),
  );
  for (const colour of ['255,0,0', '255,255,0', '0,0,255', '0,0,0', '0,255,0'])
    expect(seen).toContain(colour);
});

/** The same driver's card with that in-game name. */
function named(...texts: readonly string[]): Uint8Array {
  return drawChart({ ...colourfulDriver(), name: texts.map((text) => ({ text, colour: '#00ff00' })) });
}

test.for(['★☆●○■►◄♥', 'ﾊﾝﾀｰ', 'アあ大和', 'שלום'])('letters beyond the languages are drawn: %s', (text) => {
  for (const letter of text) expect(named(letter, 'x')).not.toEqual(named('\u{10ffff}', 'x'));
});

test.for(['हरि', '민지', '🏎', '\u{10ffff}'])(
  'a letter without a font is a box within the name: %s',
  (text) => {
    const [first = ''] = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
    expect(named(first, ' Max')).toEqual(named('□', ' Max'));
    expect(named(`★${first} Max`)).not.toEqual(named('★ Max'));
  },
);

test.for(['हरि रेसर', '민지', '🏎'])('a name of which no letter can be drawn is the login name: %s', (text) => {
  const { login } = colourfulDriver();
  const other = drawChart({ ...colourfulDriver(), name: [{ text: login, colour: null }] });
  expect(named(text)).toEqual(other);
});

test('a community and a car may have any letters, and a country any code', () => {
  const card = colourfulDriver();
  const odd = drawChart({
    ...{ ...card, community: '민지 Racing', car: { label: 'Best car', value: '민지' } },
    ...{ aboutLine: '民', flag: 'zz', login: '민지', name: [] },
  });
  expect(odd).not.toEqual(drawChart(card));
  expect(drawChart({ ...card, flag: 'zz' })).toEqual(drawChart({ ...card, flag: null }));
  expect(drawChart({ ...card, flag: 'de' })).not.toEqual(drawChart(card));
});

test('a label and a value too wide for one line stand in two', async () => {
  const heightOf = async (value: string) => {
    const car = { label: 'Vom 2. bis zum 29. November', value };
    const { width, height } = await pixelsOf(drawChart({ ...colourfulDriver(), car }));
    return (400 * height) / width;
  };
  const gains = '+6.676 km · Geld +125.736 · +87 gewonnene Verfolgungsjagden';
  expect((await heightOf(gains)) - (await heightOf('+6.676 km'))).toBe(18);
});

test('the longest name stays on the sheet, with its badge', async () => {
  const name = [{ text: 'W'.repeat(64), colour: '#ff00ff' }];
  const long = await pixelsOf(drawChart({ ...colourfulDriver(), name }));
  const edge = Array.from({ length: long.height }, (_, y) => {
    const at = 4 * (y * long.width + long.width - 4);
    return long.data.slice(at, at + 3).join();
  });
  expect(new Set(edge).size).toBe(1);
});

test.each([
  [0, 0],
  [1, 0],
  [3, 0],
  [4, 78],
  [6, 78],
])('%i figures take one row of three, or two', async (count, higher) => {
  const heightOf = async (length: number) => {
    const figures = Array.from({ length }, () => ({ value: '1', label: 'Distance', gain: '+1' }));
    const { width, height } = await pixelsOf(drawChart({ ...colourfulDriver(), figures }));
    return (400 * height) / width;
  };
  expect((await heightOf(count)) - (await heightOf(3))).toBe(higher);
});
