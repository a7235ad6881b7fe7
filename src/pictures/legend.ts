import { type Box, hatchBox, type Pen, WIDTH, writeText } from './sheet.ts';

/** What a colour or pattern means. */
export interface LegendEntry {
  readonly sample: { readonly width: number; draw(pen: Pen, box: Box): void };
  readonly label: string;
  /** Written on the other side of the sample. */
  readonly before?: string;
}

/** What a hatched place means. */
export function gapEntry(label: string): LegendEntry {
  return { label, sample: { width: 20, draw: hatchBox } };
}

const LINE = 22;
const SAMPLE = 12;
const NEAR = 6;
const APART = 16;
const LEFT = 12;

/** The height of a legend in as many lines as its entries need. */
export function legendHeight(pen: Pen, entries: readonly LegendEntry[]): number {
  return LINE * (1 + (placed(pen, entries).at(-1)?.line ?? 0));
}

export function drawLegend(pen: Pen, entries: readonly LegendEntry[], top: number): void {
  for (const { entry, x, line } of placed(pen, entries)) {
    const { sample, label, before = '' } = entry;
    const y = top + LINE * line + LINE / 2;
    writeText(pen, before, { x, y });
    const left = x + widthBefore(pen, entry);
    sample.draw(pen, { x: left, y: y - SAMPLE / 2, width: sample.width, height: SAMPLE });
    writeText(pen, label, { x: left + sample.width + NEAR, y });
  }
}

function placed(pen: Pen, entries: readonly LegendEntry[]) {
  let x = LEFT;
  let line = 0;
  return entries.map((entry) => {
    const width = widthBefore(pen, entry) + entry.sample.width + NEAR + pen.measureText(entry.label).width;
    if (x > LEFT && x + width > WIDTH - NEAR) {
      x = LEFT;
      line += 1;
    }
    const place = { entry, x, line };
    x += width + APART;
    return place;
  });
}

function widthBefore(pen: Pen, { before = '' }: LegendEntry): number {
  return before === '' ? 0 : pen.measureText(before).width + NEAR;
}
