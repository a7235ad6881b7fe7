/**
 * A picture's content as plain data, sent to the process that draws it. Labels are in the reader's
 * language.
 */
import { z } from 'zod';

const Label = z.string().max(60);

/** A label beside an axis; `at` is in that axis's own measure. */
/** `labelAt`: where its label stands, if not there. */
const Tick = z.object({ at: z.number(), label: Label, labelAt: z.number().optional() }).readonly();
export type Tick = z.output<typeof Tick>;
const Ticks = z.array(Tick).max(31).readonly();

const Series = z
  .object({
    label: Label,
    /** At equal steps; null where nothing is known, which is drawn as a gap. */
    values: z.array(z.number().nullable()).max(400).readonly(),
  })
  .readonly();
export type Series = z.output<typeof Series>;

/** One or two lines over time. */
const LineChart = z
  .object({
    kind: z.literal('lines'),
    /** The first one is filled, the second one dashed. */
    series: z.tuple([Series]).rest(Series).readonly(),
    /** From 0, the left edge, to 1. */
    across: Ticks,
    /** In the values' unit; the last one is the upper edge. */
    up: Ticks,
    /** A single value to be marked, joined to the first series at that index, whose steps are averages. */
    peak: z.object({ index: z.int(), value: z.number(), label: Label }).readonly().nullable(),
    /** Legend of a gap. */
    gap: Label,
  })
  .readonly();
export type LineChart = z.output<typeof LineChart>;

/** Rows of coloured cells, such as weekdays by hours. */
const HeatMap = z
  .object({
    kind: z.literal('heat-map'),
    rows: z
      .array(
        z
          .object({
            label: Label,
            /** From 0 to 1; null where nothing is known. */
            cells: z.array(z.number().nullable()).max(24).readonly(),
          })
          .readonly(),
      )
      .max(7)
      .readonly(),
    /** Labels by the index of the cell at whose left edge they stand. */
    across: Ticks,
    /** Labels of the darkest and the brightest cell. */
    scale: z.object({ low: Label, high: Label }).readonly(),
    /** Cells with a frame, and what it means. */
    framed: z
      .object({
        label: Label,
        cells: z
          .array(z.object({ row: z.int(), column: z.int() }).readonly())
          .max(24)
          .readonly(),
      })
      .readonly()
      .nullable(),
    /** Legend of a hatched cell. */
    gap: Label,
  })
  .readonly();
export type HeatMap = z.output<typeof HeatMap>;

const Share = z.number().min(0).max(1.001);

/** Bars of one height, such as days, with what was up and what was down of each. */
const BarChart = z
  .object({
    kind: z.literal('bars'),
    /** Shares of each bar that are up and down; the rest is not known. */
    bars: z
      .array(z.object({ up: Share, down: Share }).readonly())
      .max(400)
      .readonly(),
    /** From 0, the left edge, to 1. */
    across: Ticks,
    labels: z.object({ up: Label, down: Label, gap: Label }).readonly(),
  })
  .readonly();
export type BarChart = z.output<typeof BarChart>;

/** A line of its own, which is written in smaller letters if it is long. */
const Line = z.string().max(128);

/** A driver's card: the name as the game draws it, the figures that lead, and the week. */
const DriverCard = z
  .object({
    kind: z.literal('driver'),
    /** Name of the community. */
    community: Line.nullable(),
    /** Runs of one colour (`#rrggbb`; null: the default), in order. */
    name: z
      .array(z.object({ text: z.string(), colour: z.string().nullable() }).readonly())
      .max(128)
      .readonly(),
    /** Drawn instead of a name without a single letter that a font has. */
    login: Line,
    /** Draws a badge behind the name, which no letter of a name looks like. */
    isProved: z.boolean(),
    /** Two lower-case letters; null: no flag. */
    flag: z
      .string()
      .regex(/^[a-z]{2}$/)
      .nullable(),
    /** The line below the name. */
    aboutLine: Line,
    /** `gain`: what a week has added to it. */
    figures: z
      .array(z.object({ value: Label, label: Label, gain: Label.nullable() }).readonly())
      .max(6)
      .readonly(),
    rank: Line.nullable(),
    car: z.object({ label: Label, value: Line }).readonly().nullable(),
    /**
     * Days, such as the last seven, or other parts of a longer time: their share of the longest one; null where nothing is
     * known, and without it where it is still to come.
     */
    week: z
      .object({
        label: Line,
        days: z
          .array(z.object({ label: Label, share: Share.nullable().optional() }).readonly())
          .max(31)
          .readonly(),
      })
      .readonly()
      .nullable(),
    /** Below everything, each in a line of its own, so that none is written in letters smaller than the others. */
    smallLines: z.array(Line).max(4).readonly(),
  })
  .readonly();
export type DriverCard = z.output<typeof DriverCard>;

export const Chart = z.discriminatedUnion('kind', [LineChart, HeatMap, BarChart, DriverCard]);
export type Chart = z.output<typeof Chart>;

/** Answer of the drawing process for one chart. */
export const Painting = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('drawn'), png: z.custom<Uint8Array>((value) => value instanceof Uint8Array) }),
  /** The drawing library or the font is not installed. */
  z.object({ kind: z.literal('missing'), why: z.string() }),
  /** A text of the chart has a letter that the font does not. */
  z.object({ kind: z.literal('letters'), why: z.string() }),
  z.object({ kind: z.literal('failed'), why: z.string() }),
]);
export type Painting = z.output<typeof Painting>;
