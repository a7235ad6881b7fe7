import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

const Ratios = z.record(z.string(), z.record(z.string(), z.number().nullable()));

/** By what was measured, then by figure: times say something of one machine only. */
type Ratios = z.output<typeof Ratios>;

/** Prints the ratios of an earlier run of the same; `save`: puts these in their place. */
export function compareWithKept(file: URL, ratios: Ratios, save: boolean): void {
  const earlier = Ratios.parse(JSON.parse(readFileSync(file, 'utf8')));
  console.log('the same as it was kept');
  console.table(Object.fromEntries(Object.entries(earlier).filter(([what]) => what in ratios)));
  if (save) writeFileSync(file, `${JSON.stringify({ ...earlier, ...ratios }, null, 2)}\n`);
}
