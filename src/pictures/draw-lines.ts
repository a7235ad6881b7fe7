import type { LineChart, Series } from './chart.ts';
import { drawLegend, gapEntry, type LegendEntry, legendHeight } from './legend.ts';
import { type Box, COLOURS, drawSheet, hatchBox, type Pen, WIDTH, widestOf, writeText } from './sheet.ts';

/** Between the sheet's edge and the legend. */
const PADDING = 6;
const PLOT_HEIGHT = 162;
/** Room for the label of a peak at the upper edge. */
const PLOT_MARGIN_TOP = 24;
const PLOT_MARGIN_BOTTOM = 28;
const RIGHT = WIDTH - 12;
const DASH = [5, 4];

/** Area of the values, in the sheet's own pixels. */
interface Plot {
  readonly left: number;
  readonly top: number;
  readonly bottom: number;
  readonly x: (share: number) => number;
  readonly y: (value: number) => number;
}

export function drawLines(chart: LineChart): Uint8Array {
  const legend = legendOf(chart);
  return drawSheet(
    (pen) => legendHeight(pen, legend) + PLOT_MARGIN_TOP + PLOT_HEIGHT + PLOT_MARGIN_BOTTOM,
    (pen) => {
      drawLegend(pen, legend, PADDING);
      const plot = plotOf(pen, chart, legendHeight(pen, legend) + PLOT_MARGIN_TOP);
      drawAxes(pen, chart, plot);
      const [first, second] = chart.series;
      for (const [from, to] of runs(first.values, (value) => value === null)) {
        const [x, end] = [plot.x(from / first.values.length), plot.x(to / first.values.length)];
        hatchBox(pen, { x, y: plot.top, width: end - x, height: PLOT_HEIGHT });
      }
      fillBelow(pen, first, plot);
      drawLine(pen, first, COLOURS.first, plot);
      if (second !== undefined) {
        pen.setLineDash(DASH);
        drawLine(pen, second, COLOURS.second, plot);
        pen.setLineDash([]);
      }
      if (chart.peak !== null) drawPeak(pen, first, chart.peak, plot);
    },
  );
}

function plotOf(pen: Pen, { up }: LineChart, top: number): Plot {
  const labels = up.map(({ label }) => label);
  const leftEdge = 18 + widestOf(pen, labels);
  const highest = up.at(-1)?.at || 1;
  const bottom = top + PLOT_HEIGHT;
  return {
    left: leftEdge,
    top,
    bottom,
    x: (share) => leftEdge + share * (RIGHT - leftEdge),
    y: (value) => bottom - (value / highest) * PLOT_HEIGHT,
  };
}

function drawAxes(pen: Pen, { across, up }: LineChart, plot: Plot): void {
  const line = (fromX: number, fromY: number, toX: number, toY: number): void => {
    pen.beginPath();
    pen.moveTo(fromX, fromY);
    pen.lineTo(toX, toY);
    pen.stroke();
  };
  pen.lineWidth = 1;
  pen.strokeStyle = COLOURS.grid;
  for (const { at, label } of up) {
    const y = Math.round(plot.y(at)) + 0.5;
    line(plot.left, y, RIGHT, y);
    writeText(pen, label, { x: plot.left - 8, y, align: 'right' });
  }
  for (const { at, label, labelAt = at } of across) {
    const x = Math.round(plot.x(at)) + 0.5;
    line(x, plot.top, x, plot.bottom + 5);
    writeText(pen, label, { x: plot.x(labelAt), y: plot.bottom + 16, align: 'center' });
  }
}

/** Runs of values that fit: the first index, and the one after the last. */
function runs(
  values: Series['values'],
  fits: (value: number | null) => boolean,
): readonly (readonly [from: number, to: number])[] {
  const ends = values.flatMap((value, index) => {
    const [isIn, wasIn] = [fits(value), index > 0 && fits(values[index - 1] ?? null)];
    return isIn === wasIn ? [] : [index];
  });
  return Array.from({ length: Math.ceil(ends.length / 2) }, (_, run) => [
    ends[2 * run] ?? 0,
    ends[2 * run + 1] ?? values.length,
  ]);
}

/** The points of each run of known values. A value stands for its whole step, so it is drawn in the middle. */
function pointsOf({ values }: Series, plot: Plot) {
  return runs(values, (value) => value !== null).map(([from, to]) =>
    values.slice(from, to).map((value, index) => ({
      x: plot.x((from + index + 0.5) / values.length),
      y: plot.y(value ?? 0),
    })),
  );
}

function fillBelow(pen: Pen, series: Series, plot: Plot): void {
  pen.fillStyle = COLOURS.firstFill;
  for (const points of pointsOf(series, plot)) {
    pen.beginPath();
    for (const { x, y } of points) pen.lineTo(x, y);
    pen.lineTo(points.at(-1)?.x ?? 0, plot.bottom);
    pen.lineTo(points[0]?.x ?? 0, plot.bottom);
    pen.fill();
  }
}

function drawLine(pen: Pen, series: Series, colour: string, plot: Plot): void {
  pen.strokeStyle = colour;
  pen.fillStyle = colour;
  pen.lineWidth = 2;
  pen.lineJoin = 'round';
  for (const points of pointsOf(series, plot)) {
    const [first] = points;
    pen.beginPath();
    if (points.length === 1 && first !== undefined) {
      // Between two gaps there is no line to see.
      pen.arc(first.x, first.y, 2, 0, 2 * Math.PI);
      pen.fill();
    }
    for (const { x, y } of points) pen.lineTo(x, y);
    pen.stroke();
  }
}

type Peak = NonNullable<LineChart['peak']>;

function drawPeak(pen: Pen, { values }: Series, { index, value, label }: Peak, plot: Plot): void {
  const x = plot.x((index + 0.5) / values.length);
  const y = plot.y(value);
  const average = values[index] ?? null;
  if (average !== null) {
    // The line is of averages: a stem shows to where on it the peak belongs.
    pen.beginPath();
    pen.moveTo(x, plot.y(average));
    pen.lineTo(x, y);
    pen.strokeStyle = COLOURS.first;
    pen.lineWidth = 1;
    pen.stroke();
  }
  pen.beginPath();
  pen.arc(x, y, 4, 0, 2 * Math.PI);
  pen.fillStyle = COLOURS.ground;
  pen.fill();
  pen.strokeStyle = COLOURS.first;
  pen.lineWidth = 2;
  pen.stroke();
  writeText(pen, label, { x, y: y - 14, align: 'center' });
}

function legendOf({ series: [first, second], gap }: LineChart): readonly LegendEntry[] {
  return [
    { label: first.label, sample: lineSample(COLOURS.first, []) },
    ...(second === undefined ? [] : [{ label: second.label, sample: lineSample(COLOURS.second, DASH) }]),
    ...(first.values.includes(null) ? [gapEntry(gap)] : []),
  ];
}

function lineSample(colour: string, dash: number[]): LegendEntry['sample'] {
  return {
    width: 22,
    draw(pen: Pen, { x, y, width, height }: Box) {
      pen.setLineDash(dash);
      pen.strokeStyle = colour;
      pen.lineWidth = 3;
      pen.beginPath();
      pen.moveTo(x, y + height / 2);
      pen.lineTo(x + width, y + height / 2);
      pen.stroke();
      pen.setLineDash([]);
    },
  };
}
