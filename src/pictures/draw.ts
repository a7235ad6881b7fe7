import type { Chart } from './chart.ts';
import { drawBars } from './draw-bars.ts';
import { drawDriver } from './draw-driver.ts';
import { drawHeatMap } from './draw-heat-map.ts';
import { drawLines } from './draw-lines.ts';

/** The chart as a PNG. Needs the fonts to be loaded. */
export function drawChart(chart: Chart): Uint8Array {
  switch (chart.kind) {
    case 'lines':
      return drawLines(chart);
    case 'heat-map':
      return drawHeatMap(chart);
    case 'bars':
      return drawBars(chart);
    case 'driver':
      return drawDriver(chart);
  }
}
