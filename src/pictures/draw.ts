import type { Chart } from './chart.ts';
import { drawHeatMap } from './draw-heat-map.ts';
import { drawLines } from './draw-lines.ts';

/** The chart as a PNG. Needs the fonts to be loaded. */
export function draw(chart: Chart): Uint8Array {
  return chart.kind === 'lines' ? drawLines(chart) : drawHeatMap(chart);
}
