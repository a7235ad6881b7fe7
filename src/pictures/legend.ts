import { type Box, hatchBox, type Pen, WIDTH, writeText } from './sheet.ts';

/** The meaning of a colour or pattern. */
export interface LegendEntry {
  readonly sample: { readonly width: number; draw(pen: Pen, box: Box): void };
  readonly label: string;
  /** Written on the other side of the sample. */
  readonly labelBefore?: string;
}

/** Returns the legend of a hatched area. */
export function gapEntry(label: string): LegendEntry {
  return { label, sample: { width: 20, draw: hatchBox } };
}

const LINE_HEIGHT = 22;
const SAMPLE_HEIGHT = 12;
const LABEL_GAP = 6;
const ENTRY_GAP = 16;
const LEFT = 12;

/** The height of a legend in as many lines as its entries need. */
export function legendHeight(pen: Pen, entries: readonly LegendEntry[]): number {
  return LINE_HEIGHT * (1 + (placeEntries(pen, entries).at(-1)?.line ?? 0));
}

export function drawLegend(pen: Pen, entries: readonly LegendEntry[], top: number): void {
  for (const { entry, x, line } of placeEntries(pen, entries)) {
    const { sample, label, labelBefore: before = '' } = entry;
    const y = top + LINE_HEIGHT * line + LINE_HEIGHT / 2;
    writeText(pen, before, { x, y });
    const sampleX = x + widthBefore(pen, entry);
    sample.draw(pen, { x: sampleX, y: y - SAMPLE_HEIGHT / 2, width: sample.width, height: SAMPLE_HEIGHT });
    writeText(pen, label, { x: sampleX + sample.width + LABEL_GAP, y });
  }
}

function placeEntries(pen: Pen, entries: readonly LegendEntry[]) {
  let x = LEFT;
  let line = 0;
  return entries.map((entry) => {
    const width =
      widthBefore(pen, entry) + entry.sample.width + LABEL_GAP + pen.measureText(entry.label).width;
    if (x > LEFT && x + width > WIDTH - LABEL_GAP) {
      x = LEFT;
      line += 1;
    }
    const place = { entry, x, line };
    x += width + ENTRY_GAP;
    return place;
  });
}

function widthBefore(pen: Pen, { labelBefore: before = '' }: LegendEntry): number {
  return before === '' ? 0 : pen.measureText(before).width + LABEL_GAP;
}
