import { z } from 'zod';
import { fraction, number, text } from './leaves.ts';
import { lenientFields } from './lenient.ts';

/** An upgrade built into a car (ramp, winch, radar warner, …) or a property. `condition` is 0 to 1. */
export const Item = z
  .object(lenientFields({ type: text, name: text, condition: fraction, value: number }))
  // Without either, it is nothing that could be shown.
  .refine(({ type, name }) => type !== null || name !== null);
export type Item = z.output<typeof Item>;
