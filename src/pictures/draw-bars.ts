import type { BarChart } from './chart.ts';
import { drawLegend, gapEntry, type LegendEntry, legendHeight } from './legend.ts';
import { COLOURS, drawSheet, fillBox, hatchBox, WIDTH, writeText } from './sheet.ts';

const NARROW = 6;
const ABOVE = 4;
const PLOT = 110;
const BELOW = 34;
const LEFT = 12;
const RIGHT = WIDTH - 12;
/** An outage of minutes in a day has to be seen. */
const LEAST = 6;

/** Bars of one height: what is up stands on the ground, what is down above it, and what is not known is hatched. */
export function drawBars(chart: BarChart): Uint8Array {
  const legend = legendOf(chart);
  return drawSheet(
    (pen) => legendHeight(pen, legend) + ABOVE + PLOT + BELOW,
    (pen) => {
      drawLegend(pen, legend, NARROW);
      const top = legendHeight(pen, legend) + NARROW + ABOVE;
      // On whole pixels of the picture: narrow bars would look striped.
      const edge = (index: number): number =>
        LEFT + Math.round((2 * index * (RIGHT - LEFT)) / chart.bars.length) / 2;
      const between = chart.bars.length > 60 ? 0 : 1;
      for (const [index, { up, down }] of chart.bars.entries()) {
        const [x, width] = [edge(index), edge(index + 1) - edge(index) - between];
        if (up + down < 1) hatchBox(pen, { x, y: top, width, height: PLOT });
        const low = down === 0 ? 0 : Math.max(LEAST, down * PLOT);
        const high = Math.min(up * PLOT, PLOT - low);
        fillBox(pen, COLOURS.first, { x, y: top + PLOT - high, width, height: high });
        const seen = { x, y: top + PLOT - high - low, width: Math.max(width, 1.5), height: low };
        fillBox(pen, COLOURS.second, seen);
      }
      for (const { at, label } of chart.across)
        writeText(pen, label, { x: LEFT + at * (RIGHT - LEFT), y: top + PLOT + 14, align: 'center' });
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
