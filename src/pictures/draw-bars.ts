import type { BarChart } from './chart.ts';
import { drawLegend, gapEntry, type LegendEntry, legendHeight } from './legend.ts';
import { COLOURS, drawSheet, fillBox, hatchBox, WIDTH, writeText } from './sheet.ts';

const PADDING = 6;
const PLOT_MARGIN_TOP = 4;
const PLOT_HEIGHT = 110;
const PLOT_MARGIN_BOTTOM = 34;
const LEFT = 12;
const RIGHT = WIDTH - 12;
/** An outage of minutes in a day has to be seen. */
const MIN_BAR_HEIGHT = 6;

/** Bars of one height: what is up stands on the ground, what is down above it, and what is not known is hatched. */
export function drawBars(chart: BarChart): Uint8Array {
  const legend = legendOf(chart);
  return drawSheet(
    (pen) => legendHeight(pen, legend) + PLOT_MARGIN_TOP + PLOT_HEIGHT + PLOT_MARGIN_BOTTOM,
    (pen) => {
      drawLegend(pen, legend, PADDING);
      const top = legendHeight(pen, legend) + PADDING + PLOT_MARGIN_TOP;
      // On whole pixels of the picture: narrow bars would look striped.
      const edge = (index: number): number =>
        LEFT + Math.round((2 * index * (RIGHT - LEFT)) / chart.bars.length) / 2;
      const between = chart.bars.length > 60 ? 0 : 1;
      for (const [index, { up, down: downShare }] of chart.bars.entries()) {
        const [x, width] = [edge(index), edge(index + 1) - edge(index) - between];
        if (up + downShare < 1) hatchBox(pen, { x, y: top, width, height: PLOT_HEIGHT });
        const low = downShare === 0 ? 0 : Math.max(MIN_BAR_HEIGHT, downShare * PLOT_HEIGHT);
        const high = Math.min(up * PLOT_HEIGHT, PLOT_HEIGHT - low);
        fillBox(pen, COLOURS.first, { x, y: top + PLOT_HEIGHT - high, width, height: high });
        const outageBox = { x, y: top + PLOT_HEIGHT - high - low, width: Math.max(width, 1.5), height: low };
        fillBox(pen, COLOURS.second, outageBox);
      }
      for (const { at, label } of chart.across)
        writeText(pen, label, { x: LEFT + at * (RIGHT - LEFT), y: top + PLOT_HEIGHT + 14, align: 'center' });
    },
  );
}

function legendOf({ labels: { up, down, gap }, bars }: BarChart): readonly LegendEntry[] {
  const square = (colour: string): LegendEntry['sample'] => ({
    width: 12,
    draw: (pen, box) => fillBox(pen, colour, box),
  });
  return [
    { label: up, sample: square(COLOURS.first) },
    { label: down, sample: square(COLOURS.second) },
    ...(bars.some((bar) => bar.up + bar.down < 0.995) ? [gapEntry(gap)] : []),
  ];
}
