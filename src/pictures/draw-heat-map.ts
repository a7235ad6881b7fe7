import type { HeatMap } from './chart.ts';
import { drawLegend, gapEntry, type LegendEntry, legendHeight } from './legend.ts';
import {
  type Box,
  COLOURS,
  drawSheet,
  fillBox,
  hatchBox,
  type Pen,
  WIDTH,
  widestOf,
  writeText,
} from './sheet.ts';

const TOP = 30;
const ROW_HEIGHT = 24;
const RIGHT = WIDTH - 10;
const CELL_GAP = 1;
const MARGIN_BOTTOM = 10;

/** Brighter all the way, so that the order is clear without colours too. */
const RAMP = ['#232f4b', '#23518a', '#1f7fb4', '#3fadb3', '#8dd196', '#f7f09a'] as const;

export function drawHeatMap(map: HeatMap): Uint8Array {
  const legend = legendOf(map);
  const bottom = TOP + map.rows.length * ROW_HEIGHT;
  return drawSheet(
    (pen) => bottom + MARGIN_BOTTOM + legendHeight(pen, legend) + MARGIN_BOTTOM,
    (pen) => {
      const boxOf = boxesOf(pen, map);
      for (const { at, label } of map.across) writeText(pen, label, { x: boxOf(0, at).x, y: TOP - 13 });
      for (const [row, { label, cells }] of map.rows.entries()) {
        writeText(pen, label, { x: 10, y: TOP + (row + 0.5) * ROW_HEIGHT });
        for (const [column, value] of cells.entries()) {
          if (value === null) hatchBox(pen, boxOf(row, column));
          else fillBox(pen, colourOf(value), boxOf(row, column));
        }
      }
      for (const { row, column } of map.framed?.cells ?? []) frame(pen, boxOf(row, column));
      drawLegend(pen, legend, bottom + MARGIN_BOTTOM);
    },
  );
}

function boxesOf(pen: Pen, { rows }: HeatMap): (row: number, column: number) => Box {
  const labels = rows.map(({ label }) => label);
  const leftEdge = 18 + widestOf(pen, labels);
  const step = (RIGHT - leftEdge) / Math.max(1, ...rows.map(({ cells }) => cells.length));
  const edge = (column: number): number => Math.round(leftEdge + column * step);
  return (row, column) => ({
    x: edge(column),
    y: TOP + row * ROW_HEIGHT,
    width: edge(column + 1) - edge(column) - CELL_GAP,
    height: ROW_HEIGHT - CELL_GAP,
  });
}

/** The colour for a share from 0 to 1. */
function colourOf(share: number): string {
  const place = Math.max(0, Math.min(1, share)) * (RAMP.length - 1);
  const [from = RAMP[0], to = from] = RAMP.slice(Math.floor(place));
  const mixed = [1, 3, 5].map((at) => {
    const [low = 0, high = 0] = [from, to].map((colour) => Number.parseInt(colour.slice(at, at + 2), 16));
    return Math.round(low + (high - low) * (place % 1));
  });
  return `rgb(${mixed.join(', ')})`;
}

function frame(pen: Pen, { x, y, width, height }: Box): void {
  pen.strokeStyle = COLOURS.frame;
  pen.lineWidth = 2;
  pen.strokeRect(x, y, width, height);
}

const RAMP_STEPS = 12;

function legendOf({ scale, framed, gap, rows }: HeatMap): readonly LegendEntry[] {
  const ramp = {
    width: 6 * RAMP_STEPS,
    draw(pen: Pen, { x, y, height }: Box) {
      for (let step = 0; step < RAMP_STEPS; step++)
        fillBox(pen, colourOf(step / (RAMP_STEPS - 1)), { x: x + 6 * step, y, width: 6, height });
    },
  };
  return [
    { labelBefore: scale.low, label: scale.high, sample: ramp },
    ...(framed === null ? [] : [{ label: framed.label, sample: { width: 12, draw: frame } }]),
    ...(rows.some(({ cells }) => cells.includes(null)) ? [gapEntry(gap)] : []),
  ];
}
